"""How many times as many matches a second `arena verify` reads as `arena run --trust` plays, with one process and with
one for each core.

Each round plays the same tournament of bundled bots, then verifies it; what `arena verify` of a single replay takes is
taken from both. Printed are the ratios of wall time and of CPU time, each the median of the rounds with its range.
Processes that `arena verify` starts take some tenths of a second each, which counts less the more matches there are.

Run: nice python tests/bench/verify.py [BLOCKS [ROUNDS]]     (30 blocks, 1,440 matches of the board game; 3 rounds)
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from arena.system.platform_support import usable_cores

TOURNAMENTS = {"board game": ("quick",), "card game": ("cards", "--set", "seats=[4]", "--set", "replays=all")}
MATCH = {"board game": "eagle-gryphon-4p/b0000/0-1-4-5", "card game": "card-game-4p/b0000/0-1-4-5"}


def run_arena(*arguments: str) -> tuple[float, float]:
    """Seconds of wall time and of CPU time, all processes included."""
    before, began = _cpu_seconds(), perf_counter()
    subprocess.run([sys.executable, "-m", "arena", *arguments], check=True, capture_output=True)
    return perf_counter() - began, _cpu_seconds() - before


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(tournament: Sequence[str], match: str, blocks: int, jobs: int, folder: Path) -> tuple[float, float]:
    """Wall and CPU time of playing ÷ of verifying."""
    shutil.rmtree(folder, ignore_errors=True)
    common = ("--trust", "--seed", "1", "--quiet", "--blocks", str(blocks), "-j", str(jobs), "--out", str(folder))
    played = run_arena("run", *tournament, *common)
    verified = run_arena("verify", str(folder), "-j", str(jobs))
    alone = run_arena("verify", str(folder), match)
    wall, cpu = ((a - start) / (b - start) for a, b, start in zip(played, verified, alone, strict=True))
    return wall, cpu


def main(blocks: int = 30, rounds: int = 3) -> None:
    """Print a line for each game and number of processes."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as temporary:
        for game, tournament in TOURNAMENTS.items():
            for jobs in sorted({1, usable_cores()}):
                folder = Path(temporary) / "run"
                ratios = [measure(tournament, MATCH[game], blocks, jobs, folder) for _ in range(rounds)]
                wall, cpu = (
                    f"{median(each):.1f} ({min(each):.1f} to {max(each):.1f})" for each in zip(*ratios, strict=True)
                )
                print(f"{game}, {jobs} processes: {wall} by the clock, {cpu} in CPU time", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
