"""Play a tournament, from the file to the standings; go on with one that was broken off."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import msgspec
import multiprocessing_logging

from arena.app import folder as files
from arena.app.plan import Plan, make_plan
from arena.errors import UserError
from arena.executors.pool import Pool
from arena.match.work import Done
from arena.tournament.schedule import Fixture
from arena.tournament.standings import Standings

log = logging.getLogger("arena")


class Outcome(msgspec.Struct):
    """How a run ended: its folder, what is finished of all matches, and the standings (empty when stopped)."""

    folder: Path
    finished: int
    total: int
    standings: tuple[Standings, ...]
    stopped: bool = False


class Estimate(msgspec.Struct):
    """What a run would take: matches, matches by edition, processes, seconds; ``seconds_each`` is from one played."""

    matches: int
    by_edition: dict[str, int]
    jobs: int
    seconds: float
    seconds_each: float


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_jobs(wanted: int | None, oversubscribe: bool) -> int:
    """How many processes to play in. Raises UserError for more than there are cores, unless told to."""
    if wanted is not None and wanted > cores() and not oversubscribe:
        raise UserError(f"{wanted} jobs on {cores()} cores would only slow each other; say --oversubscribe to insist")
    return wanted or cores()


def estimate(plan: Plan, jobs: int) -> Estimate:
    """Play one match of each edition, keep nothing, and reckon what all would take."""
    by_edition = dict.fromkeys(plan.labels, 0)
    first: dict[int, Fixture] = {}
    for fixture in plan.schedule:
        by_edition[plan.labels[fixture.edition]] += 1
        first.setdefault(fixture.edition, fixture)
    pool, seconds = Pool(1), 0.0
    try:
        for done in pool.run(plan.work(fixture, "") for fixture in first.values()):
            seconds += done.timing.seconds * by_edition[done.record.edition]
    finally:
        pool.close()
    matches = len(plan.schedule)
    return Estimate(matches, by_edition, jobs, seconds / jobs, seconds / matches)


def start(plan: Plan, folder: Path, jobs: int, command: str, progress: Callable[[Done], None]) -> Outcome:
    """Play a new run into ``folder``."""
    files.begin(folder, plan, command)
    return _play(plan, folder, jobs, command, set(), progress)


def plan_of(folder: Path) -> Plan:
    """The plan of a run that was begun in ``folder``. Raises UserError where there is none, or bots changed."""
    config = folder / files.CONFIG
    if not config.is_file():
        raise UserError(f"{folder} holds no run: {config} is missing")
    plan = make_plan(config)
    files.check_same(folder, plan)
    return plan


def resume(plan: Plan, folder: Path, jobs: int, command: str, progress: Callable[[Done], None]) -> Outcome:
    """Play the matches that a run broken off in ``folder`` is missing, known by their ids."""
    finished = {record.id for record in files.records(folder)}
    files.remove_unfinished(folder)
    return _play(plan, folder, jobs, command, finished, progress)


def _play(
    plan: Plan, folder: Path, jobs: int, command: str, finished: set[str], progress: Callable[[Done], None]
) -> Outcome:
    total, count, stopped = len(plan.schedule), len(finished), False
    began = perf_counter()
    with _logging(folder), files.Writer(folder) as writer:
        pool = Pool(jobs)
        log.info("%s of %s matches to play with %s processes", total - count, total, jobs)
        try:
            for done in pool.run(plan.works(os.path.abspath(folder), finished)):
                writer.add(done)
                count += 1
                progress(done)
        except KeyboardInterrupt:
            stopped = True
        finally:
            for done in pool.close():
                writer.add(done)
                count += 1
        log.info("%s of %s matches are finished, after %.1f s", count, total, perf_counter() - began)
    state = {"state": "stopped" if count < total else "complete", "ended": files.now(), "finished": count}
    files.write_manifest(folder, plan, command, state)
    if count == total:
        files.put_in_order(folder, plan)
        return Outcome(
            folder, count, total, files.write_standings(folder, plan.tournament.name, plan.names, plan.labels)
        )
    return Outcome(folder, count, total, (), stopped)


@contextmanager
def _logging(folder: Path) -> Iterator[None]:
    """Everything that any process logs, in one file."""
    root = logging.getLogger()
    handler = logging.FileHandler(folder / "logs" / "run.log", encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(levelname)s %(name)s: %(message)s"))
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    multiprocessing_logging.install_mp_handler(root)
    try:
        yield
    finally:
        multiprocessing_logging.uninstall_mp_handler(root)
        root.removeHandler(handler)
        root.setLevel(level)
        handler.close()
