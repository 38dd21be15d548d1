"""What two entrants give each other beyond what the giver gives everybody and the receiver gets from everybody.

The additive model of a two-way table without its diagonal says: what A gives B is a part of A's own, which A gives
everybody, plus a part of B's own, which B gets from everybody. A pair's *gift* is what it gives beyond that, where both
parts are estimated without this pair: the deleted residuals of least squares (R. D. Cook & S. Weisberg, Residuals and
Influence in Regression, 1982, chapter 2). So a generous bot, or one that drives hard bargains with all, gives no gifts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from arena.collusion.arrays import Numbers

SINGULAR = 1e-8
"""A pair without which the parts cannot be estimated has a smaller determinant than this."""


class Additive:
    """The model for these ``cells``, ordered pairs of entrants (giver, receiver).

    ``pairs`` are the unordered pairs that can be judged, each with the places of its one or two cells; ``freedom`` is
    what is left of the number of cells when the parts are estimated from all.
    """

    def __init__(self, cells: Sequence[tuple[int, int]]) -> None:
        givers = {each: at for at, each in enumerate(sorted({giver for giver, _ in cells}))}
        receivers = {each: at for at, each in enumerate(sorted({receiver for _, receiver in cells}), len(givers))}
        self.design: Numbers = numpy.zeros((len(cells), len(givers) + len(receivers)))
        for at, (giver, receiver) in enumerate(cells):
            self.design[at, givers[giver]] = self.design[at, receivers[receiver]] = 1
        self._inverse: Numbers = numpy.linalg.pinv(self.design.T @ self.design, hermitian=True)
        rank = round(float(numpy.einsum("ij,ij->", self._inverse, self.design.T @ self.design)))
        self.freedom = len(cells) - rank
        places = {cell: at for at, cell in enumerate(cells)}
        ordered = sorted({(min(pair), max(pair)) for pair in cells})
        found = [tuple(places[each] for each in ((a, b), (b, a)) if each in places) for a, b in ordered]
        self.pairs: list[tuple[int, ...]] = []
        self._weights: list[Numbers] = []
        for pair in found:
            rows = self.design[list(pair)]
            left = numpy.eye(len(pair)) - rows @ self._inverse @ rows.T
            if float(numpy.linalg.det(left)) > SINGULAR:
                self.pairs.append(pair)
                self._weights.append(numpy.linalg.inv(left))

    def parts(self, values: Numbers) -> Numbers:
        """What the model says of each cell, from ``values`` by cell (the last axis)."""
        found: Numbers = (values @ self.design) @ self._inverse @ self.design.T
        return found

    def gifts(self, values: Numbers) -> list[Numbers]:
        """Of each pair its gifts, the last axis those of its cells, from ``values`` by cell (the last axis)."""
        left = values - self.parts(values)
        return [left[..., list(pair)] @ weights for pair, weights in zip(self.pairs, self._weights, strict=True)]

    def spreads(self, values: Numbers) -> list[tuple[float, Numbers]]:
        """Of each pair how far the values of all *other* pairs spread about the model (a standard deviation, by cell),
        and the covariance of its own gifts in units of that variance."""
        left = values - self.parts(values)
        total = float(left @ left)
        found = []
        for pair, weights in zip(self.pairs, self._weights, strict=True):
            own = left[list(pair)]
            freedom = self.freedom - len(pair)
            rest = max(total - float(own @ weights @ own), 0.0)
            found.append(((rest / freedom) ** 0.5 if freedom > 0 else float("nan"), weights))
        return found
