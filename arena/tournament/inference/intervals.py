"""Means and their 95 % intervals, when matches of one block may share deals.

Matches with the same deal are not independent, so an interval that treated them as independent would be too narrow. All
matches of a deal are in one block, which is therefore one observation (a cluster), however many matches it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, fsum, sqrt

from arena.tournament.inference.lattice import STEP_VARIANCE, part_of_t
from arena.tournament.inference.student_t import t_quantile_975

LEAST_CLUSTERS = 3
"""With fewer clusters there is no interval: they show too little of how much clusters differ. Two are often alike by
chance, or so far apart that the interval says nothing."""

LEAST_TELLING = 3
"""If there are more than :data:`LEAST_CLUSTERS` clusters, an interval needs at least this many whose sum is not 0:
where most differences are 0, the few others may all be small by chance."""

EQUAL_MEANS = 1e-9
"""Cluster means that differ by less are equal apart from rounding."""

ALIKE_CORRELATION = 0.25
"""The intraclass correlation (L. Kish, Survey Sampling, 1965) assumed between matches of one block if all blocks are
alike, which leaves it unknown."""

LARGEST_EXPONENT = 700.0
"""Beyond it the exponential function is too large for a float."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval from ``low`` to ``high``, in the unit of what was measured.

    ``mean`` is None without observations; ``low`` and ``high`` are None if there is no interval; ``clusters`` is the
    number of clusters with observations. The mean lies in the interval, not always in its middle. ``alike`` says that
    there were enough clusters for an interval, but all have the same mean.
    """

    mean: float | None
    low: float | None
    high: float | None
    clusters: int
    alike: bool = False

    @staticmethod
    def from_half_width(mean: float, half_width: float | None, clusters: int) -> Estimate:
        """An estimate whose interval reaches ``half_width`` to both sides; without an interval if that is None."""
        if half_width is None:
            return Estimate(mean, None, None, clusters)
        return Estimate(mean, mean - half_width, mean + half_width, clusters)

    def mirror(self, total: float) -> Estimate:
        """The estimate of ``total`` less this value: with 1 the complement of a share, with 0 the opposite
        difference."""
        mean = None if self.mean is None else total - self.mean
        low = None if self.high is None else total - self.high
        high = None if self.low is None else total - self.low
        return Estimate(mean, low, high, self.clusters, self.alike)

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class _Spread:
    """How much clusters differ: the ``variance`` of the mean, its degrees of freedom (``df``), and the degrees of
    freedom that remain if a few clusters hold most of the variance (``shown``)."""

    variance: float
    df: float
    shown: float


def clustered_mean(
    clusters: Iterable[tuple[float, float]],
    share: bool = False,
    bounds: tuple[float, float] | None = None,
    step: float = 0.0,
) -> Estimate:
    """The mean of all observations, with its 95 % interval clustered by block.

    Each cluster is ``(sum of its observations, their number or weight)``; those without any are left out. The mean is
    the ratio of both totals, R = Y/M. The order of clusters does not matter. No interval with fewer than
    :data:`LEAST_CLUSTERS` clusters.

    Observations between two ``bounds`` (a ``share``: between 0 and 1) have an interval within the bounds, which reaches
    further to the side with more room. If unequal observations differ by at least a ``step``, such as 1 where matches
    are won or lost, the interval from few clusters is narrower (:mod:`arena.tournament.inference.lattice`). All other
    observations have the interval R ± t * √variance. There is none if all clusters are alike, because then they do not
    show by how much others would differ, and none if too few clusters are not 0 (:data:`LEAST_TELLING`).
    """
    filled = [(total, count) for total, count in clusters if count]
    size, observations = len(filled), sum([count for _, count in filled])
    if not observations:
        return Estimate(None, None, None, 0)
    mean = fsum([total for total, _ in filled]) / observations
    if size < LEAST_CLUSTERS:
        return Estimate(mean, None, None, size)
    found = _cluster_spread(filled, mean, observations)
    if share or bounds is not None:
        least, most = bounds or (0.0, 1.0)
        room = most - least
        part = min(max((mean - least) / room, 0.0), 1.0)
        low, high = _of_alike(filled, part) if found is None else _share_interval(filled, part, found, room, step)
        mean = min(max(mean, least), most)  # by rounding it may be outside, and the interval's ends on its wrong side
        return Estimate(mean, min(least + room * low, mean), max(least + room * high, mean), size, found is None)
    if found is None:
        return Estimate(mean, None, None, size, alike=True)
    if sum(1 for total, _ in filled if total) < min(LEAST_TELLING, size - 1):
        return Estimate(mean, None, None, size)
    half_width = t_quantile_975(min(found.df, found.shown)) * sqrt(found.variance)
    return Estimate(mean, mean - half_width, mean + half_width, size)


def _cluster_spread(clusters: Sequence[tuple[float, float]], mean: float, observations: float) -> _Spread | None:
    """How much clusters differ; None where they are alike.

    With residuals e = y - R*m and each cluster's part h = m/M of the observations, the variance of R is Σ e²/(1-h) /
    M², which is unbiased if matches are independent, and the same as that of cluster means where clusters are of one
    size: the estimator CR2 of R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002. The degrees of freedom
    ``df`` are theirs as well: the number of clusters less one if all are of one size. ``shown`` follows from the
    kurtosis of the residuals (:func:`shown_degrees`).
    """
    residuals = [total - mean * count for total, count in clusters]
    size, near = len(clusters), EQUAL_MEANS * max(1.0, abs(mean))
    if all(abs(each) <= near * count for each, (_, count) in zip(residuals, clusters, strict=True)):
        return None
    counts = [count for _, count in clusters]
    if min(counts) == max(counts):
        df, squares = size - 1.0, [each * each * size / (size - 1) for each in residuals]
    else:
        df = _freedom_degrees(counts, observations)
        left = [observations / (observations - count) for count in counts]
        squares = [each * each * factor for each, factor in zip(residuals, left, strict=True)]
    return _Spread(fsum(squares) / observations**2, df, shown_degrees(squares) or df)


def shown_degrees(squares: Sequence[float]) -> float | None:
    """The degrees of freedom that these squares of residuals show, 1 or more; None where they are equal.

    With the kurtosis k of the residuals, a variance estimated from G of them has a relative variance of (k-1)/G, as if
    it had 2G/(k-1) degrees of freedom (F. E. Satterthwaite, Biometrics Bulletin 2, 1946).
    """
    kurtosis = len(squares) * fsum([each * each for each in squares]) / fsum(squares) ** 2
    return max(2 * len(squares) / (kurtosis - 1), 1.0) if kurtosis > 1 + EQUAL_MEANS else None


def _freedom_degrees(counts: Sequence[float], observations: float) -> float:
    """Bell and McCaffrey's degrees of freedom for the mean over clusters of these sizes."""
    squares = sum([count * count for count in counts]) / observations**2
    parts = [count * count / (observations - count) / observations for count in counts]
    pairs = fsum(parts) ** 2 - fsum([part * part for part in parts])
    return max(1 / (squares + pairs), 1.0)


def _share_interval(
    clusters: Sequence[tuple[float, float]], share: float, found: _Spread, room: float, step: float
) -> tuple[float, float]:
    """The interval of a share: all p whose log odds differ from those of the share by at most t * √variance, with the
    variance in log odds by the delta method (A. Agresti, Categorical Data Analysis, 2002, 3.1).

    With a ``step``, t is multiplied by :func:`arena.tournament.inference.lattice.part_of_t`. The step is compared with
    the variance of a block's sum: the variance if its matches were independent and won or lost, or the variance that
    the blocks show, whichever is larger.
    """
    df = min(found.df, found.shown)
    t = t_quantile_975(df)
    if not 0 < share < 1:  # by rounding, of a share that is nearly there
        return share, share
    single = share * (1 - share)
    if step:
        counts = [count for _, count in clusters]
        of_block = _mean_block(clusters) * max(single, found.variance / room**2 * sum(counts))
        unseen = (
            STEP_VARIANCE if min(counts) == max(counts) else STEP_VARIANCE / 2
        )  # means may differ by less than a step
        t *= part_of_t(df, unseen * (step / room) ** 2 / of_block)
    reach = exp(min(t * sqrt(found.variance) / room / single, LARGEST_EXPONENT))
    return share / (share + (1 - share) * reach), share / (share + (1 - share) / reach)


def _of_alike(clusters: Sequence[tuple[float, float]], share: float) -> tuple[float, float]:
    """The interval of a share that is the same in all clusters: those p for which (share - p)² ≤ t² * p * (1-p) / n
    (E. B. Wilson, Journal of the American Statistical Association 22, 1927), where n is the number of matches divided
    by the design effect that :data:`ALIKE_CORRELATION` gives."""
    t = t_quantile_975(len(clusters) - 1)
    effect = 1 + (_mean_block(clusters) - 1) * ALIKE_CORRELATION
    square = t * t * effect / sum([count for _, count in clusters])
    middle = (share + square / 2) / (1 + square)
    reach = sqrt(square * share * (1 - share) + square * square / 4) / (1 + square)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def _mean_block(clusters: Sequence[tuple[float, float]]) -> float:
    """The size of a match's block, averaged over matches."""
    return sum([count * count for _, count in clusters]) / sum([count for _, count in clusters])
