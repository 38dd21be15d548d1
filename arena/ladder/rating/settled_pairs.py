"""Which pairs of a ladder are settled: told apart, or shown to be as good as equal.

Two bots are as good as equal where the share of matches in which one finishes above the other, of those in which they
share no rank, is within an *indifference* of one half. As log-worths a and b make that share 1 / (1 + exp(b - a)), the
zone reaches as far as ln((1/2 + indifference) / (1/2 - indifference)) to both sides of 0.

A pair whose 95 % interval of a - b leaves out 0 is *apart*: it is known who is better. One whose whole interval lies in
the zone, and holds 0, is *equal*. Any interval that reaches no further than half the zone to both sides does one or the
other, wherever its middle is; so no pair stays *open* for ever, as those at the edge of the zone would if they were
apart only where the interval leaves out the whole zone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, log

import numpy

from arena.ratings.order_columns import Numbers
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.inference.student_t import t_quantile_975

ROUNDING_DECIMALS = 9
"""Differences and intervals are rounded to this many decimals before any decision."""


@dataclass(frozen=True, slots=True)
class SettledCounts:
    """How many pairs are told ``apart``, are as good as ``equal``, or are neither (``open``); ``unrated`` pairs are on
    no common scale."""

    apart: int
    equal: int
    open: int
    unrated: int


@dataclass(frozen=True, slots=True)
class PairMatrices:
    """All pairs of a scale as square matrices, by the numbers of both players: whether they are told ``apart``, whether
    they are ``equal``, and the ``difference`` of their log-worths. With fewer than
    :data:`arena.tournament.inference.intervals.LEAST_CLUSTERS` blocks they are neither."""

    apart: Numbers
    equal: Numbers
    difference: Numbers

    @property
    def open(self) -> Numbers:
        """Whether pairs are neither apart nor equal; false on the diagonal."""
        found: Numbers = ~(self.apart | self.equal)
        numpy.fill_diagonal(found, False)
        return found


def equal_zone(indifference: float) -> float:
    """Return the largest difference of log-worths that counts as equal; ``indifference`` is below one half."""
    return log((0.5 + indifference) / (0.5 - indifference))


def pairs_of(scale: RatingScale, indifference: float, times: float = 1.0) -> PairMatrices:
    """Return the pairs of a scale of log-worths, judged by intervals ``times`` as wide as those of 95 %."""
    difference = numpy.round(scale.values[:, None] - scale.values[None, :], ROUNDING_DECIMALS)
    spread = numpy.diagonal(scale.covariance)
    variance = numpy.maximum(spread[:, None] + spread[None, :] - 2 * scale.covariance, 0.0)
    each = numpy.array(
        [_interval_quantile(*of) for of in zip(scale.blocks.tolist(), scale.equal.tolist(), strict=True)]
    )
    reach = times * numpy.maximum(each[:, None], each[None, :])
    known = numpy.isfinite(reach) & (variance > 0)
    width = numpy.full(variance.shape, inf)
    width[known] = numpy.round(reach[known] * numpy.sqrt(variance[known]), ROUNDING_DECIMALS)
    apart = numpy.abs(difference) > width
    equal = ~apart & (numpy.abs(difference) + width <= equal_zone(indifference))
    numpy.fill_diagonal(equal, False)
    return PairMatrices(apart, equal, difference)


def count_settled_pairs(scales: Sequence[RatingScale], names: Iterable[str], indifference: float) -> SettledCounts:
    """How many pairs of these ``names`` are settled by the scales of log-worths of :func:`arena.ratings.rate_orders`.
    Scales are not compared with each other: a pair on two of them, or on none, is unrated."""
    apart = equal = open_ = 0
    wanted = set(names)
    for scale in scales:
        members = [at for at, name in enumerate(scale.names) if name in wanted]
        if len(members) > 1:
            pairs = pairs_of(scale.scale_of(members), indifference)
            apart += int(pairs.apart.sum()) // 2
            equal += int(pairs.equal.sum()) // 2
            open_ += int(pairs.open.sum()) // 2
    count = len(wanted)
    return SettledCounts(apart, equal, open_, count * (count - 1) // 2 - apart - equal - open_)


def _interval_quantile(blocks: int, equal: float) -> float:
    """Return Student's t for an interval from ``blocks`` blocks that are worth ``equal`` blocks of the same size."""
    return inf if blocks < LEAST_CLUSTERS else t_quantile_975(max(1.0, round(equal - 1, 9)))
