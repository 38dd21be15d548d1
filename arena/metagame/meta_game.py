"""The payoff table of the game of many seats, estimated from matches: the sums of each block.

A strategy of this game is a bot, a profile a mixture: how often each bot sits at the table. Seats are exchangeable, so
the game is symmetric (M. P. Wellman, Methods for empirical game-theoretic analysis, AAAI 2006; W. E. Walsh, R. Das, G.
Tesauro and J. O. Kephart, Analyzing complex strategic interactions in multi-agent systems, 2002). What a bot can expect
from a population is a weighted sum of cells, so its interval follows from the sums of blocks, which are independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy

from arena.errors import UserError, nearest_hint
from arena.metagame.mixture_cells import Array, MixtureCells
from arena.metagame.payoff import Payoff
from arena.tournament.inference.intervals import Estimate, clustered_mean

UNMOVED = 1e-9
"""A block that moves a figure by less does not move it, apart from rounding."""


def count_moving_blocks(influence: Array) -> int:
    """The number of blocks that move any figure, by how much each moves each of them (blocks × figures)."""
    return int((numpy.abs(influence) > UNMOVED).any(axis=1).sum())


@dataclass(frozen=True, slots=True)
class MixtureMatches:
    """Matches between bots: by match and seat the number of the bot (``tables``) and what it earned (``payoffs``); by
    match its ``block``, from 0 to one less than ``blocks``."""

    tables: Array
    payoffs: Array
    block: Array
    blocks: int


@dataclass(frozen=True)
class MetaGame:
    """The game of these ``bots`` by name at the tables of ``cells``: by block and cell the ``sums`` of ``payoff``, and
    over how many seats (``seats``); by mixture the number of its ``matches``."""

    bots: tuple[str, ...]
    payoff: Payoff
    cells: MixtureCells
    sums: Array
    seats: Array
    matches: Array

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(self.sums)

    @cached_property
    def means(self) -> Array:
        """What a bot earns in a mixture, by cell; nan where there is no match, unless it follows from the payoff's
        definition."""
        return self.means_of(self.sums.sum(axis=0), self.seats.sum(axis=0))

    def means_of(self, sums: Array, seats: Array) -> Array:
        """The means of cells from their sums and numbers of seats: … × cells."""
        found: Array = numpy.divide(sums, seats, out=numpy.full(sums.shape, numpy.nan), where=seats > 0)
        if (alone := self.payoff.among_copies(self.cells.seats)) is not None:
            found[..., self._among_copies] = alone
        return found

    @cached_property
    def _among_copies(self) -> Array:
        found: Array = self.cells.counts[self.cells.mixture, self.cells.bot] == self.cells.seats
        return found

    @cached_property
    def influence(self) -> Array:
        """By how much each block moves the mean of each cell: blocks × cells. The sum over blocks is 0."""
        total = numpy.maximum(self.seats.sum(axis=0), 1)
        found: Array = (self.sums - numpy.nan_to_num(self.means) * self.seats) / total
        if self.payoff.among_copies(self.cells.seats) is not None:
            found[:, self._among_copies] = 0
        return found

    @cached_property
    def missing(self) -> Array:
        """The numbers of the mixtures that have no match and whose payoffs do not follow from the definition."""
        return numpy.unique(self.cells.mixture[numpy.isnan(self.means)])

    def cell_estimate(self, cell: int) -> Estimate:
        """What a bot earns in a mixture, with its interval clustered by block."""
        sums, seats = self.sums[:, cell].tolist(), self.seats[:, cell].tolist()
        return clustered_mean(zip(sums, seats, strict=True), share=self.payoff.is_share)

    def expected(self, shares: Array) -> Array:
        """What each bot can expect at a table whose other seats are drawn from a population with these ``shares``; nan
        where a mixture that can be drawn is missing."""
        return self.expected_of(self.means, shares)

    def expected_of(self, means: Array, shares: Array) -> Array:
        """The same from other ``means`` of cells: … × cells becomes … × bots."""
        return self.cells.weighted_sums(means, self.cells.weights(shares))

    def expected_influence(self, shares: Array) -> Array:
        """By how much each block moves what each bot can expect: blocks × bots."""
        return self.cells.weighted_sums(self.influence, self.cells.weights(shares))

    def combined_estimate(self, value: float, influence: Array) -> Estimate:
        """A weighted sum of cells with its interval: its ``value``, and by how much each block moves it."""
        if numpy.isnan(value):
            return Estimate(None, None, None, 0)
        told = influence[numpy.abs(influence) > UNMOVED]
        return clustered_mean([(value + len(told) * each, 1) for each in told.tolist()] or [(value, 1)])

    def shares_of(self, shares: Mapping[str, float]) -> Array:
        """The shares of a population by bot, which add up to 1. Raises UserError for unknown bots, and for shares that
        are negative or all 0."""
        for name, share in shares.items():
            if name not in self.bots:
                told = f"no bot {name!r}{nearest_hint(name, self.bots)}; there are {', '.join(self.bots)}"
                raise UserError(told)
            if not 0 <= share < numpy.inf:
                raise UserError(f"the share of {name}: expected a number from 0, got {share}")
        given = numpy.array([float(shares.get(name, 0)) for name in self.bots])
        if not given.sum() > 0:
            raise UserError("expected a population in which a bot has a share above 0")
        found: Array = given / given.sum()
        return found

    def subgame(self, members: Sequence[int]) -> MetaGame:
        """The game of these bots alone, by their numbers."""
        cells, chosen = MixtureCells(len(members), self.cells.seats), self.cells.subset_cells(members)
        rows = self.cells.mixture[chosen]
        matches = self.matches[rows[numpy.unique(cells.mixture, return_index=True)[1]]]
        names = tuple(self.bots[member] for member in sorted(members))
        return MetaGame(names, self.payoff, cells, self.sums[:, chosen], self.seats[:, chosen], matches)

    def complete_members(self) -> list[int]:
        """The bots of a subgame in which no mixture is missing: whoever is in most missing mixtures is left out, one
        after the other."""
        members = list(range(len(self.bots)))
        lacking = self.cells.counts[self.missing] > 0
        while lacking.any() and members:
            worst = max(members, key=lambda member: (int(lacking[:, member].sum()), member))
            members.remove(worst)
            lacking = lacking[~lacking[:, worst]]
        return members


def fold_meta_game(bots: Sequence[str], payoff: Payoff, matches: MixtureMatches) -> MetaGame:
    """The game of these bots from their matches. Raises UserError for too many bots."""
    cells = MixtureCells(len(bots), matches.tables.shape[1])
    mixture = cells.mixtures_at(matches.tables)
    size = len(cells.mixture)
    keys = (matches.block[:, None].astype(numpy.int64) * size + cells.number[mixture[:, None], matches.tables]).ravel()
    sums, seats = (
        numpy.bincount(keys, values, minlength=matches.blocks * size).reshape(matches.blocks, size)
        for values in (matches.payoffs.ravel(), numpy.ones(matches.tables.size))
    )
    counts = numpy.bincount(mixture, minlength=len(cells.counts))
    return MetaGame(tuple(bots), payoff, cells, sums, seats, counts)
