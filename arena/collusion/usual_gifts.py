"""What is usual among some pairs of a run, and how far each of them is from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy

from arena.collusion.additive import Additive
from arena.collusion.arrays import Numbers
from arena.collusion.flip_test import flip_probabilities
from arena.collusion.gift_sums import GiftTable
from arena.tournament.inference.student_t import t_above

PAIR_WAYS = 3
"""The number of ways to look at a pair: its first cell, its second, and both together."""


class UsualGifts:
    """The additive model of these ``cells`` of a table, estimated anew without each pair that is compared with it.

    Each pair of the model is seen in three ways (pairs × 3): its first gift, its second, and both together. ``seed``
    names the random flips.
    """

    def __init__(self, table: GiftTable, cells: Sequence[int], seed: str) -> None:
        self.table, self.cells, self._seed = table, tuple(cells), seed
        self.model = Additive([table.cells[place] for place in cells])
        self.met = table.counts[:, list(cells)].sum(0)
        self.means: Numbers = table.total[:, list(cells)].sum(0) / self.met

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """For each pair, the indices of its two cells in the table."""
        return [(self.cells[one], self.cells[two]) for one, two in self.model.pairs.tolist()]

    @cached_property
    def clearness(self) -> Numbers:
        """How far each gift is out of line, in standard errors (pairs × 3)."""
        return self.model.standings(self.means)

    @cached_property
    def block_deviations(self) -> Numbers:
        """What each group of blocks shows of each gift (groups × pairs × 3)."""
        return self.way_sums(self.table.total)

    @cached_property
    def luck(self) -> Numbers:
        """For each gift, the probability that luck alone makes any gift as clear (pairs × 3)."""
        return flip_probabilities(self.block_deviations.reshape(len(self.block_deviations), -1), self._seed).reshape(
            -1, PAIR_WAYS
        )

    def blocks(self, values: Numbers) -> Numbers:
        """What each group of blocks shows of each cell beyond the model (groups × cells); the sum over groups is how
        far the cell's mean is from the model."""
        cells = list(self.cells)
        chosen = values[:, cells]
        parts = self.model.fitted_values(chosen.sum(0) / self.met)
        found: Numbers = (chosen - self.table.counts[:, cells] * parts) / self.met
        return found

    def way_sums(self, values: Numbers) -> Numbers:
        """What each group of blocks shows of each gift (groups × pairs × 3), from these ``values`` (groups × cells)."""
        return _three_ways(self.model.gifts(self.blocks(values)))

    def gifts(self, values: Numbers) -> Numbers:
        """What all blocks together show of each gift (pairs × 3), from these ``values`` (groups × cells)."""
        return _three_ways(self.model.gifts(values[:, list(self.cells)].sum(0) / self.met))

    def normal_tail(self, pair: int, way: int) -> float:
        """The probability that any pair is as far out of line, if honest pairs differ normally."""
        freedom = self.model.freedom - 2
        if freedom < 1 or not self.clearness[pair, way] > 0:
            return 1.0
        return min(1.0, t_above(float(self.clearness[pair, way]), freedom) * self.clearness.size)

    def clearest_pair(self, level: float, pair: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """The pair farthest out of line and its way, among those with both probabilities (tail and luck) at most
        ``level``; None if there is none. With ``pair``, only this pair is considered."""
        if not self.clearness.size:
            return None
        clear = self.clearness.round(9)
        if pair is not None:
            clear = numpy.where(numpy.array([[each == pair] for each in self.pairs]), clear, 0.0)
        while True:
            at = int(clear.argmax())
            found = at // PAIR_WAYS, at % PAIR_WAYS
            if clear[found] <= 0 or self.normal_tail(*found) > level:
                return None
            if self.luck[found] <= level:
                return found
            clear[found] = 0.0


def _three_ways(gifts: Numbers) -> Numbers:
    """Both gifts of each pair, and their sum, along the last axis."""
    return numpy.concatenate([gifts, gifts.sum(-1, keepdims=True)], -1)
