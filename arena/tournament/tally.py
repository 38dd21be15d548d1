"""The counts from which standings are computed.

One small sum for each entrant, each seat and each pair that met in each block, all in whole numbers and fractions, so
the order of the records does not affect the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeVar

from arena.errors import UserError
from arena.tournament.measures import MEASURES, Measure, Number, SeatInMatch
from arena.tournament.records import MatchRecord, SeatRecord

Key = TypeVar("Key")


@dataclass(slots=True)
class Sums:
    """The results of one entrant, or of one seat, in one block or in all: the ``totals`` are in the order of a tally's
    terms."""

    totals: list[Number]
    matches: int = 0

    def add(self, other: Sums, terms: Iterable[int]) -> None:
        """Add the counts of ``other``, of its totals only those of these ``terms``."""
        self.matches += other.matches
        for term in terms:
            self.totals[term] += other.totals[term]


@dataclass(slots=True)
class Meeting:
    """Two entrants in one block, seen from the first by name; a better rank gives it 2 ``points``, an equal one 1."""

    matches: int = 0
    points: int = 0
    money: int = 0


@dataclass
class Tally:
    """What has been counted of one edition, or of several ``games`` (by name).

    A term is a sum that measures need; measures of the same number share one. Over several games, the terms of measures
    that are not ``across_games`` stay 0. ``parts`` counts by entrant and by measure's name. ``blocks`` has the sums by
    entrant and block, ``by_seat`` by seat and block, ``meetings`` by pair and block; ``taken`` is how often a seat was
    taken at tables of so many players.
    """

    measures: Sequence[Measure] = MEASURES
    games: tuple[str, ...] = ()
    matches: int = 0
    seats: int = 0
    voids: int = 0
    blocks: dict[str, dict[int, Sums]] = field(default_factory=dict)
    parts: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    by_seat: dict[int, dict[int, Sums]] = field(default_factory=dict)
    taken: Counter[tuple[int, int]] = field(default_factory=Counter)
    meetings: dict[tuple[str, str], dict[int, Meeting]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        terms = dict.fromkeys((each.of, each.across_games) for each in self.measures)
        self.terms = tuple(terms)
        self.term_of = {each.name: self.terms.index((each.of, each.across_games)) for each in self.measures}
        self._counted = tuple(enumerate(of for of, _ in self.terms))
        self._split = tuple((each.name, each.parts) for each in self.measures if each.parts is not None)

    @property
    def has_money(self) -> bool:
        """Whether the crosstable counts money: only if there is one game, and so one unit."""
        return len(self.games) < 2

    def add(self, record: MatchRecord) -> None:
        """Count one match. Raises UserError if earlier matches were of another game."""
        if self.games != (record.game,):
            if self.games:
                games = " and ".join(sorted({*self.games, record.game}))
                raise UserError(f"the edition {record.edition!r} has matches of several games: {games}")
            self.games = (record.game,)
        if record.void:
            self.voids += 1
            return
        self.matches += 1
        self.seats += len(record.seats)
        ranks = tuple([seat.rank for seat in record.seats])
        for number, seat in enumerate(record.seats):
            self._count(SeatInMatch(record, seat, number, ranks))
            self.taken[number, len(ranks)] += 1
        for one, two in combinations(record.seats, 2):
            if one.entrant < two.entrant:
                self._meet(one, two, record.block)
            else:
                self._meet(two, one, record.block)

    def absorb(self, other: Tally) -> None:
        """Add all counts of ``other``, whose games must be among these and whose measures must be the same; blocks of
        the same number become one."""
        self.matches += other.matches
        self.seats += other.seats
        self.voids += other.voids
        terms = [term for term, (_, across) in enumerate(self.terms) if across or len(self.games) < 2]
        for entrant, blocks in other.blocks.items():
            for block, sums in blocks.items():
                self._sums(self.blocks, entrant, block).add(sums, terms)
        for seat, blocks in other.by_seat.items():
            for block, sums in blocks.items():
                self._sums(self.by_seat, seat, block).add(sums, terms)
        self.taken.update(other.taken)
        for key, parts in other.parts.items():
            self.parts.setdefault(key, Counter()).update(parts)
        for pair, by_block in other.meetings.items():
            for block, met in by_block.items():
                self._note(pair, block, met.matches, met.points, met.money if self.has_money else 0)

    def total(self, blocks: Mapping[int, Sums]) -> Sums:
        """The counts of all of these blocks."""
        total = Sums([0] * len(self.terms))
        for sums in blocks.values():
            total.add(sums, range(len(self.terms)))
        return total

    def _count(self, at: SeatInMatch) -> None:
        entrant, block = at.seat.entrant, at.record.block
        own, seat = self._sums(self.blocks, entrant, block), self._sums(self.by_seat, at.number, block)
        own.matches += 1
        seat.matches += 1
        for term, of in self._counted:
            if number := of(at):
                own.totals[term] += number
                seat.totals[term] += number
        for name, parts in self._split:
            for kind, count in parts(at):
                self.parts.setdefault((entrant, name), Counter())[kind] += count

    def _sums(self, table: dict[Key, dict[int, Sums]], key: Key, block: int) -> Sums:
        blocks = table.setdefault(key, {})
        if (sums := blocks.get(block)) is None:
            sums = blocks[block] = Sums([0] * len(self.terms))
        return sums

    def _meet(self, one: SeatRecord, two: SeatRecord, block: int) -> None:
        points = 1 + (one.rank < two.rank) - (one.rank > two.rank)
        self._note((one.entrant, two.entrant), block, 1, points, one.money - two.money)

    def _note(self, pair: tuple[str, str], block: int, matches: int, points: int, money: int) -> None:
        by_block = self.meetings.setdefault(pair, {})
        if (met := by_block.get(block)) is None:
            met = by_block[block] = Meeting()
        met.matches += matches
        met.points += points
        met.money += money
