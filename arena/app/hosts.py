"""On which machines the matches of a run were played, and whether they come out the same here.

No match is ever left out for what is found: a host that differs is named, with the first decision that does.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.app.opening import open_run
from arena.app.plan import Plan
from arena.app.replays import Difference, first_difference
from arena.app.store import Store
from arena.errors import UserError
from arena.executors.executor import Executor, play_each
from arena.match.work import Timing
from arena.players.faults import FaultKind
from arena.tournament.records import MatchRecord

UNKNOWN = "unknown"
"""The host of matches whose timings are missing, or were written before they named one."""
TIMELY = frozenset({FaultKind.LATE, FaultKind.OVERTIME})
"""Faults that depend on how fast a machine is: a match with one may come out otherwise anywhere."""


class HostCount(msgspec.Struct):
    """What a host played: matches, those that are ``void``, their wall time in seconds, and faults by kind."""

    host: str
    matches: int = 0
    void: int = 0
    seconds: float = 0.0
    faults: dict[str, int] = {}


class Rerun(msgspec.Struct):
    """A match that came out otherwise here: where it parts, None where its replay was not kept."""

    id: str
    difference: Difference | None


class HostChecked(msgspec.Struct):
    """What came of a host's matches when they were played again here: how many it had, how many of these were
    ``played`` again, those that ``differ``, and how many have ``timely`` faults and were not chosen for that."""

    host: str
    matches: int
    played: int
    differ: list[Rerun] = []
    timely: int = 0


def count_by_host(store: Store) -> list[HostCount]:
    """What each host played of a run, by name."""
    found: dict[str, HostCount] = {}
    for record, timing in _paired(store.records(), store.timings()):
        host = _host(timing)
        count = found.setdefault(host, HostCount(host))
        count.matches += 1
        count.void += bool(record.void)
        count.seconds += timing.seconds if timing else 0.0
        for seat in record.seats:
            for kind, number in seat.faults.items():
                count.faults[kind] = count.faults.get(kind, 0) + number
    return [found[host] for host in sorted(found)]


def _paired(records: Iterable[MatchRecord], timings: Iterable[Timing]) -> Iterator[tuple[MatchRecord, Timing | None]]:
    """Each record with its timing. Both are written in the same order, so that few are held at a time."""
    source, held = iter(timings), dict[str, Timing]()
    for record in records:
        while record.id not in held and (timing := next(source, None)) is not None:
            held[timing.id] = timing
        yield record, held.pop(record.id, None)


def _host(timing: Timing | None) -> str:
    return timing.host if timing is not None and timing.host else UNKNOWN


def check_hosts(folder: Path, sample: int, executor: Executor) -> Iterator[HostChecked]:
    """Play a ``sample`` of each host's matches again, with the run's bots, under its isolation: which matches these are
    does not change from one call to the next. Raises UserError where the run's bots, rules or isolation are not here,
    or it has no finished matches."""
    plan, store = open_run(folder)
    plan.schedule.learn(store.records())
    chosen: dict[str, list[tuple[int, MatchRecord]]] = {}
    checked: dict[str, HostChecked] = {}
    for record, timing in _paired(store.records(), store.timings()):
        host = _host(timing)
        found = checked.setdefault(host, HostChecked(host, 0, 0))
        found.matches += 1
        if any(TIMELY.intersection(seat.faults) for seat in record.seats):
            found.timely += 1
            continue
        heap, rank = chosen.setdefault(host, []), -int(sha256(record.id.encode()).hexdigest(), 16)
        heapq.heappush(heap, (rank, record))
        if len(heap) > sample:
            heapq.heappop(heap)
    if not checked:
        raise UserError(f"{folder} has no finished matches to play again")
    for host, found in sorted(checked.items()):
        records = [record for _, record in sorted(chosen.get(host, []), key=lambda pair: pair[1].id)]
        found.played = len(records)
        found.differ = list(_differing(plan, store, records, executor))
        yield found


def _differing(plan: Plan, store: Store, records: list[MatchRecord], executor: Executor) -> Iterator[Rerun]:
    """Those of the matches that come out otherwise here."""
    works = []
    for record in records:
        fixture = plan.schedule.find(record.id)
        if fixture is None:
            raise UserError(f"{record.id} is no match of this run's schedule; see: arena verify")
        works.append(msgspec.structs.replace(plan.work(fixture), replays="all"))
    for record, done in zip(records, play_each(executor, works), strict=True):
        then, now = store.replay(record.id), done.replay
        if done.record.sha256 == record.sha256 and (then is None or then == now):
            continue
        yield Rerun(record.id, None if then is None or now is None else first_difference(then, now))
