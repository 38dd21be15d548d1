"""Matchpoints: how a result compares with those of all others who held the same seat in the same deal.

In a block the matches of one edition with the same seed have the same deal. Whoever held a seat there is compared with
everybody else who did: a result scores 1 against a lower one and 1/2 against an equal one, divided by their number, as
in duplicate bridge (World Bridge Federation, Laws of Duplicate Bridge, 2017, law 78A). Other matches in which the same
entrant held that seat do not count as comparisons: nobody is better or worse than itself. Where nobody else held the
seat in that deal, there is nothing to compare, and the match has no matchpoints.

Records come in any order, so that a deal is known to be complete only at the end. Until then a match takes some 30
bytes, and then for a moment some 50.
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
"""Matchpoints are whole multiples of 1 ÷ this: of twice the least common multiple of 1…18, so that up to 18 comparisons
are exact. With more they are rounded to it, at most 2 in a hundred million away. Many of them still fit in a word."""
SLICE_MATCHES = 1 << 13
"""Matches that are compared at a time, or as many as have one deal."""


class _Rows(NamedTuple):
    """Seats of matches, by row: in which deal, which seat, who held it, in which block, and what is compared."""

    deals: Numbers
    seats: Numbers
    entrants: Numbers
    blocks: Numbers
    numbers: Numbers


class SameSeat:
    """Collects the results of one edition, of which matchpoints are made at the end."""

    def __init__(self) -> None:
        self._matches: list[tuple[Numbers, Numbers, Numbers]] = []
        self._entrants: list[Numbers] = []
        self._numbers: list[ExactColumn] = []

    def add(self, deals: Numbers, blocks: Numbers, sizes: Numbers, entrants: Numbers, numbers: ExactColumn) -> None:
        """Add matches, each of a deal (:func:`deal_numbers`), a block and so many seats; and for each seat of these in
        their order the entrant and its number, the more the better."""
        self._matches.append((deals, _narrow_numbers(blocks), _narrow_numbers(sizes)))
        self._entrants.append(_narrow_numbers(entrants))
        self._numbers.append(numbers._replace(numerators=_narrow_numbers(numbers.numerators)))

    def cells(self) -> DesignCells:
        """The matchpoints by entrant and block, and their squares; only matches with a comparison are in it. All that
        was collected is given up."""
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
        """All seats, those of a deal together."""
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
    """A number for the deal of each match: equal for the same block and seed, of 64 bits otherwise."""
    known = _Deals()
    return numpy.array([known[record.block, record.seed] for record in records], dtype=numpy.int64)


class _Deals(dict[tuple[int, str], int]):
    """By block and seed the number of a deal, once it was asked for."""

    def __missing__(self, key: tuple[int, str]) -> int:
        block, seed = key
        digest = blake2b(f"{block} {seed}".encode(), digest_size=8).digest()
        self[key] = number = int.from_bytes(digest, signed=True)
        return number


def _matchpoints(rows: _Rows) -> tuple[Numbers, Numbers]:
    """The matchpoints of each row, in :data:`MATCHPOINT_UNIT` parts, and whether there is anything to compare it
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
    """For each row, how many of its group have a lower number, how many an equal one (itself too), and how many there
    are."""
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
    """For each row, where its run begins, and how long it is."""
    starts = numpy.flatnonzero(begins)
    lengths = numpy.diff(starts, append=len(begins))
    return numpy.repeat(starts, lengths), numpy.repeat(lengths, lengths)


def _comparable_numbers(columns: Sequence[ExactColumn]) -> Numbers:
    """All numbers of these columns, or others that compare in the same way."""
    if all(column.denominator == 1 and column.numerators.dtype != object for column in columns):
        return numpy.concatenate([column.numerators for column in columns])
    wide = [column._replace(numerators=_widen_numbers(column.numerators)) for column in columns]
    return numpy.unique(join_columns(wide).numerators, return_inverse=True)[1].astype(numpy.int64)


def _widen_numbers(numbers: Numbers) -> Numbers:
    """The same whole numbers in machine words, if they have not more than that already."""
    return numbers if numbers.dtype == object else numbers.astype(numpy.int64)


def _narrow_numbers(numbers: Numbers) -> Numbers:
    """The same whole numbers in as few bytes as hold them."""
    if numbers.dtype == object or not len(numbers):
        return numbers
    low, high = int(numbers.min()), int(numbers.max())
    for kind in (numpy.uint8, numpy.int16, numpy.uint16, numpy.int32):
        bounds = numpy.iinfo(kind)
        if bounds.min <= low and high <= bounds.max:
            return numbers.astype(kind)
    return numbers
