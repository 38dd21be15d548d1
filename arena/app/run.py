"""Play a tournament, from the file to the standings; go on with one that was broken off."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import perf_counter

import msgspec

from arena.app import folder as files
from arena.app.joblog import joint_log
from arena.app.plan import Plan, make_plan
from arena.errors import UserError
from arena.executors.pool import Pool
from arena.match.work import Done
from arena.tournament.standings import Standings

log = logging.getLogger("arena")


class Outcome(msgspec.Struct):
    """How a run ended: its folder, what is finished of all matches, and the standings (empty when stopped)."""

    folder: Path
    finished: int
    total: int
    standings: tuple[Standings, ...]


class Estimate(msgspec.Struct):
    """What a run would take: matches, matches by edition, processes, seconds; ``seconds_each`` and
    ``faults`` by entrant are of one match played of each edition."""

    matches: int
    by_edition: dict[str, int]
    jobs: int
    seconds: float
    seconds_each: float
    faults: dict[str, int]


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_jobs(wanted: int | None, configured: int | None, oversubscribe: bool) -> int:
    """How many processes to play in: those ``wanted`` on the command line, else those of the file as far as there are
    cores, else all cores. Raises UserError where more are wanted than there are cores, unless told to."""
    if wanted is not None and wanted > cores() and not oversubscribe:
        raise UserError(f"{wanted} jobs on {cores()} cores would only slow each other; say --oversubscribe to insist")
    return wanted or min(configured or cores(), cores())


def estimate(plan: Plan, jobs: int) -> Estimate:
    """Play one match of each edition, keep nothing, and reckon what all would take."""
    sizes = [plan.schedule.block_size(edition) * plan.schedule.blocks for edition in range(len(plan.labels))]
    by_edition = dict(zip(plan.labels, sizes, strict=True))
    first = [plan.schedule[sum(sizes[:edition])] for edition in range(len(sizes))]
    faults: dict[str, int] = {}
    seconds = 0.0
    with closing(Pool(1)) as pool:
        for done in pool.run(plan.work(fixture, "") for fixture in first):
            seconds += done.timing.seconds * by_edition[done.record.edition]
            for seat in done.record.seats:
                if seat.faults:
                    faults[seat.entrant] = faults.get(seat.entrant, 0) + sum(seat.faults.values())
    matches = len(plan.schedule)
    return Estimate(matches, by_edition, jobs, seconds / jobs, seconds / matches, faults)


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
    finished = _finished(plan, folder)
    files.remove_unfinished(folder)
    return _play(plan, folder, jobs, command, finished, progress)


def _finished(plan: Plan, folder: Path) -> set[str]:
    """The ids of the finished matches. Raises UserError for one that stands twice or is none of this run's."""
    known, finished = {fixture.id for fixture in plan.schedule}, set[str]()
    for number, record in enumerate(files.records(folder), 1):
        if record.id in finished or record.id not in known:
            problem = "stands twice" if record.id in finished else "is no match of this run"
            raise UserError(f"{folder / files.MATCHES}:{number}: {record.id} {problem}; remove the line to go on")
        finished.add(record.id)
    return finished


def _play(
    plan: Plan, folder: Path, jobs: int, command: str, finished: set[str], progress: Callable[[Done], None]
) -> Outcome:
    total, count = len(plan.schedule), len(finished)
    began = perf_counter()
    with joint_log(folder / "logs" / "run.log"), files.Writer(folder) as writer:
        pool = Pool(jobs)
        log.info("%s of %s matches to play with %s processes", total - count, total, jobs)
        try:
            for done in pool.run(plan.works(os.path.abspath(folder), finished)):
                writer.add(done)
                count += 1
                progress(done)
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one shall not keep us from saying how to go on
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
    return Outcome(folder, count, total, ())
