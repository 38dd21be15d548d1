"""Ratings on one scale: how far apart entrants are, how sure that is, and who is above whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy

from arena.ratings.columns import Numbers
from arena.tournament.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.student import t_below, t_quantile_975

SURE = 0.975
"""Two entrants are told apart where one is above the other with at least this: the 95 % interval of their difference
does not hold 0."""


@dataclass(frozen=True)
class Scale:
    """Entrants on one scale, by number: ``names``, ``values``, the ``covariance`` of these, and in how many ``blocks``
    each played, which count as so many of ``equal`` size. Values are relative to their mean, or to the ``anchor``."""

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
        """The value of an entrant with its 95 % interval; none for the anchor, for one that has no other beside it, and
        with fewer than :data:`arena.tournament.intervals.LEAST_CLUSTERS` blocks."""
        base = self.names.index(self.anchor) if self.anchor else None
        if base is None:
            weights = numpy.full(len(self.names), -1 / len(self.names))
            weights[at] += 1
            clusters, equal = int(self.blocks[at]), float(self.equal[at])
        else:
            weights = numpy.zeros(len(self.names))
            weights[at] += 1
            weights[base] -= 1
            clusters = int(min(self.blocks[at], self.blocks[base]))
            equal = float(min(self.equal[at], self.equal[base]))
        value = float(weights @ self.values) + 0.0
        if at == base or len(self.names) < 2:
            return Estimate.around(value, None, clusters)
        return _estimate(value, float(weights @ self.covariance @ weights), clusters, equal)

    def above(self, one: int, two: int) -> float | None:
        """With which probability the first is above the second, as sure as the blocks make it; None with fewer than
        :data:`arena.tournament.intervals.LEAST_CLUSTERS` blocks."""
        clusters = int(min(self.blocks[one], self.blocks[two]))
        if clusters < LEAST_CLUSTERS:
            return None
        apart = float(self.values[one] - self.values[two])
        variance = float(self.covariance[one, one] + self.covariance[two, two] - 2 * self.covariance[one, two])
        if variance <= 0:
            return 0.5 if abs(apart) < 1e-9 else float(apart > 0)
        return t_below(apart / sqrt(variance), _freedom(float(min(self.equal[one], self.equal[two]))))

    def matrix(self) -> list[list[float | None]]:
        """:meth:`above` for each two in the order of the ratings, None on the diagonal."""
        order = self.order
        found: list[list[float | None]] = [[None] * len(order) for _ in order]
        for row, one in enumerate(order):
            for column in range(row + 1, len(order)):
                chance = self.above(one, order[column])
                found[row][column] = chance
                found[column][row] = None if chance is None else 1 - chance
        return found

    def not_apart(self) -> list[list[str]]:
        """The groups that cannot be told apart: entrants that follow each other in the order of the ratings, of whom no
        two are (:data:`SURE`). None of a single one, and none that is part of another."""
        order = self.order
        matrix = self.matrix()
        groups: list[tuple[int, int]] = []
        for first in range(len(order)):
            end = first + 1
            while end < len(order) and all(not _sure(matrix[row][end]) for row in range(first, end)):
                end += 1
            if end - first > 1 and (not groups or groups[-1][1] < end):
                groups.append((first, end))
        return [[self.names[order[at]] for at in range(*ends)] for ends in groups]

    def anchored(self, name: str) -> Scale:
        """The same relative to the entrant of this name."""
        values = self.values - self.values[self.names.index(name)]
        return Scale(self.names, values, self.covariance, self.blocks, self.equal, name)

    def part(self, members: Sequence[int]) -> Scale:
        """The scale of these entrants alone, whose values are relative to their mean."""
        rows = numpy.array(members, dtype=int)
        values = self.values[rows]
        return Scale(
            tuple(self.names[at] for at in members),
            values - values.mean(),
            self.covariance[rows[:, None], rows],
            self.blocks[rows],
            self.equal[rows],
        )


def _sure(chance: float | None) -> bool:
    return chance is not None and not 1 - SURE < chance < SURE


def _freedom(equal: float) -> float:
    """Degrees of freedom from as many blocks of equal size."""
    return max(1.0, round(equal - 1, 9))


def _estimate(value: float, variance: float, clusters: int, equal: float) -> Estimate:
    if clusters < LEAST_CLUSTERS:
        return Estimate.around(value, None, clusters)
    return Estimate.around(value, t_quantile_975(_freedom(equal)) * sqrt(max(variance, 0.0)), clusters)


def estimates(values: Numbers, covariance: Numbers, clusters: int, equal: float) -> list[Estimate]:
    """Each of these values with its interval, from so many blocks, which count as so many of ``equal`` size."""
    return [
        _estimate(float(value), float(variance), clusters, equal)
        for value, variance in zip(values, numpy.diagonal(covariance), strict=True)
    ]
