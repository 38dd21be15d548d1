"""What two entrants give each other beyond what the giver gives everybody and the receiver gets from everybody.

The additive model of a two-way table without its diagonal says: what A gives B is a part of A's own, which A gives
everybody, plus a part of B's own, which B gets from everybody. A pair's *gift* is what it gives beyond that, where both
parts are estimated without this pair: the deleted residuals of least squares (R. D. Cook & S. Weisberg, Residuals and
Influence in Regression, 1982, chapter 2). So a generous bot, or one that drives hard bargains with all, gives no gifts.

No array here has a size that grows with the square of the number of cells: 200 entrants have 39,800 cells.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from arena.collusion.arrays import Numbers, Places

SINGULAR_DETERMINANT = 1e-8
"""If a group of cells has a smaller determinant, the parts cannot be estimated without the group."""
FLAT_SPREAD = 1e-9
"""A spread below this counts as none."""


class Additive:
    """The model for these ``cells``, ordered pairs of entrants (giver, receiver), each with its other direction.

    ``pairs`` has the indices of the two cells of each pair that can be judged (pairs × 2). ``weights`` (pairs × 2 × 2)
    turns the residuals of a pair's cells into its gifts; it is also the covariance of both gifts in units of the
    variance of a cell. ``freedom`` is the degrees of freedom that are left when the parts are estimated from all cells.
    """

    def __init__(self, cells: Sequence[tuple[int, int]]) -> None:
        table = numpy.array(cells, dtype=numpy.int64).reshape(-1, 2)
        self.entrants: Places = numpy.unique(table)
        self.givers, self.receivers = numpy.searchsorted(self.entrants, table).T
        count = len(self.entrants)
        met: Numbers = numpy.zeros((count, count))
        met[self.givers, self.receivers] = 1.0
        normal = numpy.block([[numpy.diag(met.sum(1)), met], [met.T, numpy.diag(met.sum(0))]])
        self._inverse: Numbers = numpy.linalg.pinv(normal, hermitian=True)
        rank = round(float((self._inverse * normal).sum()))
        self.freedom = len(cells) - rank
        places: Places = numpy.zeros((count, count), dtype=numpy.int64)
        places[self.givers, self.receivers] = numpy.arange(len(cells))
        forth = numpy.flatnonzero(self.givers < self.receivers)
        pairs: Places = numpy.stack([forth, places[self.receivers[forth], self.givers[forth]]], 1)
        left = self.residual_diagonals(pairs)
        judged = numpy.linalg.det(left) > SINGULAR_DETERMINANT
        self.pairs: Places = pairs[judged]
        self.weights: Numbers = numpy.linalg.inv(left[judged])

    def residual_diagonals(self, groups: Places) -> Numbers:
        """For each group of cells (groups × size), the residual of each of its cells if another one of the group has
        the value 1 (groups × size × size)."""
        givers, receivers = self.givers[groups], self.receivers[groups] + len(self.entrants)
        found: Numbers = numpy.broadcast_to(numpy.eye(groups.shape[1]), (*groups.shape, groups.shape[1])).copy()
        for one in (givers, receivers):
            for two in (givers, receivers):
                found -= self._inverse[one[:, :, None], two[:, None, :]]
        return found

    def parts(self, values: Numbers) -> Numbers:
        """What each entrant gives everybody, and behind that what each gets from everybody (the last axis), from
        ``values`` by cell (the last axis). What is common to all may be in either."""
        count = len(self.entrants)
        table: Numbers = numpy.zeros((*values.shape[:-1], count, count))
        table[..., self.givers, self.receivers] = values
        found: Numbers = numpy.concatenate([table.sum(-1), table.sum(-2)], -1) @ self._inverse
        return found

    def fitted_values(self, values: Numbers) -> Numbers:
        """The model's value for each cell, from ``values`` by cell (the last axis)."""
        own = self.parts(values)
        found: Numbers = own.take(self.givers, -1) + own.take(self.receivers + len(self.entrants), -1)
        return found

    def part_deviation(self, values: Numbers) -> float:
        """How much entrants differ in what they give everybody and get from everybody: the root of the mean of both
        variances, from ``values`` by cell."""
        return float(self.parts(values).reshape(2, -1).var(1, ddof=1).mean() ** 0.5)

    def gifts(self, values: Numbers) -> Numbers:
        """The two gifts of each pair, one for each of its cells (the last two axes), from ``values`` by cell (the last
        axis)."""
        return numpy.stack(self._gifts(values - self.fitted_values(values))[2:], -1)

    def spreads(self, values: Numbers) -> Numbers:
        """For each pair, how far the values of all *other* pairs spread about the model: the standard deviation of a
        cell, with ``freedom`` - 2 degrees of freedom; nan if there are none."""
        left = values - self.fitted_values(values)
        return self._spreads(left, *self._gifts(left))

    def standings(self, values: Numbers) -> Numbers:
        """For each pair, how far its first gift, its second, and both together are out of line with the other pairs, in
        standard errors (the last two axes, pairs × 3), from ``values`` by cell (the last axis): Student's t with
        ``freedom`` - 2 degrees of freedom where pairs differ normally; 0 where the others do not spread."""
        left = values - self.fitted_values(values)
        own = self._gifts(left)
        spreads = self._spreads(left, *own)
        scale = numpy.divide(1.0, spreads, out=numpy.zeros(spreads.shape), where=spreads > FLAT_SPREAD)
        first, second = self.weights[:, 0, 0] ** -0.5, self.weights[:, 1, 1] ** -0.5
        both = self.weights.sum((1, 2)) ** -0.5
        found = numpy.stack([own[2] * scale * first, own[3] * scale * second, (own[2] + own[3]) * scale * both])
        return numpy.moveaxis(found, 0, -1)  # each of the three is contiguous in memory

    def _gifts(self, left: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """For each pair: the residuals of its first and of its second cell, its first gift and its second."""
        one, two = left.take(self.pairs[:, 0], -1), left.take(self.pairs[:, 1], -1)
        (first, mixed), (_, second) = self.weights.transpose(1, 2, 0)
        return one, two, one * first + two * mixed, one * mixed + two * second

    def _spreads(self, left: Numbers, one: Numbers, two: Numbers, first: Numbers, second: Numbers) -> Numbers:
        rest = numpy.maximum((left * left).sum(-1)[..., None] - (one * first + two * second), 0.0)
        freedom = self.freedom - 2
        found: Numbers = numpy.sqrt(rest / freedom) if freedom > 0 else numpy.full(rest.shape, numpy.nan)
        return found
