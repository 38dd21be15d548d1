"""Dask against the pool, in one run: matches a second as a ratio, and the processor time that the parent takes.

``python tests/bench/cluster.py [JOBS]``. Both play the same matches with so many processes on this machine, in turns, a
long and a short kind; Dask with a local cluster, whose scheduler and worker take their share of the same cores.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from arena.executors.executor import play_all
from arena.executors.make import make_executor
from arena.match.executor_kind import ExecutorKind
from arena.match.work import Work, WorkResult
from arena.runs.planning.make_plan import make_plan

ROUNDS, WARM = 3, 40
"""How often each plays; matches for each job before anything is measured."""
KINDS = (("short", 4, 600), ("long", 60, 150))
"""What matches are called, their turns, and how many are measured."""
TOURNAMENT = """
name: bench
seed: 1
entrants: [greedy, fair, hard, closer]
editions: [{{rules: eagle-gryphon, changes: {{max_turns: {turns}}}}}]
seats: 4
blocks: 100000
isolation: none
"""


def works_of(folder: Path, turns: int) -> Iterator[Work]:
    """As many works as anybody wants, of matches of so many turns."""
    path = folder / f"bench-{turns}.yaml"
    path.write_text(TOURNAMENT.format(turns=turns))
    plan = make_plan(path)
    return plan.works(plan.schedule)


def measure(way: ExecutorKind, jobs: int, works: Iterator[Work], number: int) -> tuple[float, float, int]:
    """Matches a second of a number of matches, the parent's CPU seconds for a match, and the bytes of replay of one."""
    with closing(make_executor(jobs, way=way)) as executor:
        for _ in play_all(executor, islice(works, WARM * jobs)):
            pass  # by then everything is loaded, and batches have their size
        size = 0
        began, used = perf_counter(), process_time()
        for result in play_all(executor, islice(works, number)):
            assert isinstance(result, WorkResult)
            size += len(result.packed or b"")
        return number / (perf_counter() - began), (process_time() - used) / number, size // number


def main(jobs: int) -> None:
    """Print a line for each kind of match."""
    with tempfile.TemporaryDirectory() as folder:
        for name, turns, number in KINDS:
            rates: dict[ExecutorKind, list[float]] = {ExecutorKind.POOL: [], ExecutorKind.DASK: []}
            costs: dict[ExecutorKind, list[float]] = {ExecutorKind.POOL: [], ExecutorKind.DASK: []}
            size = 0
            for _ in range(ROUNDS):
                for way in rates:
                    rate, cost, size = measure(way, jobs, works_of(Path(folder), turns), number)
                    rates[way].append(rate)
                    costs[way].append(cost)
            ratio = median(
                dask / pool for dask, pool in zip(rates[ExecutorKind.DASK], rates[ExecutorKind.POOL], strict=True)
            )
            told = "; ".join(
                f"{way} {median(rates[way]):.1f}/s, parent {median(costs[way]) * 1e3:.2f} ms CPU a match"
                for way in rates
            )
            print(f"{name} matches ({size} bytes of replay): dask/pool {ratio:.2f}; {told}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
