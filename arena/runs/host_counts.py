"""On which hosts the matches of a run were played, and with what results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from arena.match.work import Timing
from arena.storage.store import Store
from arena.tournament.records.match_record import MatchRecord

UNKNOWN_HOST = "unknown"
"""The host of matches whose timings are missing, or were written before they named one."""


class HostCount(msgspec.Struct):
    """What a host played: matches, those that are ``void``, their wall time in seconds, and faults by kind."""

    host: str
    matches: int = 0
    void: int = 0
    seconds: float = 0.0
    faults: dict[str, int] = {}


def count_by_host(store: Store) -> list[HostCount]:
    """What each host played of a run, sorted by host."""
    found: dict[str, HostCount] = {}
    for record, timing in with_timings(store.records(), store.timings()):
        host = host_of(timing)
        count = found.setdefault(host, HostCount(host))
        count.matches += 1
        count.void += bool(record.void)
        count.seconds += timing.seconds if timing else 0.0
        for seat in record.seats:
            for kind, number in seat.faults.items():
                count.faults[kind] = count.faults.get(kind, 0) + number
    return [found[host] for host in sorted(found)]


def with_timings(
    records: Iterable[MatchRecord], timings: Iterable[Timing]
) -> Iterator[tuple[MatchRecord, Timing | None]]:
    """Pair each record with its timing. Both are written in nearly the same order, so only a few are held at a time."""
    source, held = iter(timings), dict[str, Timing]()
    for record in records:
        while record.id not in held and (timing := next(source, None)) is not None:
            held[timing.id] = timing
        yield record, held.pop(record.id, None)


def host_of(timing: Timing | None) -> str:
    """The host on which a match was played, according to its timing."""
    return timing.host if timing is not None and timing.host else UNKNOWN_HOST
