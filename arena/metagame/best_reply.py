"""Whether one bot is best against everybody: best whatever the other seats are, or whether nobody is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from arena.metagame.meta_game import UNMOVED, MetaGame, count_moving_blocks
from arena.metagame.mixture_cells import Array, MixtureCells
from arena.metagame.population import NORMAL_975
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.inference.student_t import t_quantile_975

NOT_BEST_CHANCE = 0.05
"""A bot is shown not to be best against everybody where chance gives as much with at most this probability."""


@dataclass(frozen=True, slots=True)
class BestReplies:
    """For how many sets of ``opponents`` each bot is the best reply (``best``, by bot), and with which probability
    chance alone makes it look as bad as it does where it is worst, if it were best against everybody (``chances``, by
    bot; None with too few blocks)."""

    opponents: int
    best: tuple[int, ...]
    chances: tuple[float, ...] | None

    @property
    def may_be_best(self) -> list[int]:
        """The bots that may still be best against everybody: the test has not excluded them."""
        if self.chances is None:
            return list(range(len(self.best)))
        return [bot for bot, chance in enumerate(self.chances) if chance > NOT_BEST_CHANCE]

    @property
    def nobody_is(self) -> bool:
        """Whether it is shown that no bot is best against everybody."""
        return self.opponents > 0 and not self.may_be_best


def find_best_replies(game: MetaGame, resampled: Array) -> BestReplies:
    """The best replies to all sets of opponents at which every bot has sat, and whether one is always the same: for
    each bot, the largest ratio of a gain that another reply would bring to the gain's error is compared with the
    largest in each of the ``resampled`` means of cells."""
    size = len(game.bots)
    replies = _reply_cells(game)
    replies = replies[~numpy.isnan(game.means[replies]).any(axis=1)]
    if not len(replies):
        return BestReplies(0, (0,) * size, None)
    best = numpy.bincount(game.means[replies].argmax(axis=1), minlength=size)
    blocks = count_moving_blocks(game.influence)
    if blocks < LEAST_CLUSTERS:
        return BestReplies(len(replies), tuple(best.tolist()), None)
    noise = numpy.nan_to_num(resampled - game.means)
    chances = tuple(_best_chance(game, replies, bot, noise, blocks) for bot in range(size))
    return BestReplies(len(replies), tuple(best.tolist()), chances)


def _best_chance(game: MetaGame, replies: Array, bot: int, noise: Array, blocks: int) -> float:
    """The probability that this bot looks as bad as it does where it is worst, if it were best against everybody."""
    gains, by_chance, moved = (_other_gains(values, replies, bot) for values in (game.means, noise, game.influence))
    errors = numpy.sqrt((moved * moved).sum(axis=0) * blocks / (blocks - 1))
    varied = errors > UNMOVED
    if (gains[~varied] > UNMOVED).any():
        return 0.0
    if not varied.any():
        return 1.0
    seen = (gains[varied] / errors[varied]).max()
    widening = t_quantile_975(blocks - 1) / NORMAL_975
    largest = widening * (by_chance[:, varied] / errors[varied]).max(axis=1)
    return (1 + int((largest >= seen).sum())) / (1 + len(largest))


def _other_gains(values: Array, replies: Array, bot: int) -> Array:
    """What other replies bring beyond this bot's, from values of cells: … × cells becomes … × gains."""
    at = values[..., replies]
    gains = numpy.delete(at, bot, axis=-1) - at[..., bot : bot + 1]
    return gains.reshape(*values.shape[:-1], -1)


def _reply_cells(game: MetaGame) -> Array:
    """For each set of opponents the cell of each bot that joins them: sets × bots."""
    others = MixtureCells(len(game.bots), game.cells.seats - 1).counts
    tables = numpy.stack([numpy.repeat(numpy.arange(len(game.bots)), row) for row in others])
    bots = numpy.arange(len(game.bots))
    joined = numpy.concatenate(
        [numpy.repeat(tables, len(bots), axis=0), numpy.tile(bots, len(tables))[:, None]], axis=1
    )
    mixtures = game.cells.mixtures_at(joined).reshape(len(tables), len(bots))
    return game.cells.number[mixtures, bots]
