"""Means and their 95 % intervals, when matches of one block may share deals.

Matches with the same deal are not independent, so an interval that treated them as independent would be too narrow. All
matches of a deal are in one block, which is therefore one observation (a cluster), however many matches it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist

_T_975 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""For 1…30 degrees of freedom: Abramowitz & Stegun, Handbook of Mathematical Functions, 1964, table 26.10."""

LEAST_CLUSTERS = 3
"""Fewer show too little of how much clusters differ: two of them are often alike by chance, or so far apart that the
interval says nothing."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval from ``low`` to ``high``, in the unit of what was measured.

    ``mean`` is None without observations, ``low`` and ``high`` where no interval can be told; ``clusters`` is the
    number of clusters that had observations. The mean lies in the interval, not always in its middle.
    """

    mean: float | None
    low: float | None
    high: float | None
    clusters: int

    @staticmethod
    def around(mean: float, half_width: float | None, clusters: int) -> Estimate:
        """One whose interval reaches as far to both sides; without a ``half_width``, one without interval."""
        if half_width is None:
            return Estimate(mean, None, None, clusters)
        return Estimate(mean, mean - half_width, mean + half_width, clusters)

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def t_quantile_975(df: int) -> float:
    """Student's t for a two-sided 95 % interval, within 0.0005; ``df`` is the degrees of freedom, 1 or more.

    From a table up to 30, beyond that by the Cornish-Fisher expansion about the normal quantile,
    Abramowitz & Stegun 26.7.5. Raises ValueError for df < 1.
    """
    if df < 1:
        raise ValueError(f"expected 1 degree of freedom or more, got {df}")
    if df <= len(_T_975):
        return _T_975[df - 1]
    x = NormalDist().inv_cdf(0.975)
    terms = (
        x,
        (x**3 + x) / 4 / df,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96 / df**2,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384 / df**3,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160 / df**4,
    )
    return fsum(terms)


def clustered_mean(clusters: Iterable[tuple[float, int]], share: bool = False) -> Estimate:
    """The mean of all observations, with its 95 % interval clustered by block.

    Each cluster is ``(sum of its observations, their number)``; those without observations are left out.
    The mean is the ratio of both totals, R = Y/M. With residuals e = y - R*m of the G clusters its linearised
    variance is G/(G-1) * Σe² / M², and the interval is R ± t * √variance with G-1 degrees of freedom
    (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, chapters 6 and 9A). When all clusters are of one size
    this is the textbook interval for the mean of the G cluster means. The order of clusters does not matter.

    A ``share`` lies between 0 and 1. Where every observation is 0, or every one is 1, the clusters do not differ, and
    the interval reaches as far as the share can lie from there: if it is p, a cluster shows none of it with probability
    1 - p at most, and G clusters do with (1 - p)^G; so it reaches to the p at which that is 5 %.
    """
    filled = [(total, count) for total, count in clusters if count]
    size, observations = len(filled), sum([count for _, count in filled])
    if not observations:
        return Estimate(None, None, None, 0)
    mean = fsum([total for total, _ in filled]) / observations
    if size < LEAST_CLUSTERS:
        return Estimate(mean, None, None, size)
    if share and mean in (0, 1):
        return Estimate.around(mean, 1 - 0.05 ** (1 / size), size)
    squares = fsum([(total - mean * count) ** 2 for total, count in filled])
    error = sqrt(size / (size - 1) * squares) / observations
    return Estimate.around(mean, t_quantile_975(size - 1) * error, size)
