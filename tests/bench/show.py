"""How fast ``arena show --jsonl`` prints recorded matches, as everybody's and as a seat knew them, in CPU time, and how
much memory that takes.

python tests/bench/show.py
"""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from arena.recorded.match_lines import LineRange, match_lines

GOLDEN = Path(__file__).parents[1] / "golden"
MATCHES = ("eagle-gryphon-4p", "card-game-4p", "eagle-gryphon-random-3p")
TRIES = 9


class Rate(NamedTuple):
    """How many ``lines`` and ``size`` bytes were printed, and in how many ``seconds`` of CPU time, the least of some
    tries."""

    lines: int
    size: int
    seconds: float


def rate(path: Path, seat: int | None) -> Rate:
    """What printing a match takes."""
    least, lines, size = float("inf"), 0, 0
    for _ in range(TRIES):
        begun = time.process_time()
        lines = size = 0
        for line in match_lines(path, LineRange(seat=seat)):
            lines, size = lines + 1, size + len(line)
        least = min(least, time.process_time() - begun)
    return Rate(lines, size, least)


def main() -> None:
    """Print a table."""
    rows = []
    for name in MATCHES:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for seat in (None, 1):
            found = rate(GOLDEN / f"{name}.jsonl", seat)
            more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            who = "all" if seat is None else f"seat {seat}"
            per_second = f"{found.lines / found.seconds:,.0f}"
            told = (f"{found.lines:,}", f"{found.size / 1e6:.1f} MB", f"{found.seconds * 1e3:.0f} ms", per_second)
            rows.append((name, who, *told, f"{more / 1024:.1f} MB"))
    print(tabulate(rows, headers=("match", "told", "lines", "printed", "CPU time", "lines a second", "more memory")))


if __name__ == "__main__":
    main()
