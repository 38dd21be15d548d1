"""How likely observations are at most, if their mean is a given number of their standard deviations.

Of observations that take finitely many values, nothing is assumed but that: whatever probabilities these values have,
those are looked for that make the observations most likely among all whose mean is *t* times their standard deviation.
They are of the form p = w / (1 + x * φ), where w are the observed shares, φ is the gradient of mean - t * deviation at
p, and x a multiplier that makes the mean of φ zero (A. Owen, Empirical Likelihood, 2001, for φ linear; M. Van den
Bergh, A Practical Introduction to the GSPRT, for effects in units of the deviation).
"""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]

ROUNDS = 60
"""Rounds at most, in which probabilities and their mean and deviation follow from each other."""
STEPS = 80
"""Steps at most that find one multiplier; each at least halves where it can lie."""
CLOSE = 1e-10


def log_likelihoods(values: Floats, weights: Floats, effects: Floats) -> Floats:
    """The largest log-likelihood for each row, less that without any condition: 0 where the observations have that
    effect, below it elsewhere.

    ``values`` are the possible outcomes, ascending, the first below zero and the last above it, of shape (outcomes,) or
    (rows, outcomes); ``weights``, of shape (rows, outcomes), say how often each came and are above zero; ``effects``
    are the wanted ratios of mean and deviation, one a row.
    """
    effects = numpy.asarray(effects, dtype=numpy.float64)
    values = numpy.broadcast_to(values, weights.shape)
    down = effects < 0
    values = numpy.where(down[:, None], -values[:, ::-1], values)
    weights = numpy.where(down[:, None], weights[:, ::-1], weights)
    effects = numpy.abs(effects)
    total = weights.sum(axis=1)
    shares = weights / total[:, None]
    mean, deviation = _moments(values, shares)
    found = _climb(values, shares, effects, mean, deviation)
    # Below the wanted effect there may be two maxima: near the observations, and with more weight at the far end.
    below = numpy.flatnonzero((mean < effects * deviation) & (effects > 0))
    if len(below):
        start = values[below, -1] * effects[below] ** 2 / (1 + effects[below] ** 2)
        far = _climb(values[below], shares[below], effects[below], start, start / effects[below])
        found[below] = numpy.maximum(found[below], far)
    most: Floats = found * total
    return most


def _climb(values: Floats, shares: Floats, effects: Floats, mean: Floats, deviation: Floats) -> Floats:
    """The log-likelihood of one observation, from this ``mean`` and ``deviation`` on; minus infinity for a row in which
    these leave no probabilities at all.

    Since deviation ≤ (E(X - c)² / s + s) / 2 for every c and s, with equality at c = mean and s = deviation, the means
    of φ below are zero only where mean ≥ t * deviation; so every round starts where there is a solution.
    """
    found = numpy.full(len(shares), -numpy.inf)
    rows = numpy.arange(len(shares))
    for _ in range(ROUNDS):
        slope = (
            values - effects[:, None] * ((values - mean[:, None]) ** 2 / deviation[:, None] + deviation[:, None]) / 2
        )
        can = (slope.max(axis=1) > 0) & (slope.min(axis=1) < 0)
        if not can.all():
            rows, values, shares, effects, slope = rows[can], values[can], shares[can], effects[can], slope[can]
            mean, deviation = mean[can], deviation[can]
        if not len(rows):
            break
        tilted = 1 + _multipliers(slope, shares)[:, None] * slope
        found[rows] = -(shares * numpy.log(tilted)).sum(axis=1)
        before = mean, deviation
        mean, deviation = _moments(values, shares / tilted)
        moved = numpy.maximum(numpy.abs(mean - before[0]), numpy.abs(deviation - before[1])) > CLOSE * deviation
        if not moved.any():
            break
        rows, values, shares, effects = rows[moved], values[moved], shares[moved], effects[moved]
        mean, deviation = mean[moved], deviation[moved]
    return found


def _multipliers(slope: Floats, shares: Floats) -> Floats:
    """For each row the x at which Σ w * φ / (1 + x * φ) is 0, by Newton's steps, or halving where these lead out of
    what is left. No probability is above 1, so 1 + x * φ ≥ w bounds x from both sides."""
    each = numpy.arange(len(slope))
    least, most = slope.argmin(axis=1), slope.argmax(axis=1)
    low = -(1 - shares[each, most]) / slope[each, most]
    high = -(1 - shares[each, least]) / slope[each, least]
    at = numpy.clip(numpy.zeros(len(slope)), low, high)
    for _ in range(STEPS):
        part = slope / (1 + at[:, None] * slope)
        value = (shares * part).sum(axis=1)
        steep = (shares * part * part).sum(axis=1)
        low, high = numpy.where(value > 0, at, low), numpy.where(value > 0, high, at)
        step = at + value / steep
        after = numpy.where((step > low) & (step < high), step, (low + high) / 2)
        done = numpy.abs(after - at) <= CLOSE * (numpy.abs(at) + CLOSE)
        at = after
        if done.all():
            break
    return at


def _moments(values: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each row."""
    whole = shares.sum(axis=1)
    mean = (shares * values).sum(axis=1) / whole
    return mean, numpy.sqrt((shares * (values - mean[:, None]) ** 2).sum(axis=1) / whole)
