"""Selects the matches of a run that an audit plays again.

It first draws matches at random from all, so that their results say something about the rest. Then it adds matches
until every entrant and every host has a few; these say nothing about the rest. A seed determines the selection.
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
"""Faults that depend on the speed of a machine: a match with such a fault may come out otherwise on any machine."""
LEAST_SAMPLE = 3
"""Matches in the sample for every entrant and every host, if it has that many."""


def has_faults_of_time(record: MatchRecord) -> bool:
    """Whether the match has a fault that depends on the speed of a machine."""
    return any(TIME_FAULTS.intersection(seat.faults) for seat in record.seats)


@dataclass(frozen=True)
class SampleSize:
    """How many matches are wanted: a ``share`` of all, or a ``number``."""

    share: float = 0.0
    number: int = 0

    def count_sample(self, matches: int) -> int:
        """The size of the sample from ``matches`` matches."""
        return min(matches, ceil(self.share * matches) if self.share else self.number)


@dataclass(frozen=True)
class SampleOptions:
    """Which matches an audit plays again: as many as ``sample`` says, drawn by the ``seed`` (empty: by the root
    digest), and more until every entrant and every host has ``each`` matches."""

    sample: SampleSize
    each: int = LEAST_SAMPLE
    seed: str = ""


def read_wanted(text: str) -> SampleSize:
    """Read a sample size such as ``5%`` or ``200``. Raises UserError for any other text."""
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
    """A sample of matches, given by their line numbers in ``matches.jsonl``, from 0: those ``drawn`` at random, and
    those ``added`` for entrants and hosts. ``matches`` counts all matches, ``eligible`` those that could be drawn. Not
    eligible are matches with faults of time (``timely``) and those of entrants without a bot. ``entrants`` and
    ``hosts`` have the number of all matches of each."""

    matches: int = 0
    eligible: int = 0
    timely: int = 0
    drawn: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()
    entrants: dict[str, int] = field(default_factory=dict)
    hosts: dict[str, int] = field(default_factory=dict)

    @property
    def match_ids(self) -> frozenset[int]:
        """All matches to be played again."""
        return self.drawn | self.added


def draw_sample(
    matches: Iterable[tuple[MatchRecord, str]],
    seed: str,
    wanted: SampleSize,
    each: int = LEAST_SAMPLE,
    absent: Container[str] = (),
) -> AuditSample:
    """Draw a sample of ``matches``, each given with its host. Every entrant and host gets at least ``each`` matches, if
    it has that many; matches of ``absent`` entrants are never chosen. Holds 16 bytes in memory for each match."""
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
    lowest = heapq.nsmallest(wanted.count_sample(len(ranks)), zip(ranks, places, strict=True))
    sample.drawn = frozenset(place for _, place in lowest)
    needed = frozenset(-place for held in fewest.values() for _, place in held)
    sample.added = needed - sample.drawn
    return sample


def _draw_rank(seed: str, id: str) -> int:
    """A rank that nobody can choose: the matches of the lowest ranks are drawn."""
    return int.from_bytes(sha256(f"{seed}\n{id}".encode()).digest()[:8])


def _keep_lowest(held: list[tuple[int, int]], rank: int, place: int, most: int) -> None:
    """Keep the ``most`` matches of the lowest ranks in the heap ``held``. It stores negative ranks, so the highest rank
    comes out first."""
    heapq.heappush(held, (-rank, -place))
    if len(held) > most:
        heapq.heappop(held)
