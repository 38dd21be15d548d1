"""The game as arrays that other programs read: OpenSpiel's heuristic payoff table and payoff tensor, and the records of
pairs that NegMAS makes its payoff matrix of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

import numpy

from arena.metagame.meta_game import MetaGame
from arena.metagame.mixture_cells import Array
from arena.metagame.population import single_bot

MOST_NUMBERS = 10_000_000
"""The most numbers of a payoff tensor, which has seats × bots^seats of them."""


class PairRecord(NamedTuple):
    """What one bot (the ``strategy``) earned among copies of another (its ``partner``) in a block (the ``scenario``),
    in the columns of ``negmas.tournaments.analysis.load_records``."""

    strategy: str
    partner: str
    scenario: str
    utility: float
    reserved_value: float
    advantage: float


def heuristic_payoff_table(game: MetaGame) -> Array:
    """A row for each mixture: how often each bot sits in it, then what each bot earns in it: 0 where it is not in it,
    nan where the mixture is missing. OpenSpiel reads it with
    ``open_spiel.python.egt.heuristic_payoff_table.from_heuristic_payoff_table``."""
    payoffs = numpy.zeros(game.cells.counts.shape)
    payoffs[game.cells.mixture, game.cells.bot] = game.means
    return numpy.concatenate([game.cells.counts.astype(float), payoffs], axis=1)


def payoff_tensor(game: MetaGame) -> Array | None:
    """The payoffs of each seat for every choice of a bot by every seat: seats × bots × … × bots, as
    ``open_spiel.python.egt.utils.game_payoffs_array`` gives them; None beyond :data:`MOST_NUMBERS`."""
    bots, seats = len(game.bots), game.cells.seats
    if seats * bots**seats > MOST_NUMBERS:
        return None
    tables = numpy.array(list(product(range(bots), repeat=seats)))
    cells = game.cells.number[game.cells.mixtures_at(tables)[:, None], tables]
    found: Array = game.means[cells].T.reshape(seats, *[bots] * seats)
    return found


def among_copies_matrix(game: MetaGame) -> Array:
    """What each bot (by row) earns alone among copies of each bot (by column)."""
    size = len(game.bots)
    return numpy.stack([game.expected(single_bot(size, resident)) for resident in range(size)], axis=1)


def pair_records(game: MetaGame) -> Iterator[PairRecord]:
    """What each bot earned among copies of each other bot, and of itself, in each block that has such a match."""
    bots = range(len(game.bots))
    for one, two in [*((bot, bot) for bot in bots), *permutations(bots, 2)]:
        table = numpy.array([[one, *[two] * (game.cells.seats - 1)]])
        cell = int(game.cells.number[game.cells.mixtures_at(table)[0], one])
        for block in numpy.flatnonzero(game.seats[:, cell]).tolist():
            value = float(game.sums[block, cell] / game.seats[block, cell])
            yield PairRecord(game.bots[one], game.bots[two], f"block {block}", value, 0.0, value)
