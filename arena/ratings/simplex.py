"""The simplex method on a dense tableau, for small linear programs in sequence: it minimises one number, then the next
one among the solutions that are left.

Bland's rule chooses the pivots, so it never goes round in circles (R. G. Bland, New finite pivoting rules for the
simplex method, Mathematics of Operations Research 2, 1977).
"""

from __future__ import annotations

import numpy

from arena.errors import ArenaError
from arena.ratings.order_columns import Numbers

TABLEAU_ROUNDING = 1e-10
"""Numbers in a tableau that are smaller than this are rounding; its largest are about 1."""


class Tableau:
    """Solutions of ``rows @ x == bounds``, x >= 0, of which ``basis`` (one variable for each row) gives the first.
    Variables that are not ``free`` must stay 0."""

    def __init__(self, rows: Numbers, bounds: Numbers, basis: list[int]) -> None:
        self._cells = numpy.linalg.solve(rows[:, basis], numpy.column_stack([rows, bounds]))
        self.basis = list(basis)
        self.free = numpy.ones(rows.shape[1], dtype=bool)

    @property
    def variables(self) -> Numbers:
        """The values of all variables in the current solution."""
        found = numpy.zeros(len(self.free))
        found[self.basis] = self._cells[:, -1]
        return found

    def minimize(self, costs: Numbers) -> Numbers:
        """Go to a solution that minimises ``costs @ x``. Returns each variable's price: by how much the minimum would
        rise per unit of the variable. Variables with a price above 0 are 0 in every such solution."""
        while True:
            prices: Numbers = costs - costs[self.basis] @ self._cells[:, :-1]
            better = numpy.flatnonzero(self.free & (prices < -TABLEAU_ROUNDING))
            if not len(better):
                return prices
            self._pivot(int(better[0]))

    def add(self, like: Numbers) -> int:
        """Add a variable whose column in the rows is the sum of those of the variables ``like`` (their numbers).
        Returns its number."""
        column = self._cells[:, :-1][:, like].sum(axis=1)
        self._cells = numpy.insert(self._cells, -1 + self._cells.shape[1], column, axis=1)
        self.free = numpy.append(self.free, True)
        return len(self.free) - 1

    def _pivot(self, entering: int) -> None:
        cells = self._cells
        column = cells[:, entering]
        open = numpy.flatnonzero(column > TABLEAU_ROUNDING)
        if not len(open):
            raise ArenaError("a linear program has no least value")
        ratios = cells[open, -1] / column[open]
        nearest = open[ratios <= ratios.min() + TABLEAU_ROUNDING]
        row = min(nearest.tolist(), key=self.basis.__getitem__)
        cells[row] /= cells[row, entering]
        factors = cells[:, entering].copy()
        factors[row] = 0
        cells -= factors[:, None] * cells[row]
        numpy.maximum(cells[:, -1], 0, out=cells[:, -1])
        self.basis[row] = entering
