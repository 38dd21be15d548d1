"""What a table promises: how far two who sit at it bring all pairs that are not told apart on their way.

What is known of the log-worths of all players is taken to be normal, with the covariance C of their ratings. A match of
m with log-worths near each other tells of each pair of them as much as F * p(1 - p), which is Fisher's information of
their difference by Plackett-Luce: p is the share in which one comes before the other, F = 4 (m - H) / (m (m - 1)) with
H = 1 + 1/2 + ... + 1/m (1 for two, 0.64 for four). If a pair i, j is played that tells J, the variance of every other
difference k, l falls by J c² / (1 + J s²), where c is the covariance of both differences and s² the variance of that of
i and j. The promise of i, j is the sum of these over all open pairs k, l, each by its weight: s*² / s⁴, the part of the
way that a pair has behind it for each of variance less. Such a way is done where its variance has fallen to s*²: where
its interval would leave out 0, or lie in the zone, if its difference is then about as large as it is likely to be now.

Sums of this kind are what optimal designs make small: A. C. Atkinson, A. N. Donev & R. D. Tobias, Optimum Experimental
Designs, with SAS, 2007, chapter 10 (linear optimality).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import pi

import numpy

from arena.ladder.rating.settled_pairs import equal_zone, pairs_of
from arena.ratings.order_columns import Numbers
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.inference.student_t import t_quantile_975

UNKNOWN_VARIANCE = 1.0
"""The variance of an unknown log-worth: two in three bots lie within 174 points of the mean."""
SETTLED_WIDTH = 1.43
"""Factor by which the intervals that settle a pair here are wider than those of 95 %: they are those of 99.5 %. A test
that is repeated until a pair seems apart would, at 95 %, separate 8 % of equal pairs instead of 5 %; at this width it
is 5 % (`arena docs measured`)."""


class Promise:
    """The promise of each pair of players, by their numbers; ``open`` says whether a pair is not surely settled.

    ``names`` are those of the players, ``new`` says which are new, and ``scales`` are those of the log-worths that hold
    them. A table is assumed to play as many matches as it has ``seats``."""

    def __init__(
        self, names: Sequence[str], new: Numbers, scales: Sequence[RatingScale], indifference: float, seats: int
    ) -> None:
        size = len(names)
        place = {name: at for at, name in enumerate(names)}
        self._told = seats * _of_a_match(seats)
        self._values = numpy.zeros(size)
        self._covariance = numpy.diag(numpy.full(size, UNKNOWN_VARIANCE))
        rated = numpy.zeros(size, dtype=bool)
        self.open = numpy.zeros((size, size), dtype=bool)
        for scale in scales:
            members = [at for at, name in enumerate(scale.names) if name in place]
            if not members:
                continue
            known = scale.scale_of(members)
            at = numpy.array([place[name] for name in known.names], dtype=int)
            here = numpy.ix_(at, at)
            self._values[at] = known.values
            self._covariance[here] = known.covariance
            self.open[here] = pairs_of(known, indifference, SETTLED_WIDTH).open
            rated[at] = known.blocks >= LEAST_CLUSTERS
        # fewer blocks show no covariance; whoever is not rated though it is not new came behind, or ahead, every time
        strangers = numpy.flatnonzero(~rated)
        self._covariance[strangers, :] = self._covariance[:, strangers] = 0
        self._covariance[strangers, strangers] = UNKNOWN_VARIANCE
        self.open[strangers, :] = self.open[:, strangers] = False
        unknown = new & ~rated
        self.open |= unknown[:, None] & (unknown | rated)[None, :]
        self.open |= self.open.T
        numpy.fill_diagonal(self.open, False)
        weights = self._weights(equal_zone(indifference))
        spread = numpy.diag(weights.sum(axis=1)) - weights
        self._weighted = self._covariance @ spread @ self._covariance

    def of_pairs(self) -> Numbers:
        """Return as a square matrix the promise of each pair that shares a table."""
        variance = _of_differences(self._covariance)
        told = self._information(variance, self._values[:, None] - self._values[None, :])
        found: Numbers = told * _of_differences(self._weighted) / (1 + told * variance)
        numpy.fill_diagonal(found, 0)
        return found

    def seat(self, table: Sequence[int]) -> None:
        """Lower the promises by what these players' table will show."""
        one, two = (numpy.array(each) for each in zip(*combinations(table, 2), strict=True))
        columns = self._covariance[:, one] - self._covariance[:, two]
        weighted = self._weighted[:, one] - self._weighted[:, two]
        of_both = columns[one] - columns[two]
        told = self._information(numpy.diagonal(of_both), self._values[one] - self._values[two])
        less = columns @ numpy.linalg.inv(numpy.diag(1 / told) + of_both)
        self._covariance -= less @ columns.T
        fallen = weighted @ less.T
        self._weighted += less @ (weighted[one] - weighted[two]) @ less.T - fallen - fallen.T

    def _weights(self, zone: float) -> Numbers:
        """Return the weights of open pairs; 0 for the others."""
        variance = numpy.maximum(_of_differences(self._covariance), 1e-12)
        likely = numpy.sqrt((self._values[:, None] - self._values[None, :]) ** 2 + variance)
        enough = (numpy.maximum(likely, zone - likely) / SETTLED_WIDTH / t_quantile_975(1000)) ** 2
        found: Numbers = numpy.where(self.open, enough / variance**2, 0.0)
        return found

    def _information(self, variance: Numbers, difference: Numbers) -> Numbers:
        """Return the information that a table gives on pairs with this ``difference`` and ``variance``. Where a
        difference is little known, the share is moved towards one half, as its mean is (D. J. C. MacKay, The evidence
        framework applied to classification networks, Neural Computation 4, 1992)."""
        odds = numpy.exp(numpy.abs(difference) / numpy.sqrt(1 + pi / 8 * variance))
        found: Numbers = self._told / (2 + odds + 1 / odds)  # p(1 - p)
        return found


def _of_a_match(seats: int) -> float:
    """Return the information of one match on each pair, in units of p(1 - p)."""
    harmonic = sum(1 / place for place in range(1, seats + 1))
    return 4 * (seats - harmonic) / (seats * (seats - 1))


def _of_differences(matrix: Numbers) -> Numbers:
    """Return the variance of the difference of each pair, from a covariance matrix."""
    own = numpy.diagonal(matrix)
    found: Numbers = own[:, None] + own[None, :] - 2 * matrix
    return found
