"""What does a tournament cost beside its matches? Plays the same matches one after another in one process and in a
pool, in turns, and prints the CPU time of each match there and here, and what the parent does with it.

The CPU time of a match does not depend on how busy the machine is, or little: so `efficiency`, the CPU time of a match
alone ÷ that of everything in the tournament, is what the rate of a tournament reaches, of (alone × cores), where
nothing else runs. `rate` is that rate as measured, which needs a quiet machine; beside it stands what as many
processes reach that know nothing of each other, each playing its share one match after another: what is lost there is
lost to the machine (memory, the clock of its cores), not to the tournament.

Run: python tests/bench/throughput.py [CONFIG [MATCHES]]     (bundled.yaml with replays, and a very light game; Linux)
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

from tqdm import tqdm

from arena.executors.executor import Executor, UnplayedMatch, play_all
from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.match.work import Work, WorkResult
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan import Plan
from arena.storage.run_folder import FolderStore
from arena.system.platform_support import usable_cores
from arena.tournament.records.fixture import Fixture

ROOT = Path(__file__).parents[2]
TURNS = 3
"""How often each way of playing has its turn."""
FIRST = 24
"""Matches that each plays before it is measured."""


class Clock:
    """Adds up the CPU time that this process spends in some work."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, task: Callable[[WorkResult], None]) -> Callable[[WorkResult], None]:
        """The same task, with its time added."""

        def run(done: WorkResult) -> None:
            began = process_time()
            task(done)
            self.seconds += process_time() - began

        return run

    def drawing(self, works: Iterator[Work]) -> Iterator[Work]:
        """The same works, with the time added that it takes to make them."""
        while True:
            began = process_time()
            work = next(works, None)
            self.seconds += process_time() - began
            if work is None:
                return
            yield work


class Sums:
    """What was spent on so many ``matches``, in seconds."""

    def __init__(self) -> None:
        self.matches = 0
        self.wall = self.all = self.parent = 0.0
        self.making, self.writing, self.showing = Clock(), Clock(), Clock()


def play(plan: Plan, executor: Executor, works: Iterator[Work], sums: Sums) -> None:
    """Play some matches and keep them in a folder, with a progress bar, as ``arena run`` does."""
    before, here, began = _used(), process_time(), perf_counter()
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        store = opened.enter_context(FolderStore(folder))
        bar = opened.enter_context(tqdm(file=opened.enter_context((folder / "bar").open("w")), unit=" matches"))

        def progress(done: WorkResult) -> None:
            if faults := sum(sum(seat.faults.values()) for seat in done.record.seats):
                bar.set_postfix(faults=faults, refresh=False)
            bar.update()

        tasks = (sums.writing.timed(store.add), sums.showing.timed(progress))
        for result in play_all(executor, sums.making.drawing(works)):
            if isinstance(result, UnplayedMatch):
                raise SystemExit(f"match {result.id} could not be played: {result.reason}")
            for task in tasks:
                task(result)
            sums.matches += 1
    sums.wall += perf_counter() - began
    sums.parent += process_time() - here
    sums.all += _used() - before


def apart(plan: Plan, fixtures: list[Fixture], processes: int) -> float:
    """Seconds that so many processes take, none of which knows of the others, with an equal share of matches each."""
    context = multiprocessing.get_context("fork")
    ready = context.Barrier(processes + 1)

    def share(number: int) -> None:
        with closing(Serial()) as serial:
            play(plan, serial, plan.works(fixtures[:1]), Sums())
            ready.wait()
            play(plan, serial, plan.works(fixtures[number::processes]), Sums())

    shares = [context.Process(target=share, args=(number,)) for number in range(processes)]
    for process in shares:
        process.start()
    ready.wait()
    began = perf_counter()
    for process in shares:
        process.join()
    return perf_counter() - began


def _used() -> float:
    """CPU seconds of this process and of its workers, which live."""
    return process_time() + sum(_used_by(child.pid) for child in multiprocessing.active_children())


def _used_by(process: int | None) -> float:
    """CPU seconds of another process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(config: Path, matches: int, overrides: list[str]) -> None:
    """Print one tournament's figures."""
    plan, jobs = make_plan(config, overrides), usable_cores()
    alone, together = Sums(), Sums()
    fixtures, lonely = list(islice(plan.schedule, FIRST + matches)), 0.0
    with closing(Serial()) as serial, closing(Pool(jobs)) as pool:
        for executor in (serial, pool):  # what is loaded at first
            play(plan, executor, plan.works(fixtures[:FIRST]), Sums())
        for turn in range(TURNS):
            part = fixtures[FIRST + turn * matches // TURNS : FIRST + (turn + 1) * matches // TURNS]
            play(plan, serial, plan.works(part), alone)
            play(plan, pool, plan.works(part), together)
            lonely += apart(plan, part, jobs)
    each, parent = together.all / together.matches, together.parent / together.matches
    print(f"{config.stem} ({', '.join(overrides)}), {jobs} processes")
    print(f"  one match alone               {_ms(alone.all / alone.matches)} ms of CPU, {alone.matches} matches")
    print(f"  one match in the tournament   {_ms(each)} ms, {together.matches} matches")
    print(f"    of it in the parent         {_ms(parent)}")
    told = 0.0
    for name, clock in (
        ("making the work", together.making),
        ("writing", together.writing),
        ("progress", together.showing),
    ):
        told += clock.seconds
        print(f"      {name:<25} {_ms(clock.seconds / together.matches)}")
    print(f"      sending and receiving     {_ms((together.parent - told) / together.matches)}")
    print(f"  efficiency                    {alone.all / alone.matches / each:8.3f}")
    rate = alone.wall / alone.matches / (together.wall / together.matches) / jobs
    print(f"  rate ÷ (alone × processes)    {rate:8.3f}")
    print(f"  the same of processes apart   {alone.wall / lonely / jobs:8.3f}", flush=True)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:8.3f}"


def main(arguments: list[str]) -> None:
    """Print the figures."""
    if arguments:
        measure(Path(arguments[0]), int(arguments[1]) if arguments[1:] else 2_000, [])
        return
    measure(ROOT / "configs" / "tournaments" / "bundled.yaml", 1_200, ["replays=all"])
    measure(ROOT / "tests" / "thirdgame" / "pies.yaml", 20_000, ["blocks=5000", "isolation=none"])


if __name__ == "__main__":
    main(sys.argv[1:])
