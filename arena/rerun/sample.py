"""Which matches of a run an audit plays again.

First some are drawn at random from all, so that what comes of them tells of the rest. Then some are added, so that
every entrant and every host has a few; these tell of nothing but themselves. Which ones that is follows from a seed.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil

from arena.errors import UserError
from arena.penalties import FaultKind
from arena.tournament.records.match_record import MatchRecord

TIME_FAULTS = frozenset(kind for kind in FaultKind if kind.timed)
"""Faults that depend on how fast a machine is: a match with one may come out otherwise anywhere."""
LEAST_SAMPLE = 3
"""Matches that every entrant and every host shall have, as far as there are as many."""


def has_faults_of_time(record: MatchRecord) -> bool:
    """Whether a fault in it depends on how fast a machine is."""
    return any(TIME_FAULTS.intersection(seat.faults) for seat in record.seats)


@dataclass(frozen=True)
class SampleSize:
    """How many matches are wanted: a ``share`` of all, or a ``number``."""

    share: float = 0.0
    number: int = 0

    def of(self, matches: int) -> int:
        """How many that is of so many."""
        return min(matches, ceil(self.share * matches) if self.share else self.number)


@dataclass(frozen=True)
class SampleOptions:
    """Which matches are played again: as many as the ``sample`` says, drawn by the ``seed`` ("": by the root digest),
    and so many more that every entrant and every host has ``each``."""

    sample: SampleSize
    each: int = LEAST_SAMPLE
    seed: str = ""


def read_wanted(text: str) -> SampleSize:
    """What ``5%`` or ``200`` means. Raises UserError."""
    number, percent, rest = text.strip().partition("%")
    try:
        if percent and not rest and 0 < float(number) <= 100:
            return SampleSize(share=float(number) / 100)
        if not percent and int(number) > 0:
            return SampleSize(number=int(number))
    except ValueError:
        pass
    raise UserError(f"expected a share such as 5%, or a number of matches such as 200, got {text!r}")


@dataclass
class AuditSample:
    """Matches by their places in ``matches.jsonl``, from 0: those ``drawn`` at random from the ``eligible``, and those
    ``added`` to them. ``matches`` counts all, ``timely`` those with faults of time, which are not eligible; matches of
    entrants without a bot are not either. ``entrants`` and ``hosts`` have the number of matches of each."""

    matches: int = 0
    eligible: int = 0
    timely: int = 0
    drawn: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()
    entrants: dict[str, int] = field(default_factory=dict)
    hosts: dict[str, int] = field(default_factory=dict)

    @property
    def chosen(self) -> frozenset[int]:
        """All that are played again."""
        return self.drawn | self.added


def draw_sample(
    matches: Iterable[tuple[MatchRecord, str]],
    seed: str,
    wanted: SampleSize,
    each: int = LEAST_SAMPLE,
    absent: Container[str] = (),
) -> AuditSample:
    """Draw a sample of ``matches``, each with its host; ``each`` is how many every entrant and host shall have, as far
    as it has as many; of ``absent`` entrants no match is chosen. Of each match 16 bytes are held."""
    sample, ranks, places = AuditSample(), array("Q"), array("Q")
    fewest: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place, (record, host) in enumerate(matches):
        names = dict.fromkeys(seat.entrant for seat in record.seats)
        sample.matches += 1
        sample.hosts[host] = sample.hosts.get(host, 0) + 1
        for name in names:
            sample.entrants[name] = sample.entrants.get(name, 0) + 1
        if has_faults_of_time(record):
            sample.timely += 1
        elif not any(name in absent for name in names):
            rank = _draw_rank(seed, record.id)
            ranks.append(rank)
            places.append(place)
            for stratum in (*(("entrant", name) for name in names), ("host", host)):
                _keep_lowest(fewest.setdefault(stratum, []), rank, place, each)
    sample.eligible = len(ranks)
    lowest = heapq.nsmallest(wanted.of(len(ranks)), zip(ranks, places, strict=True))
    sample.drawn = frozenset(place for _, place in lowest)
    needed = frozenset(-place for held in fewest.values() for _, place in held)
    sample.added = needed - sample.drawn
    return sample


def _draw_rank(seed: str, id: str) -> int:
    """A number that nobody can choose: matches are drawn in its order."""
    return int.from_bytes(sha256(f"{seed}\n{id}".encode()).digest()[:8])


def _keep_lowest(held: list[tuple[int, int]], rank: int, place: int, most: int) -> None:
    """Keep the matches of the lowest ranks, ``most`` of them; a heap has the highest in front if all are negative."""
    heapq.heappush(held, (-rank, -place))
    if len(held) > most:
        heapq.heappop(held)
