"""An interval for a mean that holds at all times at once, however often somebody looks.

For every mean that is possible there is a wager that it is not the true one: how much more likely the observations are
if their mean lies some deviations off, averaged over how far off, than if it does not, whatever the deviation is. Were
it the true mean, the wager could not be expected to grow, so with a probability of 95 % it never reaches 20 times what
it began with (J. Ville, 1939); where it does, the mean is excluded. (H. Wang and A. Ramdas, Anytime-valid t-tests and
confidence sequences for Gaussian means with unknown variance, Sequential Analysis 44, 2025; the wager is the Bayes
factor of M. Gönen, W. Johnson, Y. Lu and P. Westfall, The Bayesian two-sample t test, American Statistician 59, 2005.)
This is exact for normal observations, and holds for others as far as their sums are about normal.
"""

from __future__ import annotations

from math import inf, sqrt

PRIOR_VARIANCE = 0.3
"""The variance of the number of deviations by which a mean may be off. With it the interval is 1.6 times as wide as the
ordinary one from 25 to 150 observations, and hardly wider before and after."""


def anytime_half_width(count: int, variance: float, alpha: float = 0.05) -> float:
    """The half-width of the interval after ``count`` observations with this sample ``variance``; infinite while these
    are too few to exclude anything."""
    if count < 2:
        return inf
    shrunk = 1 / (1 + count * PRIOR_VARIANCE)
    grown = (1 / (alpha * sqrt(shrunk))) ** (2 / count)
    if shrunk * grown >= 1:
        return inf
    return sqrt((count - 1) * (grown - 1) / (1 - shrunk * grown) * variance / count)
