"""Made-up games of many seats, whose true payoffs are known: matches are drawn from them."""

from __future__ import annotations

import numpy

from arena.metagame.meta_game import MetaGame
from arena.metagame.mixture_cells import Array, MixtureCells
from arena.metagame.payoff import Payoff

NAMES = "abcdefgh"
CIRCLE = numpy.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], dtype=float)
"""What the bots of a circle gain from each other: a beats b, b beats c, c beats a."""


def payoffs_by_pairs(gains: Array, seats: int) -> Array:
    """The payoff of each cell where each opponent costs a bot what it gains from it: ``gains`` by bot and opponent."""
    cells = MixtureCells(len(gains), seats)
    found: Array = (cells.opponents * gains[cells.bot]).sum(axis=1) / (seats - 1)
    return found


def random_payoffs(bots: int, seats: int, random: numpy.random.Generator) -> Array:
    """Payoffs of each cell: from pairs, and one half as large from each mixture."""
    cells = MixtureCells(bots, seats)
    return payoffs_by_pairs(random.normal(0, 1, (bots, bots)), seats) + random.normal(0, 0.5, len(cells.mixture))


def game_of(payoffs: Array, bots: int, seats: int, payoff: Payoff = Payoff.MONEY, blocks: int = 1) -> MetaGame:
    """The game in which each block shows exactly these payoffs."""
    cells = MixtureCells(bots, seats)
    sums = numpy.tile(payoffs, (blocks, 1))
    matches = numpy.full(len(cells.counts), blocks)
    return MetaGame(tuple(NAMES[:bots]), payoff, cells, sums, numpy.ones_like(sums), matches)


def drawn_game(
    truth: MetaGame, blocks: int, noise: float, random: numpy.random.Generator, skewed: bool = False
) -> MetaGame:
    """The game as this number of blocks shows it. The ``noise`` of a block is the deviation of a cell: half of its
    variance is common to all cells of the block, which weigh it differently; ``skewed`` noise is exponential."""
    size = truth.sums.shape[1]

    def errors(shape: tuple[int, ...]) -> Array:
        return random.exponential(1, shape) - 1 if skewed else random.normal(0, 1, shape)

    common = errors((blocks, 1)) * numpy.linspace(-1.6, 1.6, size)
    sums = truth.means + noise * (common + errors((blocks, size))) / 2**0.5
    matches = numpy.full(len(truth.cells.counts), blocks)
    return MetaGame(truth.bots, truth.payoff, truth.cells, sums, numpy.ones_like(sums), matches)
