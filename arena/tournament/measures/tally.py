"""The counts from which standings are computed.

In each block there is one small, exact sum for each entrant, each seat and each pair that met, so the order of the
records does not affect the result. Records are counted some thousands at a time: each measure gives a column of
numbers, and columns are added up by cell (:mod:`arena.tournament.measures.design_cells`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import TypeVar

import numpy

from arena.errors import UserError
from arena.tournament.measures.design_cells import BLOCK_BITS, CellSums, DesignCells
from arena.tournament.measures.exact_sums import ExactColumn, Numbers
from arena.tournament.measures.measures import Measure, Number, money_of, rank_of
from arena.tournament.measures.same_seat import SameSeat, deal_numbers
from arena.tournament.measures.seat_columns import Of, SeatColumns
from arena.tournament.records.match_record import MatchRecord

Key = TypeVar("Key", bound=Hashable)

TALLY_MATCHES = 1024
"""The number of matches that is fastest to count together."""
ENTRANT_BITS = 16
"""Bits of an entrant's number; a pair's number holds those of two entrants."""


class Numbering(dict[Key, int]):
    """Numbers keys from 0, in the order in which they are first asked for."""

    def __missing__(self, key: Key) -> int:
        self[key] = number = len(self)
        return number


class Numberings:
    """The numbers of ``entrants`` (by name) and of ``blocks``, shared by all tallies that may be added up."""

    def __init__(self) -> None:
        self.entrants, self.blocks = Numbering[str](), Numbering[int]()

    def check(self) -> None:
        """Raise UserError if there are more entrants or blocks than numbers for them."""
        if len(self.entrants) >= 1 << ENTRANT_BITS or len(self.blocks) >= 1 << BLOCK_BITS:
            raise UserError(
                f"expected fewer than {1 << ENTRANT_BITS:,} entrants and {1 << BLOCK_BITS:,} blocks, "
                f"got {len(self.entrants):,} and {len(self.blocks):,}"
            )


class Tally:
    """What has been counted of one edition, or of several ``games`` (by name).

    A term is a seat's number as a measure's ``of`` gives it; measures with the same ``of`` share a term. For measures
    with an interval the tally has the term's sums by block, of each entrant and each seat, and for each entrant the
    sums of its squares; for the others it has only the entrants' sums. Terms that are compared by seat and deal
    (``same_seat``) are separate, because not all matches have them. Over several games, measures that are not
    ``across_games`` have no value. ``parts`` has counts by entrant and measure's name, ``tables`` the number of matches
    by number of players.
    """

    def __init__(self, measures: Sequence[Measure], numberings: Numberings, games: tuple[str, ...] = ()) -> None:
        self.measures, self.numberings, self.games = tuple(measures), numberings, games
        self.matches = self.voids = 0
        self.tables = Counter[int]()
        self.parts: dict[tuple[str, str], Counter[str]] = {}
        self._by_block = tuple(dict.fromkeys(each.of for each in measures if each.by_seat))
        self._compared = {each.of: SameSeat() for each in measures if each.same_seat}
        self._of_compared: dict[Of, DesignCells] = {}
        summed = dict.fromkeys(each.of for each in measures if not each.interval)
        self._sums = tuple(of for of in summed if of not in self._by_block)
        self._split = tuple((each.name, each.parts) for each in measures if each.parts is not None)
        self._of_entrants, self._of_seats = DesignCells(2 * len(self._by_block)), DesignCells(len(self._by_block))
        self._in_all, self._meetings = DesignCells(len(self._sums)), DesignCells(2)

    @property
    def has_money(self) -> bool:
        """Whether the crosstable counts money: only if there is one game, and so one unit."""
        return len(self.games) < 2

    @property
    def seats(self) -> int:
        """The number of seats taken, over all matches."""
        return sum(players * matches for players, matches in self.tables.items())

    @property
    def blocks(self) -> int:
        """How many blocks have a match that counts."""
        return self._of_seats.blocks()

    def add(self, records: Sequence[MatchRecord]) -> None:
        """Count some matches of one edition. Raises UserError if they are not all of one game, that of the records
        before."""
        games = {*self.games, *(record.game for record in records)}
        if len(games) > 1:
            told = " and ".join(sorted(games))
            raise UserError(f"the edition {records[0].edition!r} has matches of several games: {told}")
        self.games = tuple(games)
        counted = [record for record in records if not record.void]
        self.voids += len(records) - len(counted)
        self.matches += len(counted)
        if not counted:
            return
        columns = SeatColumns(counted)
        self.tables.update(columns.sizes.tolist())
        numbers = self.numberings
        blocks = numpy.array([numbers.blocks[record.block] for record in counted], dtype=numpy.int64)
        entrants = numpy.array([numbers.entrants[seat.entrant] for seat in columns.seats], dtype=numpy.int64)
        numbers.check()
        by_seat = numpy.repeat(blocks, columns.sizes)
        self._count(columns, entrants, by_seat)
        for of, compared in self._compared.items():
            compared.add(deal_numbers(counted), blocks, columns.sizes, entrants, columns.column(of))
        self._meet(columns, entrants, by_seat)

    def absorb(self, other: Tally) -> None:
        """Add all counts of ``other``, the tally of another edition. Its games must be among these, and its measures
        and numberings the same. Blocks with the same number become one."""
        self.matches += other.matches
        self.voids += other.voids
        self.tables.update(other.tables)
        for key, parts in other.parts.items():
            self.parts.setdefault(key, Counter()).update(parts)
        self._of_entrants.absorb(other._of_entrants)
        self._of_seats.absorb(other._of_seats)
        self._in_all.absorb(other._in_all)
        self._meetings.absorb(other._meetings)
        for of in self._compared:
            self._comparisons(of).absorb(other._comparisons(of))

    def taken_seats(self) -> list[int]:
        """The numbers of the seats that were taken, in order."""
        return self._of_seats.groups()

    def of_seat(self, seat: int) -> CellSums:
        """The sums of a seat by block, with a column for each term; :meth:`column` gives the column of a measure."""
        return self._of_seats.group_cells(seat)

    def of_entrant(self, name: str) -> CellSums:
        """The sums of an entrant by block: the columns of :meth:`of_seat`, then those of the squares."""
        return self._of_entrants.group_cells(self._number(name))

    def column(self, measure: Measure) -> int:
        """The index of a measure's column in the sums by block; the measure must be one that seats have."""
        return self._by_block.index(measure.of)

    def results(self, name: str, measure: Measure) -> CellSums:
        """An entrant's sums by block for a measure with an interval, over the matches that have the measure: a column
        of its numbers, and one of their squares."""
        if measure.same_seat:
            return self._comparisons(measure.of).group_cells(self._number(name))
        sums, column = self.of_entrant(name), self.column(measure)
        return sums._replace(columns=(sums.columns[column], sums.columns[len(self._by_block) + column]))

    def total(self, name: str, measure: Measure) -> Number:
        """The sum of a measure's numbers over all matches of an entrant."""
        if measure.same_seat:
            return self.results(name, measure).columns[0].total()
        if measure.of in self._by_block:
            return self.of_entrant(name).columns[self.column(measure)].total()
        return self._in_all.group_cells(self._number(name)).columns[self._sums.index(measure.of)].total()

    def meetings(self, one: str, two: str) -> CellSums:
        """The matches in which both entrants sat, by block: in how many the first ranked better (an equal rank counts
        half), and how much more money it had in total."""
        first, second = self._number(one), self._number(two)
        met = self._meetings.group_cells(min(first, second) << ENTRANT_BITS | max(first, second))
        if first <= second:
            return met
        points, money = met.columns
        mirrored = (
            points._replace(numerators=points.denominator * met.matches - points.numerators),
            money._replace(numerators=-money.numerators),
        )
        return met._replace(columns=mirrored)

    def _number(self, name: str) -> int:
        """The number of an entrant; for one that has not played, a number that nobody has."""
        return self.numberings.entrants.get(name, (1 << ENTRANT_BITS) - 1)

    def _comparisons(self, of: Of) -> DesignCells:
        """The matchpoints of a term, computed on first use; no record may be added afterwards."""
        if of not in self._of_compared:
            self._of_compared[of] = self._compared[of].cells()
        return self._of_compared[of]

    def _count(self, seats: SeatColumns, entrants: Numbers, blocks: Numbers) -> None:
        """Count the results of every seat."""
        columns = [seats.column(of) for of in self._by_block]
        self._of_entrants.add(entrants, blocks, [*columns, *(column.square() for column in columns)])
        self._of_seats.add(seats.numbers, blocks, columns)
        self._in_all.add(entrants, numpy.zeros_like(blocks), [seats.column(of) for of in self._sums])
        for name, parts in self._split:
            for entrant, kind, count in seats.measure_parts(parts):
                self.parts.setdefault((entrant, name), Counter())[kind] += count

    def _meet(self, seats: SeatColumns, entrants: Numbers, blocks: Numbers) -> None:
        """Count the meetings of each pair, as seen by the entrant with the lower number. ``entrants`` and ``blocks``
        have a row for each seat."""
        ranks, money = seats.column(rank_of), seats.column(money_of)
        one, two = _pairs_of_rows(seats.sizes)
        swapped = entrants[one] > entrants[two]
        first, second = numpy.where(swapped, two, one), numpy.where(swapped, one, two)
        rank, other = ranks.numerators[first], ranks.numerators[second]
        points = 1 + (rank < other).astype(numpy.int64) - (rank > other).astype(numpy.int64)
        more = money.numerators[first] - money.numerators[second]
        columns = (ExactColumn(points, 2, 2 * len(points)), ExactColumn(more, 1, len(more) * 2 * money.bound))
        self._meetings.add(entrants[first] << ENTRANT_BITS | entrants[second], blocks[first], columns)


def _pairs_of_rows(sizes: Numbers) -> tuple[Numbers, Numbers]:
    """The pairs of seats that sat together, as two arrays of rows; the rows are the seats of tables of these
    ``sizes``."""
    ones, twos = [], []
    firsts = numpy.cumsum(sizes) - sizes
    for players in numpy.unique(sizes).tolist():
        at = firsts[sizes == players]
        for one, two in combinations(range(players), 2):
            ones.append(at + one)
            twos.append(at + two)
    return numpy.concatenate(ones), numpy.concatenate(twos)
