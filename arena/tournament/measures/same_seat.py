"""Matchpoints: how a result compares with those of all others who held the same seat in the same deal.

In a block the matches of one edition with the same seed have the same deal. Whoever held a seat there is compared with
everybody else who did: a result scores 1 against a lower one and 1/2 against an equal one, divided by their number, as
in duplicate bridge (World Bridge Federation, Laws of Duplicate Bridge, 2017, law 78A). Other matches in which the same
entrant held that seat do not count as comparisons: nobody is better or worse than itself. Where nobody else held the
seat in that deal, there is nothing to compare, and the match has no matchpoints.

Records come in any order, so only at the end is a deal known to be complete. Until then each match takes some 30 bytes
of memory, and while matchpoints are computed some 50.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy

from arena.tournament.measures.design_cells import DesignCells
from arena.tournament.measures.exact_sums import ExactColumn, Numbers, join_columns
from arena.tournament.records.match_record import MatchRecord

MATCHPOINT_UNIT = 2 * 12_252_240
"""Matchpoints are stored as whole multiples of 1 ÷ this number, twice the least common multiple of 1…18. So up to 18
comparisons are exact; with more, matchpoints are rounded, by at most 2 in a hundred million. The sum of many still fits
in a word."""
SLICE_MATCHES = 1 << 13
"""The number of matches compared at a time; more if a deal has more."""


class _Rows(NamedTuple):
    """Seats of matches, a row each: the deal, the seat's number, its entrant, the block, and the number to compare."""

    deals: Numbers
    seats: Numbers
    entrants: Numbers
    blocks: Numbers
    numbers: Numbers


class SameSeat:
    """Collects the results of one edition, and computes their matchpoints at the end."""

    def __init__(self) -> None:
        self._matches: list[tuple[Numbers, Numbers, Numbers]] = []
        self._entrants: list[Numbers] = []
        self._numbers: list[ExactColumn] = []

    def add(self, deals: Numbers, blocks: Numbers, sizes: Numbers, entrants: Numbers, numbers: ExactColumn) -> None:
        """Add matches: the deal (:func:`deal_numbers`), block and number of seats (``sizes``) of each match; and the
        entrant and number of each seat, match after match. A higher number is better."""
        self._matches.append((deals, _narrow_numbers(blocks), _narrow_numbers(sizes)))
        self._entrants.append(_narrow_numbers(entrants))
        self._numbers.append(numbers._replace(numerators=_narrow_numbers(numbers.numerators)))

    def cells(self) -> DesignCells:
        """The matchpoints and their squares by entrant and block, of the matches that have a comparison. Discards all
        collected results."""
        found = DesignCells(2)
        for rows in self._rows():
            points, compared = _matchpoints(rows)
            if not compared.any():
                continue
            squares = (points * points + MATCHPOINT_UNIT // 2) // MATCHPOINT_UNIT
            columns = [
                ExactColumn(each[compared], MATCHPOINT_UNIT, MATCHPOINT_UNIT * len(points))
                for each in (points, squares)
            ]
            found.add(rows.entrants[compared].astype(numpy.int64), rows.blocks[compared].astype(numpy.int64), columns)
        return found

    def _rows(self) -> Iterator[_Rows]:
        """The rows of all seats in portions, each with all seats of its deals. Discards all collected results."""
        if not self._matches:
            return
        deals, blocks, sizes = (numpy.concatenate(column) for column in zip(*self._matches, strict=True))
        entrants, numbers = numpy.concatenate(self._entrants), _comparable_numbers(self._numbers)
        self._matches, self._entrants, self._numbers = [], [], []
        firsts = numpy.cumsum(sizes, dtype=numpy.int64) - sizes
        order = numpy.argsort(deals, kind="stable")
        begin = 0
        while begin < len(order):
            last = deals[order[min(begin + SLICE_MATCHES, len(order)) - 1]]
            end = int(numpy.searchsorted(deals, last, side="right", sorter=order))
            at = order[begin:end]
            taken = sizes[at].astype(numpy.int64)
            seats = numpy.arange(taken.sum()) - numpy.repeat(numpy.cumsum(taken) - taken, taken)
            rows = numpy.repeat(firsts[at], taken) + seats
            by_match = numpy.repeat(at, taken)
            yield _Rows(deals[by_match], seats, entrants[rows], blocks[by_match], numbers[rows])
            begin = end


def deal_numbers(records: Sequence[MatchRecord]) -> Numbers:
    """A 64-bit number for the deal of each match, equal for matches with the same block and seed."""
    known = _Deals()
    return numpy.array([known[record.block, record.seed] for record in records], dtype=numpy.int64)


class _Deals(dict[tuple[int, str], int]):
    """The number of each deal by block and seed, computed on first use."""

    def __missing__(self, key: tuple[int, str]) -> int:
        block, seed = key
        digest = blake2b(f"{block} {seed}".encode(), digest_size=8).digest()
        self[key] = number = int.from_bytes(digest, signed=True)
        return number


def _matchpoints(rows: _Rows) -> tuple[Numbers, Numbers]:
    """For each row its matchpoints, in :data:`MATCHPOINT_UNIT` parts, and whether it has anything to be compared
    with."""
    deals = numpy.unique(rows.deals, return_inverse=True)[1].astype(numpy.int64)
    held = deals << 8 | rows.seats
    less, equal, size = _compare_numbers(held, rows.numbers)
    by_entrant = held << 16 | rows.entrants
    if len(numpy.unique(by_entrant)) == len(by_entrant):
        others, halves = size - 1, 2 * less + equal - 1
    else:
        own_less, own_equal, own_size = _compare_numbers(by_entrant, rows.numbers)
        others, halves = size - own_size, 2 * (less - own_less) + equal - own_equal
    compared = others > 0
    points = (halves * MATCHPOINT_UNIT + others) // numpy.where(compared, 2 * others, 1)
    return points, compared


def _compare_numbers(groups: Numbers, numbers: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """For each row, how many rows of its group have a lower number, how many an equal one (itself included), and how
    many rows the group has."""
    order = numpy.lexsort((numbers, groups))
    by_group, by_number = groups[order], numbers[order]
    new_group = numpy.concatenate(([True], by_group[1:] != by_group[:-1]))
    new_number = new_group | numpy.concatenate(([True], by_number[1:] != by_number[:-1]))
    first, size = _row_runs(new_group)
    run, equal = _row_runs(new_number)
    found = numpy.empty((3, len(order)), dtype=numpy.int64)
    found[:, order] = run - first, equal, size
    return found[0], found[1], found[2]


def _row_runs(begins: Numbers) -> tuple[Numbers, Numbers]:
    """For each row, the start and the length of its run; ``begins`` marks the rows that begin a run."""
    starts = numpy.flatnonzero(begins)
    lengths = numpy.diff(starts, append=len(begins))
    return numpy.repeat(starts, lengths), numpy.repeat(lengths, lengths)


def _comparable_numbers(columns: Sequence[ExactColumn]) -> Numbers:
    """All numbers of these columns, or substitutes that compare in the same way."""
    if all(column.denominator == 1 and column.numerators.dtype != object for column in columns):
        return numpy.concatenate([column.numerators for column in columns])
    wide = [column._replace(numerators=_widen_numbers(column.numerators)) for column in columns]
    return numpy.unique(join_columns(wide).numerators, return_inverse=True)[1].astype(numpy.int64)


def _widen_numbers(numbers: Numbers) -> Numbers:
    """The same numbers as int64, unless they are Python ints."""
    return numbers if numbers.dtype == object else numbers.astype(numpy.int64)


def _narrow_numbers(numbers: Numbers) -> Numbers:
    """The same numbers in the smallest integer type that holds them, unless they are Python ints."""
    if numbers.dtype == object or not len(numbers):
        return numbers
    low, high = int(numbers.min()), int(numbers.max())
    for kind in (numpy.uint8, numpy.int16, numpy.uint16, numpy.int32):
        bounds = numpy.iinfo(kind)
        if bounds.min <= low and high <= bounds.max:
            return numbers.astype(kind)
    return numbers
