"""An interval for a mean that holds at all times at once, however often somebody looks.

A mean is excluded where H. Chernoff's bound (Annals of Mathematical Statistics 23, 1952) for observations with that
mean falls below what the interval allows, with the distribution that the observations show in the place of the true
one. So the interval reaches to the means of the tilted distributions, those that lie nearest to what was observed for
their mean (B. Efron, Nonparametric standard errors and confidence intervals, Canadian Journal of Statistics 9, 1981):
farther to the side on which observations lie far off.

What is allowed is that of repeated confidence intervals: one multiple of the ordinary interval, at all looks from a
first one to a last one that are fixed beforehand (C. Jennison & B. Turnbull, Repeated confidence intervals for group
sequential clinical trials, Controlled Clinical Trials 5, 1984). Beyond the last look the multiple grows with the
logarithm of the number of observations. The multiple comes from simulation, so this is no theorem for all
distributions: ``python tests/bench/sequential.py --interval`` says how often it holds, and ``--width`` what any such
interval must cost.
"""

from __future__ import annotations

from math import log

import numpy

from arena.sequential.likelihood_ratio import Floats
from arena.tournament.inference.student_t import t_quantile_975

FIRST_LOOK = 10
"""Observations before the interval begins; until then it is the whole range."""
LAST_LOOK = 1000
"""Observations up to which the multiple is constant."""
MULTIPLE = 1.6
"""The multiple of the ordinary interval."""
GROWTH = 4.0
"""Beyond LAST_LOOK, squared standard errors more for each unit of the logarithm of the number of observations: so all
later looks together miss in about 1 of 200 cases."""
UNSEEN_END = 1.0
"""The weight, in observations, of an end of the range as long as nothing came near it; (1 + k)³ times less when k
observations did. So rare large ones that have not come yet are allowed for while little is known of their side."""
NEAR_PART = 0.25
"""An observation that lies this part of the way from zero to an end, or farther, has come near it; nearer to zero it
counts as the fourth power of its distance. Small ones say little of how large they may become."""
MOST_STEPS = 200
"""The most steps to find a tilt; each at least halves the range in which it can lie, or doubles it."""
LEAST_DEVIATION = 1e-3
"""The search for a tilt begins as if the observations had at least this deviation, in parts of the bound."""
EXACT_INFORMATION = 1e-12
"""The search for a tilt ends when its information is known to this part."""


def anytime_intervals(values: Floats, counts: Floats, bound: float) -> tuple[Floats, Floats]:
    """The lower and the upper end of the 95 % interval for each row of ``counts``: ``counts[row, i]`` is how often the
    observation ``values[i]`` occurred, which lies within ``bound`` of zero. The order of observations does not
    matter."""
    ends = numpy.array([-bound, bound])
    support = numpy.union1d(values, ends)
    weights = numpy.zeros((len(counts), len(support)))
    weights[:, numpy.searchsorted(support, values)] = counts
    near = numpy.minimum(1.0, numpy.abs(support) / (NEAR_PART * bound)) ** 4
    came_near = weights @ numpy.stack([near * (support < 0), near * (support > 0)], axis=1)
    weights[:, [0, -1]] += UNSEEN_END / (1 + came_near) ** 3
    shares = weights / weights.sum(axis=1)[:, None]
    each = zip(counts.sum(axis=1).tolist(), _shown_degrees(values, counts).tolist(), strict=True)
    allowed = numpy.array([allowed_information(count, degrees) for count, degrees in each])
    highs = _farthest_means(support, shares, allowed)
    lows = -_farthest_means(-support[::-1], shares[:, ::-1], allowed)
    return lows, highs


def allowed_information(count: float, degrees: float) -> float:
    """How far a distribution may lie from the one that is observed after ``count`` observations for its mean to lie
    within the interval: the Kullback–Leibler information of one observation, in nats; infinite before the first look.
    ``degrees`` are those of freedom that the observations show."""
    if count < FIRST_LOOK:
        return numpy.inf
    errors = MULTIPLE * t_quantile_975(min(count - 1, degrees))
    return (errors**2 + GROWTH * max(0.0, log(count / LAST_LOOK))) / (2 * (count - 1))


def _shown_degrees(values: Floats, counts: Floats) -> Floats:
    """For each row the degrees of freedom that :func:`arena.tournament.inference.intervals.shown_degrees` finds;
    infinite where all observations are equal."""
    whole = numpy.maximum(counts.sum(axis=1), 1.0)
    squares = (values - (counts @ values / whole)[:, None]) ** 2
    second, fourth = ((counts * part).sum(axis=1) / whole for part in (squares, squares**2))
    with numpy.errstate(divide="ignore", invalid="ignore"):
        degrees = 2 * whole / (fourth / second**2 - 1)
    return numpy.where((second > 0) & (degrees > 0), numpy.maximum(degrees, 1.0), numpy.inf)


def _farthest_means(support: Floats, shares: Floats, allowed: Floats) -> Floats:
    """The largest mean of each row's tilted distributions, with probabilities ∝ share · exp(tilt · value), whose
    information about the row is as allowed: the end of the support where no tilt has as much. The information grows
    with the tilt, so Newton's steps find it, or halving and doubling where these lead out of the range that is left."""
    found = numpy.full(len(shares), support[-1])
    rows = numpy.flatnonzero(allowed < -numpy.log(shares[:, -1]))
    means = shares @ support
    variances = numpy.maximum(shares[rows] @ support**2 - means[rows] ** 2, (LEAST_DEVIATION * support[-1]) ** 2)
    tilt = numpy.sqrt(2 * allowed[rows] / variances)
    low, high = numpy.zeros(len(rows)), numpy.full(len(rows), numpy.inf)
    for _ in range(MOST_STEPS):
        likely = shares[rows] * numpy.exp(tilt[:, None] * (support - support[-1]))
        whole = likely.sum(axis=1)
        mean = likely @ support / whole
        spread = likely @ support**2 / whole - mean**2
        missing = allowed[rows] - (tilt * (mean - support[-1]) - numpy.log(whole))
        found[rows] = mean
        low, high = numpy.where(missing > 0, tilt, low), numpy.where(missing > 0, high, tilt)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            step = tilt + missing / (tilt * spread)
        halved = numpy.where(numpy.isfinite(high), (low + high) / 2, 2 * tilt)
        after = numpy.where((step > low) & (step < numpy.minimum(high, 4 * tilt)), step, halved)
        left = numpy.abs(missing) > EXACT_INFORMATION * allowed[rows]
        if not left.any():
            break
        rows, tilt, low, high = rows[left], after[left], low[left], high[left]
    return found
