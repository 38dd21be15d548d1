"""The mixtures of bots at a table, and the cells of their payoff table: one for each bot in each mixture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Any

import numpy

from arena.errors import UserError

Array = numpy.ndarray[Any, Any]
MOST_MIXTURES = 10_000
"""The most mixtures that a payoff table may have."""


@dataclass(frozen=True)
class MixtureCells:
    """The mixtures of so many ``seats`` out of so many ``bots``, in the order of
    `itertools.combinations_with_replacement`, and their cells, by mixture and then bot. Raises UserError for more than
    :data:`MOST_MIXTURES` mixtures."""

    bots: int
    seats: int

    def __post_init__(self) -> None:
        if (number := comb(self.bots + self.seats - 1, self.seats)) > MOST_MIXTURES:
            raise UserError(
                f"{self.bots} bots at tables of {self.seats} have {number:,} mixtures, at most {MOST_MIXTURES:,} can "
                "be looked at; choose fewer bots with --without"
            )

    @cached_property
    def counts(self) -> Array:
        """How often each bot sits in each mixture: mixtures × bots."""
        mixtures = list(combinations_with_replacement(range(self.bots), self.seats))
        counts = numpy.zeros((len(mixtures), self.bots), dtype=numpy.int64)
        for seat in zip(*mixtures, strict=True):
            counts[numpy.arange(len(mixtures)), list(seat)] += 1
        return counts

    @cached_property
    def mixture(self) -> Array:
        """The mixture of each cell."""
        return numpy.nonzero(self.counts)[0]

    @cached_property
    def bot(self) -> Array:
        """The bot of each cell."""
        return numpy.nonzero(self.counts)[1]

    @cached_property
    def number(self) -> Array:
        """The number of the cell of each bot in each mixture: mixtures × bots, -1 where the bot is not in it."""
        numbers = numpy.full(self.counts.shape, -1)
        numbers[self.mixture, self.bot] = numpy.arange(len(self.mixture))
        return numbers

    @cached_property
    def opponents(self) -> Array:
        """How often each bot sits among the opponents of the bot of each cell: cells × bots."""
        others = self.counts[self.mixture].copy()
        others[numpy.arange(len(others)), self.bot] -= 1
        return others

    @cached_property
    def orders(self) -> Array:
        """In how many orders the opponents of each cell can be drawn."""
        ways = numpy.array([factorial(number) for number in range(self.seats + 1)], dtype=float)
        found: Array = ways[self.seats - 1] / ways[self.opponents].prod(axis=1)
        return found

    def mixtures_at(self, tables: Array) -> Array:
        """The number of the mixture at each of these tables, given as bots by seat: tables × seats."""
        found: Array = numpy.searchsorted(self._codes, self._encode(numpy.sort(tables, axis=1)))
        return found

    @cached_property
    def _codes(self) -> Array:
        return self._encode(numpy.array(list(combinations_with_replacement(range(self.bots), self.seats))))

    def _encode(self, sorted_tables: Array) -> Array:
        codes = numpy.zeros(len(sorted_tables), dtype=numpy.int64)
        for column in sorted_tables.T:
            codes = codes * self.bots + column
        return codes

    def weights(self, shares: Array) -> Array:
        """The probability of the opponents of each cell, if each of them is drawn from a population with these
        ``shares`` of bots."""
        members = numpy.flatnonzero(shares)
        inside = self.opponents[:, members].sum(axis=1) == self.seats - 1
        weights = numpy.zeros(len(inside))
        drawn = (shares[members] ** self.opponents[inside][:, members]).prod(axis=1)
        weights[inside] = self.orders[inside] * drawn
        return weights

    def weighted_sums(self, values: Array, weights: Array) -> Array:
        """The sums of cells' ``values`` by these ``weights`` over the cells of each bot: … × cells becomes … × bots.
        Values without a weight do not count, even if they are nan."""
        cells = numpy.flatnonzero(weights)
        of_bot = (self.bot[cells][:, None] == numpy.arange(self.bots)) * weights[cells][:, None]
        lacking = numpy.isnan(values[..., cells])
        if not lacking.any():
            found: Array = values[..., cells] @ of_bot
            return found
        sums: Array = numpy.where(lacking, 0.0, values[..., cells]) @ of_bot
        sums[lacking.astype(float) @ of_bot > 0] = numpy.nan
        return sums

    def subset_cells(self, members: Sequence[int]) -> Array:
        """The cells of the mixtures of these bots alone, in the order in which ``MixtureCells(len(members), seats)``
        has them."""
        tables = numpy.array(list(combinations_with_replacement(sorted(members), self.seats)))
        numbers = self.number[self.mixtures_at(tables)][:, sorted(members)]
        found: Array = numbers[numbers >= 0]
        return found


def mixture_text(names: Sequence[str], counts: Iterable[int]) -> str:
    """A mixture in words, such as ``2 fair + greedy``."""
    pairs = zip(names, counts, strict=True)
    return " + ".join(name if count == 1 else f"{count} {name}" for name, count in pairs if count)
