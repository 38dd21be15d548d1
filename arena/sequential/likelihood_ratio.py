"""The largest likelihood of observations whose mean is a given number of their standard deviations.

The only assumption is that observations take finitely many values. Among all probabilities of these values for which
the mean is *t* times the standard deviation, the search is for those that make the observations most likely. They have
the form p = w / (1 + x * φ), where w are the observed shares, φ is the gradient of mean - t * deviation at p, and x a
multiplier that makes the mean of φ zero (A. Owen, Empirical Likelihood, 2001, for φ linear; M. Van den Bergh, A
Practical Introduction to the GSPRT, for effects in units of the deviation).
"""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]

MOST_ROUNDS = 60
"""The most rounds, in each of which probabilities are computed from their mean and deviation, and these again from
them."""
MULTIPLIER_STEPS = 80
"""The most steps to find one multiplier; each at least halves the range in which it can lie."""
CLOSE_MEAN = 1e-5
"""The search for a mean ends when it moves by less than this part of a deviation; the likelihood can then still grow by
about the square."""
EXACT_MULTIPLIER = 1e-8
"""The search for a multiplier ends when it moves by less than this."""


def log_likelihoods(values: Floats, weights: Floats, effects: Floats) -> Floats:
    """The largest log-likelihood of each row under its effect, less the largest without any condition: 0 if the
    observations have that very effect, else negative.

    ``values`` are the possible outcomes, ascending, the first below zero and the last above it, of shape (outcomes,) or
    (rows, outcomes); ``weights``, of shape (rows, outcomes), say how often each came, those of the first and last above
    zero; ``effects`` are the wanted ratios of mean and deviation, one a row.
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
    found = _climb_likelihood(values, shares, effects, mean.copy(), deviation.copy())
    # Below the wanted effect there may be two maxima: near the observations, and with more weight at the far end.
    below = numpy.flatnonzero((mean < effects * deviation) & (effects > 0))
    if len(below):
        start = values[below, -1] * effects[below] ** 2 / (1 + effects[below] ** 2)
        far = _climb_likelihood(values[below], shares[below], effects[below], start, start / effects[below])
        found[below] = numpy.maximum(found[below], far)
    most: Floats = found * total
    return most


def _climb_likelihood(values: Floats, shares: Floats, effects: Floats, mean: Floats, deviation: Floats) -> Floats:
    """The log-likelihood of one observation, starting from this ``mean`` and ``deviation``, which are overwritten;
    minus infinity for a row for which no probabilities are possible.

    Since deviation ≤ (E(X - c)² / s + s) / 2 for every c and s, with equality at c = mean and s = deviation, the means
    of φ below are zero only where mean ≥ t * deviation; so every round starts where there is a solution.
    """
    found = numpy.full(len(shares), -numpy.inf)
    rows, at = numpy.arange(len(shares)), numpy.zeros(len(shares))
    for _ in range(MOST_ROUNDS):
        here = values[rows], shares[rows], effects[rows]
        slope = _slope(*here, mean[rows], deviation[rows])
        can = (slope.max(axis=1) > 0) & (slope.min(axis=1) < 0)
        if not can.all():
            rows, slope, here = rows[can], slope[can], (here[0][can], here[1][can], here[2][can])
        if not len(rows):
            break
        at[rows] = _multipliers(slope, here[1], at[rows])
        tilted = 1 + at[rows, None] * slope
        found[rows] = -(here[1] * numpy.log(tilted)).sum(axis=1)
        centre, width = _moments(here[0], here[1] / tilted)
        moved = numpy.maximum(numpy.abs(centre - mean[rows]), numpy.abs(width - deviation[rows])) > CLOSE_MEAN * width
        mean[rows], deviation[rows] = centre, width
        rows = rows[moved]
    return found


def _slope(values: Floats, shares: Floats, effects: Floats, mean: Floats, deviation: Floats) -> Floats:
    """φ: the gradient of mean - t * deviation; the mean of φ is zero where mean - t * deviation is. Values without a
    share get 0, so that they bound no multiplier."""
    off = (values - mean[:, None]) ** 2 / deviation[:, None] + deviation[:, None]
    return numpy.where(shares > 0, values - effects[:, None] * off / 2, 0)


def _multipliers(slope: Floats, shares: Floats, first: Floats) -> Floats:
    """For each row the x at which Σ w * φ / (1 + x * φ) is 0, by Newton's steps from the ``first`` on, or by halving
    where these lead out of the range that is left. No probability is above 1, so 1 + x * φ ≥ w bounds x from both
    sides."""
    each = numpy.arange(len(slope))
    least, most = slope.argmin(axis=1), slope.argmax(axis=1)
    low = -(1 - shares[each, most]) / slope[each, most]
    high = -(1 - shares[each, least]) / slope[each, least]
    at = numpy.where((first > low) & (first < high), first, 0.0)
    found = at.copy()
    for _ in range(MULTIPLIER_STEPS):
        part = slope / (1 + at[:, None] * slope)
        weighted = shares * part
        value = weighted.sum(axis=1)
        above = value > 0
        low, high = numpy.where(above, at, low), numpy.where(above, high, at)
        step = at + value / (weighted * part).sum(axis=1)
        after = numpy.where((step > low) & (step < high), step, (low + high) / 2)
        left = numpy.abs(after - at) > EXACT_MULTIPLIER * (1 + numpy.abs(at))
        found[each] = after
        if not left.any():
            break
        if left.all():
            at = after
        else:
            each, slope, shares = each[left], slope[left], shares[left]
            low, high, at = low[left], high[left], after[left]
    return found


def _moments(values: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each row."""
    whole = shares.sum(axis=1)
    mean = (shares * values).sum(axis=1) / whole
    return mean, numpy.sqrt((shares * (values - mean[:, None]) ** 2).sum(axis=1) / whole)
