"""Ratings on one scale: how far apart entrants are, how sure that is, and who is above whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy

from arena.ratings.order_columns import Numbers
from arena.ratings.student_columns import students_below, surely_apart
from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.inference.student_t import t_quantile_975

EQUAL_VALUES = 1e-9
"""Values that differ by less are equal apart from rounding."""
CERTAIN_ERRORS = 1e12
"""The distance, in standard errors, of two entrants whose difference does not vary at all."""


@dataclass(frozen=True)
class RatingScale:
    """Entrants on one scale, by number: their ``names`` and ``values``, the ``covariance`` of the values, in how many
    ``blocks`` each entrant played, and how many blocks of ``equal`` size these are worth. Values are relative to their
    mean, or to the ``anchor``."""

    names: tuple[str, ...]
    values: Numbers
    covariance: Numbers
    blocks: Numbers
    equal: Numbers
    anchor: str = ""

    @cached_property
    def order(self) -> list[int]:
        """The entrants' numbers, the best first; equal ones by name."""
        rounded = numpy.round(self.values, 9)
        return sorted(range(len(self.names)), key=lambda at: (-rounded[at], self.names[at]))

    def estimate(self, at: int) -> Estimate:
        """The value of the entrant with number ``at`` and its 95 % interval. There is no interval for the anchor, for
        an entrant that is alone on the scale, and with fewer than
        :data:`arena.tournament.inference.intervals.LEAST_CLUSTERS` blocks."""
        base, own = self._base, float(self.covariance[at, at])
        if base is None:
            mean, with_mean, of_mean = self._mean
            value, variance = float(self.values[at]) - mean, own - 2 * float(with_mean[at]) + of_mean
            clusters, equal = int(self.blocks[at]), float(self.equal[at])
        else:
            value = float(self.values[at] - self.values[base])
            variance = own - 2 * float(self.covariance[at, base]) + float(self.covariance[base, base])
            clusters = int(min(self.blocks[at], self.blocks[base]))
            equal = float(min(self.equal[at], self.equal[base]))
        if at == base or len(self.names) < 2:
            return Estimate.from_half_width(value + 0.0, None, clusters)
        return _rating_estimate(value + 0.0, variance, clusters, equal)

    @cached_property
    def _base(self) -> int | None:
        """The number of the anchor; None if there is none."""
        return self.names.index(self.anchor) if self.anchor else None

    @cached_property
    def _mean(self) -> tuple[float, Numbers, float]:
        """The mean of all values, its covariance with each of them, and its variance."""
        with_mean = self.covariance.mean(axis=1)
        return float(self.values.mean()), with_mean, float(with_mean.mean())

    @cached_property
    def _freedoms(self) -> Numbers:
        """The degrees of freedom of each value."""
        return numpy.array([_freedom_degrees(each) for each in self.equal.tolist()])

    @cached_property
    def _variances(self) -> Numbers:
        return numpy.diagonal(self.covariance)

    def above(self, one: int, two: int) -> float | None:
        """The probability that the first entrant is above the second, as far as the blocks show; None with fewer than
        :data:`arena.tournament.inference.intervals.LEAST_CLUSTERS` blocks."""
        return self._above(one, numpy.array([two]))[0]

    def _above(self, one: int, others: Numbers) -> list[float | None]:
        """:meth:`above` for ``one`` and each of the others."""
        t, df, known = self._apart(one, others)
        chances = students_below(t, df)
        return [chance if told else None for chance, told in zip(chances, known.tolist(), strict=True)]

    def _apart(self, one: int, others: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """For each of the others: how far ``one`` is above it, in standard errors of the difference; the degrees of
        freedom of these errors; and whether there are enough blocks to say so."""
        apart = self.values[one] - self.values[others]
        variance = self._variances[one] + self._variances[others] - 2 * self.covariance[one, others]
        sure = numpy.where(numpy.abs(apart) < EQUAL_VALUES, 0.0, numpy.copysign(CERTAIN_ERRORS, apart))
        there = variance > 0
        t = numpy.divide(apart, numpy.sqrt(numpy.where(there, variance, 1.0)), out=sure, where=there)
        known = numpy.minimum(self.blocks[one], self.blocks[others]) >= LEAST_CLUSTERS
        return t, numpy.minimum(self._freedoms[one], self._freedoms[others]), known

    @property
    def has_intervals(self) -> bool:
        """Whether there are enough blocks to tell any two entrants apart."""
        return int((self.blocks >= LEAST_CLUSTERS).sum()) > 1

    def matrix(self) -> list[list[float | None]]:
        """:meth:`above` for each two in the order of the ratings, None on the diagonal."""
        order = numpy.array(self.order, dtype=int)
        found: list[list[float | None]] = [[None] * len(order) for _ in order]
        for row, one in enumerate(self.order):
            for column, chance in enumerate(self._above(one, order[row + 1 :]), row + 1):
                found[row][column] = chance
                found[column][row] = None if chance is None else 1 - chance
        return found

    def told_apart(self, one: int, others: Numbers) -> Numbers:
        """For each of the others whether it and ``one`` are told apart
        (:data:`arena.ratings.student_columns.SURE_CHANCE`)."""
        t, df, known = self._apart(one, others)
        return known & surely_apart(t, df)

    def not_apart(self) -> list[list[str]]:
        """The groups that cannot be told apart: neighbours in the order of the ratings, no two of whom are told apart
        (:data:`arena.ratings.student_columns.SURE_CHANCE`). Leaves out single entrants, and groups that are part of
        another."""
        order = numpy.array(self.order, dtype=int)
        ends = numpy.full(len(order), len(order))  # where a group must end that begins here, or before
        for row, one in enumerate(self.order):
            apart = numpy.flatnonzero(self.told_apart(one, order[row + 1 :]))
            if len(apart):
                ends[row] = row + 1 + apart[0]
        ends = numpy.minimum.accumulate(ends[::-1])[::-1]
        groups: list[tuple[int, int]] = []
        for first, end in enumerate(ends.tolist()):
            if end - first > 1 and (not groups or groups[-1][1] < end):
                groups.append((first, end))
        return [[self.names[at] for at in self.order[slice(*each)]] for each in groups]

    def anchored(self, name: str) -> RatingScale:
        """The same scale, relative to the entrant of this name."""
        values = self.values - self.values[self.names.index(name)]
        return RatingScale(self.names, values, self.covariance, self.blocks, self.equal, name)

    def scale_of(self, members: Sequence[int]) -> RatingScale:
        """The scale of these entrants alone, whose values are relative to their mean."""
        rows = numpy.array(members, dtype=int)
        values = self.values[rows]
        return RatingScale(
            tuple(self.names[at] for at in members),
            values - values.mean(),
            self.covariance[rows[:, None], rows],
            self.blocks[rows],
            self.equal[rows],
        )


def _freedom_degrees(equal: float) -> float:
    """The degrees of freedom from ``equal`` blocks of equal size."""
    return max(1.0, round(equal - 1, 9))


def _rating_estimate(value: float, variance: float, clusters: int, equal: float) -> Estimate:
    if clusters < LEAST_CLUSTERS:
        return Estimate.from_half_width(value, None, clusters)
    return Estimate.from_half_width(value, t_quantile_975(_freedom_degrees(equal)) * sqrt(max(variance, 0.0)), clusters)


def scale_estimates(values: Numbers, covariance: Numbers, clusters: int, equal: float) -> list[Estimate]:
    """Each of these values with its interval, from this many blocks (``clusters``), which are worth ``equal`` blocks of
    equal size."""
    return [
        _rating_estimate(float(value), float(variance), clusters, equal)
        for value, variance in zip(values, numpy.diagonal(covariance), strict=True)
    ]
