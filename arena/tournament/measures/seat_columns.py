"""The seats of some matches as columns of numbers, one for each measure.

Each measure has a function for the number of one seat (:attr:`arena.tournament.measures.measures.Measure.of`). For the
standard measures this module computes the same numbers for all seats at once, in a tenth of the time; tests compare the
two. Measures made for one tournament are computed seat by seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import lcm

import numpy

from arena.penalties import SeatEnd
from arena.tournament.measures.exact_sums import ExactColumn, Numbers, exact_column, whole_column
from arena.tournament.measures.measures import (
    Number,
    SeatInMatch,
    beaten_of,
    fault_total,
    forfeits_of,
    kinds_of_faults,
    money_of,
    rank_of,
    struck_out_of,
    wins_of,
)
from arena.tournament.records.match_record import MatchRecord

Of = Callable[[SeatInMatch], Number]
Parts = Callable[[SeatInMatch], Iterable[tuple[str, int]]]


class SeatColumns:
    """All seats of the ``records``, match by match. All records are of one edition, and there is at least one."""

    def __init__(self, records: Sequence[MatchRecord]) -> None:
        self.records = records
        self.seats = [seat for record in records for seat in record.seats]
        self.sizes = numpy.array([len(record.seats) for record in records])
        self.firsts: Numbers = numpy.cumsum(self.sizes) - self.sizes
        self._made: dict[Of, ExactColumn] = {}

    @property
    def numbers(self) -> Numbers:
        """The number of each seat in its match, from 0."""
        found: Numbers = numpy.arange(len(self.seats)) - numpy.repeat(self.firsts, self.sizes)
        return found

    @cached_property
    def measured_seats(self) -> list[SeatInMatch]:
        """Every seat as a measure sees it."""
        found = []
        for record in self.records:
            ranks = tuple([seat.rank for seat in record.seats])
            found += [SeatInMatch(record, seat, number, ranks) for number, seat in enumerate(record.seats)]
        return found

    def column(self, of: Of) -> ExactColumn:
        """The numbers of a measure, seat by seat."""
        if of not in self._made:
            together = _COLUMN_MAKERS.get(of)
            self._made[of] = (
                exact_column([of(at) for at in self.measured_seats]) if together is None else together(self)
            )
        return self._made[of]

    def measure_parts(self, parts: Parts) -> Iterator[tuple[str, str, int]]:
        """The parts into which a measure splits each seat's number, as (entrant, kind, number)."""
        if parts is kinds_of_faults:
            yield from ((seat.entrant, *each) for seat in self.seats if seat.faults for each in seat.faults.items())
            return
        for at in self.measured_seats:
            for kind, count in parts(at):
                yield at.seat.entrant, kind, count


def _money_column(columns: SeatColumns) -> ExactColumn:
    return exact_column([seat.money for seat in columns.seats])


def _ranks_column(columns: SeatColumns) -> ExactColumn:
    return exact_column([seat.rank for seat in columns.seats])


def _faults_column(columns: SeatColumns) -> ExactColumn:
    return exact_column([sum(seat.faults.values()) if seat.faults else 0 for seat in columns.seats])


def _ended_column(columns: SeatColumns, end: SeatEnd) -> ExactColumn:
    return exact_column([seat.ended == end for seat in columns.seats])


def _wins_column(columns: SeatColumns) -> ExactColumn:
    """1 for a single first rank; if n share it, 1/n each."""
    first = columns.column(rank_of).numerators == 1
    sharers = numpy.maximum(numpy.add.reduceat(first.astype(numpy.int64), columns.firsts), 1)
    denominator = lcm(*numpy.unique(sharers).tolist())
    return whole_column(first * numpy.repeat(denominator // sharers, columns.sizes), denominator)


def _beaten_column(columns: SeatColumns) -> ExactColumn:
    """For each seat, the sum of 2 for each opponent who ranks worse and 1 for each of equal rank, divided by twice the
    number of opponents."""
    ranks = columns.column(rank_of).numerators
    sizes = numpy.unique(columns.sizes).tolist()
    denominator = lcm(*(2 * (players - 1) for players in sizes))
    found = numpy.zeros(len(ranks), dtype=numpy.int64)
    for players in sizes:
        rows = columns.firsts[columns.sizes == players][:, None] + numpy.arange(players)
        own = ranks[rows]
        halves = numpy.full(own.shape, -1)  # everybody ranks as itself does
        for seat in range(players):
            other = own[:, seat : seat + 1]
            halves += 2 * (own < other) + (own == other)
        found[rows] = halves * (denominator // (2 * (players - 1)))
    return whole_column(found, denominator)


_COLUMN_MAKERS: dict[Of, Callable[[SeatColumns], ExactColumn]] = {
    money_of: _money_column,
    rank_of: _ranks_column,
    wins_of: _wins_column,
    beaten_of: _beaten_column,
    fault_total: _faults_column,
    struck_out_of: lambda columns: _ended_column(columns, SeatEnd.STRUCK_OUT),
    forfeits_of: lambda columns: _ended_column(columns, SeatEnd.FORFEIT),
}
