"""Is memory flat, and the time of a match? Plays many matches in a pool, keeps them as a run does, and prints
the resident memory of every process, and the time of a match since the line before.

Run: python tests/bench/memory.py [MATCHES [light]]     (20,000 by default; a few minutes on two cores; Linux)

Matches are of bundled bots, each with a deal of its own, or, `light`, of a game that takes a millisecond.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from arena.commands.bench.speed import BenchTable
from arena.config.editions import load_edition
from arena.executors.executor import UnplayedMatch, play_all
from arena.executors.process_pool.pool import Pool
from arena.match.work import Work
from arena.runs.planning.make_plan import make_plan
from arena.storage.run_folder import FolderStore
from arena.system.platform_support import usable_cores

ROOT = Path(__file__).parents[2]
MARKS = (100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)


def resident(process: int) -> float:
    """Resident memory of a process, in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def children(process: int) -> list[int]:
    """Processes started by ``process``."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def works(matches: int) -> Iterator[Work]:
    """That many matches, each with a deal of its own."""
    table = BenchTable(load_edition("eagle-gryphon"))
    return (table.work(number) for number in range(matches))


def light(matches: int) -> Iterator[Work]:
    """About that many matches of a light game."""
    plan = make_plan(ROOT / "tests" / "thirdgame" / "pies.yaml", ["isolation=none"], matches=matches)
    return plan.works(plan.schedule)


def main() -> None:
    """Play and print."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    source = light(matches) if "light" in sys.argv else works(matches)
    before, began = 0, time.perf_counter()
    print("matches  ms a match  parent MB  workers MB")
    with (
        tempfile.TemporaryDirectory() as folder,
        FolderStore(Path(folder)) as store,
        closing(Pool(usable_cores())) as pool,
    ):
        for count, done in enumerate(play_all(pool, source), 1):
            if isinstance(done, UnplayedMatch):
                raise SystemExit(f"match {done.id} could not be played: {done.reason}")
            store.add(done)
            if count in MARKS or count == matches:
                workers = "  ".join(f"{resident(child):.1f}" for child in children(os.getpid()))
                each = (time.perf_counter() - began) * 1000 / (count - before)
                print(f"{count:>7}  {each:>10.2f}  {resident(os.getpid()):>9.1f}  {workers}", flush=True)
                before, began = count, time.perf_counter()


if __name__ == "__main__":
    main()
