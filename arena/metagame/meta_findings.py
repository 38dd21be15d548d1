"""All that is found of one game of many seats: each figure is computed when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy

from arena.metagame.best_reply import BestReplies, find_best_replies
from arena.metagame.invasions import InvasionGraph, find_invasions, resampled_means
from arena.metagame.least_regret import LeastRegretMixture, find_least_regret
from arena.metagame.meta_game import MetaGame
from arena.metagame.mixture_cells import Array, mixture_text
from arena.metagame.payoff_arrays import among_copies_matrix, heuristic_payoff_table, payoff_tensor
from arena.metagame.population import PopulationOutlook, look_at_population


@dataclass(frozen=True)
class MetaFindings:
    """The ``game`` of the matches of an ``edition``, whose money is in ``unit``. ``entrants`` has the names under which
    each bot entered, by bot."""

    edition: str
    unit: str
    game: MetaGame
    entrants: tuple[tuple[str, ...], ...]

    @cached_property
    def _resampled(self) -> Array:
        return resampled_means(self.game)

    @cached_property
    def missing(self) -> list[str]:
        """The mixtures without a match that are needed, in words."""
        return [mixture_text(self.game.bots, self.game.cells.counts[at].tolist()) for at in self.game.missing]

    @cached_property
    def members(self) -> list[int]:
        """The numbers of the bots of whose mixtures none is missing."""
        return self.game.complete_members()

    @cached_property
    def graph(self) -> InvasionGraph:
        """Who can invade whom, and the cycles of that."""
        return find_invasions(self.game, self._resampled)

    @cached_property
    def best_replies(self) -> BestReplies:
        """Whether one bot is best against everybody."""
        return find_best_replies(self.game, self._resampled)

    @cached_property
    def least_regret(self) -> list[LeastRegretMixture]:
        """The populations of least regret, among the bots of whose mixtures none is missing; the shares of others are
        0."""
        if len(self.members) < 2:
            return []
        found = []
        for each in find_least_regret(self.game.subgame(self.members)):
            shares = numpy.zeros(len(self.game.bots))
            shares[self.members] = each.shares
            found.append(replace(each, shares=tuple(shares.tolist())))
        return found

    def population(self, shares: Mapping[str, float] | None = None) -> PopulationOutlook:
        """What each bot can expect from a population with these shares by bot (None: all equally often), and the
        population's regret. Raises UserError for unknown bots and shares that cannot be."""
        chosen = self.game.shares_of(dict.fromkeys(self.game.bots, 1.0) if shares is None else shares)
        return look_at_population(self.game, chosen)

    @property
    def payoff_table(self) -> Array:
        """OpenSpiel's heuristic payoff table (:func:`arena.metagame.payoff_arrays.heuristic_payoff_table`)."""
        return heuristic_payoff_table(self.game)

    @property
    def payoff_tensor(self) -> Array | None:
        """The payoff tensor (:func:`arena.metagame.payoff_arrays.payoff_tensor`)."""
        return payoff_tensor(self.game)

    @property
    def payoff_matrix(self) -> Array:
        """What each bot (by row) earns alone among copies of each bot (by column)."""
        return among_copies_matrix(self.game)
