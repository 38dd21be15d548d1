"""What bots can expect from a population, and its regret: what the best of them gains over an average member.

The regret of a population is the largest of several gains, estimated from the same blocks. The largest of estimates is
too large where several are close, so the interval is that of V. Chernozhukov, S. Lee and A. M. Rosen, Intersection
bounds, Econometrica 81, 2013: its lower end allows for all gains that may be the largest, its upper end is the largest
of the single upper ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy

from arena.metagame.meta_game import UNMOVED, MetaGame, count_moving_blocks
from arena.metagame.mixture_cells import Array
from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.inference.student_t import t_quantile_975

NORMAL_975 = 1.959964
DRAWS = 4000
"""How many normal vectors show how large the largest of several errors is."""
LEAST_SHARE = 5e-4
"""The least share of a bot that is named in a population."""


@dataclass(frozen=True, slots=True)
class PopulationOutlook:
    """What bots can expect at a table whose other seats are drawn from a population with these ``shares``: ``payoffs``
    by bot; ``average`` is what a member earns; ``regret`` is what the ``best`` bot earns more than that. None where a
    mixture is missing."""

    shares: tuple[float, ...]
    payoffs: tuple[Estimate, ...]
    average: Estimate
    regret: Estimate
    best: int | None


def look_at_population(game: MetaGame, shares: Array) -> PopulationOutlook:
    """The outlook for a population with these shares of the game's bots. A bot that needs a missing mixture has no
    payoff; then there is no regret either."""
    expected, influence = game.expected(shares), game.expected_influence(shares)
    moved = zip(expected.tolist(), influence.T, strict=True)
    payoffs = tuple(game.combined_estimate(each, by_block) for each, by_block in moved)
    members = shares > 0
    value = float((shares[members] * expected[members]).sum())
    own = influence @ shares
    average = game.combined_estimate(value, own)
    unknown = bool(numpy.isnan(expected).any())
    regret = Estimate(None, None, None, 0) if unknown else largest_gain(expected - value, influence - own[:, None])
    best = None if unknown else int(expected.argmax())
    return PopulationOutlook(tuple(shares.tolist()), payoffs, average, regret, best)


def largest_gain(gains: Array, influence: Array) -> Estimate:
    """The largest of some gains, of which one is 0 or more, with its 95 % interval; ``influence`` is by how much each
    block moves each of them: blocks × gains."""
    value, blocks = max(float(gains.max()), 0.0), count_moving_blocks(influence)
    if blocks < LEAST_CLUSTERS:
        return Estimate(value, None, None, blocks)
    errors, draws = _errors_and_draws(influence, blocks)
    quantile, varied = t_quantile_975(blocks - 1), errors > UNMOVED
    low = _lower_end(gains[varied], errors[varied], draws, quantile / NORMAL_975, blocks)
    return Estimate(value, min(max(low, 0.0), value), max(float((gains + quantile * errors).max()), value), blocks)


def _lower_end(gains: Array, errors: Array, draws: Array, widening: float, blocks: int) -> float:
    """The lower end of the interval: the largest of the lower ends of all gains that may be the largest one."""
    wide = widening * float(numpy.quantile(draws.max(axis=1), 1 - 0.1 / log(max(blocks, 3))))
    near = gains >= (gains - wide * errors).max() - wide * errors
    reach = widening * float(numpy.quantile(draws[:, near].max(axis=1), 0.975))
    return float((gains - reach * errors)[near].max())


def upper_gain(gains: Array, influence: Array) -> float | None:
    """A bound that the largest of these gains does not exceed in 97.5 %, also where a population was chosen by the same
    matches so that its gains are small: all single upper ends hold together. None with too few blocks."""
    blocks = count_moving_blocks(influence)
    if blocks < LEAST_CLUSTERS:
        return None
    errors, draws = _errors_and_draws(influence, blocks)
    reach = t_quantile_975(blocks - 1) / NORMAL_975 * float(numpy.quantile(draws.max(axis=1), 0.975))
    return max(float((gains + reach * errors).max()), 0.0)


def _errors_and_draws(influence: Array, blocks: int) -> tuple[Array, Array]:
    """The standard error of each gain, and normal draws of the errors of all gains that vary, correlated as these
    are: draws × varied gains."""
    covariance = influence.T @ influence * blocks / (blocks - 1)
    errors = numpy.sqrt(numpy.diagonal(covariance))
    varied = errors > UNMOVED
    scale = numpy.outer(errors[varied], errors[varied])
    return errors, _normal_draws(covariance[numpy.ix_(varied, varied)] / scale)


def _normal_draws(correlation: Array) -> Array:
    """Normal vectors with this correlation matrix: always the same draws."""
    values, vectors = numpy.linalg.eigh(correlation)
    root = vectors * numpy.sqrt(values.clip(0))
    draws = numpy.random.Generator(numpy.random.PCG64(1)).standard_normal((DRAWS, len(correlation)))
    found: Array = draws @ root.T
    return found


def single_bot(bots: int, bot: int) -> Array:
    """The shares of a population of one bot alone."""
    shares = numpy.zeros(bots)
    shares[bot] = 1
    return shares


def population_text(names: Sequence[str], shares: Sequence[float]) -> str:
    """A population in words, such as ``60 % fair, 40 % greedy``."""
    if max(shares) - min(shares) < UNMOVED and len(shares) > 1:
        return "all equally often"
    parts = sorted(zip(shares, names, strict=True), key=lambda each: -each[0])
    return ", ".join(
        name if share > 1 - LEAST_SHARE else f"{100 * share:.0f} % {name}"
        for share, name in parts
        if share > LEAST_SHARE
    )
