"""Is memory flat? Plays many matches of bundled bots in a pool and prints the resident memory of every process.

Run: python tests/bench/memory.py [MATCHES]     (20,000 by default; a few minutes on two cores; Linux)
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from arena.app.bench import Table
from arena.app.cores import cores
from arena.config.editions import load_edition
from arena.executors.executor import play_all
from arena.executors.pool import Pool
from arena.match.work import Work

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
    table = Table(load_edition("eagle-gryphon"))
    return (table.work(number) for number in range(matches))


def main() -> None:
    """Play and print."""
    matches, began = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000, time.perf_counter()
    pool = Pool(cores())
    print("matches  seconds  parent MB  workers MB")
    for count, _ in enumerate(play_all(pool, works(matches)), 1):
        if count in MARKS or count == matches:
            workers = "  ".join(f"{resident(child):.1f}" for child in children(os.getpid()))
            seconds = time.perf_counter() - began
            print(f"{count:>7}  {seconds:>7.0f}  {resident(os.getpid()):>9.1f}  {workers}", flush=True)
    pool.close()


if __name__ == "__main__":
    main()
