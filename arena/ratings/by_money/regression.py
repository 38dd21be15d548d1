"""Least squares of the money of every seat on who sits there, who the opponents are, the seat, and the deal.

The money of a seat is modelled as

    its entrant + mean of what its opponents leave to others + seat + deal (or edition)

by ordinary least squares. Deals are many, so they are taken out (the mean of a deal is subtracted on both sides)
instead of being estimated; normal equations are added up from counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from arena.ratings.clustered import ScoreEntries
from arena.ratings.definite import add_square, cholesky, solve_factored
from arena.ratings.order_columns import Numbers, RatingMatches, RatingTables

CHUNK_MATCHES = 32768
"""The number of matches that are added up at a time."""


@dataclass(frozen=True, slots=True)
class RegressionLayout:
    """The order of the parameters: ``entrants``; what they leave to others (with ``opponents``); the seats of each
    group that has effects of seats; and one for each base if deals are not taken out (``bases``). ``pinned`` are sets
    of parameters whose sum is 0."""

    entrants: int
    opponents: bool
    seats: tuple[range | None, ...]
    bases: int
    pinned: tuple[tuple[int, ...], ...]

    @property
    def first_base(self) -> int:
        """The index of the first base's parameter."""
        first = self.entrants * (2 if self.opponents else 1)
        return first + sum(len(each) for each in self.seats if each is not None)

    @property
    def size(self) -> int:
        """The number of parameters."""
        return self.first_base + self.bases

    def pin(self, information: Numbers) -> Numbers:
        """The matrix of the normal equations, to which is added that the pinned sums are 0."""
        made = information.copy()
        for members in self.pinned:
            add_square(made, members, max(1.0, float(numpy.diagonal(information)[list(members)].mean()) / len(members)))
        return made


class Regression:
    """The least squares of these matches. For each of the tables, ``base`` has the number of each match's base: its
    deal within its edition if ``absorbed``, else its edition."""

    def __init__(
        self, matches: RatingMatches, layout: RegressionLayout, base: Sequence[Numbers], absorbed: bool
    ) -> None:
        self.matches, self.layout, self.absorbed = matches, layout, absorbed
        self._base = list(base)
        self._money = [
            _centre_money(each.money, at) if absorbed else each.money
            for each, at in zip(matches.tables, self._base, strict=True)
        ]
        self.residuals: list[Numbers] = []
        """Once solved, the money of each seat that is left unexplained, by table."""
        self._nothing = layout.size
        rows: list[Numbers] = []
        for each in matches.tables:
            seats = [
                numpy.full(each.players, self._nothing) if at is None else at.start + numpy.arange(each.players)
                for at in layout.seats
            ]
            rows.append(numpy.array(seats))
        self._seats = rows

    def solve(self) -> tuple[Numbers, Numbers] | None:
        """The parameters and the matrix of the normal equations; None if these do not tell the parameters apart."""
        ends = [each.matches for each in self.matches.tables]
        information = self._information([slice(0, end) for end in ends])
        factor = cholesky(self.layout.pin(information))
        if factor is None:
            return None
        values = solve_factored(factor, self._sums(self._money))
        self.residuals = [self._unexplained(at, values) for at in range(len(self.matches.tables))]
        return values, information

    def rows_of(self, first: int, end: int) -> int:
        """Part of :class:`arena.ratings.clustered.EstimateBlocks`: the number of matches in the blocks from ``first``
        up to but without ``end``."""
        return sum(rows.stop - rows.start for rows in self._here(first, end))

    def entries(self, first: int, end: int) -> Iterator[ScoreEntries]:
        """The scores of the blocks from ``first`` up to but without ``end``."""
        for at, (tables, here) in enumerate(zip(self.matches.tables, self._here(first, end), strict=True)):
            for rows in _slices(here):
                block = tables.block[rows].astype(numpy.int64) - first
                left = self.residuals[at][rows]
                for places, shares in self._terms(at, rows):
                    blocks = numpy.broadcast_to(block[:, None], places.shape)
                    there = places != self._nothing
                    yield ScoreEntries(blocks[there], places[there], (shares * left)[there])

    def entries_and_information(self, block: int) -> tuple[list[ScoreEntries], Numbers]:
        """Return the score of a block, in parts, and the matrix of its normal equations."""
        return [*self.entries(block, block + 1)], self._information(self._here(block, block + 1))

    def _here(self, first: int, end: int) -> list[slice]:
        """The slice of the matches of these blocks, for each of the tables."""
        found = [numpy.searchsorted(tables.block, [first, end]).tolist() for tables in self.matches.tables]
        return [slice(*each) for each in found]

    def _unexplained(self, at: int, values: Numbers) -> Numbers:
        """The residuals: the money that the parameters' ``values`` leave unexplained."""
        padded = numpy.append(values, 0.0)
        left = self._money[at].astype(float)
        for places, shares in self._terms(at, slice(0, len(left))):
            left = left - shares * padded[places]
        return _centre_money(left, self._base[at]) if self.absorbed else left

    def _terms(self, at: int, rows: slice) -> list[tuple[Numbers, float]]:
        """The terms of each seat's money in these matches: the indices of their parameters (matches × seats), and the
        share with which these count."""
        tables, layout = self.matches.tables[at], self.layout
        entrants = tables.entrants[rows].astype(numpy.int64)
        terms = [(entrants, 1.0), (self._seats[at][tables.group[rows]], 1.0)]
        if layout.opponents:
            share = 1 / (tables.players - 1)
            terms += [
                (numpy.roll(entrants, step, axis=1) + layout.entrants, share) for step in range(1, tables.players)
            ]
        if not self.absorbed:
            terms.append((numpy.repeat(layout.first_base + self._base[at][rows][:, None], tables.players, 1), 1.0))
        return terms

    def _sums(self, money: Sequence[Numbers]) -> Numbers:
        """Return the right side of the normal equations, one number for each parameter, from the ``money`` of each
        seat."""
        found = numpy.zeros(self.layout.size + 1)
        for at, tables in enumerate(self.matches.tables):
            for rows in _slices(slice(0, tables.matches)):
                for places, share in self._terms(at, rows):
                    found += numpy.bincount(places.ravel(), (share * money[at][rows]).ravel(), minlength=len(found))
        return found[:-1]

    def _information(self, chosen: Sequence[slice]) -> Numbers:
        """Return the matrix of the normal equations (their left side) of the ``chosen`` matches, which are a slice of
        each of the tables of matches: one row and one column for each parameter."""
        size = self.layout.size + 1
        found = numpy.zeros(size * size)
        for at, part in enumerate(chosen):
            for rows in _slices(part):
                terms = self._terms(at, rows)
                for one, (first, share) in enumerate(terms):
                    for two, (second, other) in enumerate(terms[one:], one):
                        pairs = numpy.bincount((first * size + second).ravel(), minlength=size * size)
                        found += pairs * (share * other / (2 if one == two else 1))
        whole = found.reshape(size, size)
        whole = (whole + whole.T)[:-1, :-1]
        if self.absorbed:
            whole -= self._absorbed(chosen)
        return whole

    def _absorbed(self, chosen: Sequence[slice]) -> Numbers:
        """What subtracting the means of deals takes away from the left side. The sums of all terms of a deal follow
        from how often each entrant sat at its tables, and from the number of these."""
        groups, entrants = len(self.matches.groups), self.layout.entrants
        within = numpy.zeros((entrants + groups, entrants + groups))
        for tables, base, part in zip(self.matches.tables, self._base, chosen, strict=True):
            for counts in _count_matrices(tables, base, part, entrants, groups):
                within += counts.T @ (counts / counts[:, :entrants].sum(axis=1, keepdims=True))
        spread = numpy.zeros((self.layout.size, entrants + groups))
        for number in range(2 if self.layout.opponents else 1):
            spread[number * entrants : (number + 1) * entrants, :entrants] += numpy.eye(entrants)
        for group, each in enumerate(self.layout.seats):
            if each is not None:
                spread[each.start : each.stop, entrants + group] = 1
        made: Numbers = spread @ within @ spread.T
        return made


def _slices(rows: slice) -> Iterator[slice]:
    for low in range(rows.start, rows.stop, CHUNK_MATCHES):
        yield slice(low, min(rows.stop, low + CHUNK_MATCHES))


def _count_matrices(tables: RatingTables, base: Numbers, part: slice, entrants: int, groups: int) -> list[Numbers]:
    """Matrices for some deals at a time, with a row for each deal: how often each entrant sat there, and how many
    matches each group had."""
    if part.stop <= part.start:
        return []
    values, local = numpy.unique(base[part], return_inverse=True)
    local = local.ravel()
    order = numpy.argsort(local, kind="stable")
    width, step = entrants + groups, max(1, (1 << 21) // (entrants + groups))
    found = []
    starts = numpy.searchsorted(local[order], numpy.arange(0, len(values) + step, step))
    for number, (low, high) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
        rows = order[low:high] + part.start
        deals = min(step, len(values) - number * step)
        if deals <= 0:
            break
        row = (local[order[low:high]] - number * step) * width
        places = numpy.concatenate(
            [(row[:, None] + tables.entrants[rows]).ravel(), row + entrants + tables.group[rows]]
        )
        found.append(numpy.bincount(places, minlength=deals * width).reshape(deals, width).astype(float))
    return found


def _centre_money(money: Numbers, base: Numbers) -> Numbers:
    """Each seat's money less the mean of its deal."""
    sums = numpy.bincount(base, money.sum(axis=1))
    seats = numpy.bincount(base) * money.shape[1]
    means = numpy.divide(sums, seats, out=numpy.zeros_like(sums), where=seats > 0)
    found: Numbers = money - means[base][:, None]
    return found
