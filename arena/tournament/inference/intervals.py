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
"""Fewer show too little of how much clusters differ: two of them are often alike by chance, or so far apart that the
interval says nothing."""

LEAST_TELLING = 3
"""Of clusters whose observations add up to something, if there are more than :data:`LEAST_CLUSTERS`; as differences in
most matches are 0, the few others that were seen may all be small by chance."""

EQUAL_MEANS = 1e-9
"""Means of clusters that differ by less are the same but for rounding."""

ALIKE_CORRELATION = 0.25
"""How much matches of one block are taken to resemble each other (the intraclass correlation of L. Kish, Survey
Sampling, 1965) where all blocks are alike, and so do not show it."""

LARGEST_EXPONENT = 700.0
"""Beyond it the exponential function is too large for a float."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval from ``low`` to ``high``, in the unit of what was measured.

    ``mean`` is None without observations, ``low`` and ``high`` where no interval can be told; ``clusters`` is the
    number of clusters that had observations. The mean lies in the interval, not always in its middle. ``alike`` says
    that there were clusters enough, and that all have the same mean.
    """

    mean: float | None
    low: float | None
    high: float | None
    clusters: int
    alike: bool = False

    @staticmethod
    def around(mean: float, half_width: float | None, clusters: int) -> Estimate:
        """One whose interval reaches as far to both sides; without a ``half_width``, one without interval."""
        if half_width is None:
            return Estimate(mean, None, None, clusters)
        return Estimate(mean, mean - half_width, mean + half_width, clusters)

    def mirrored(self, total: float) -> Estimate:
        """What is left of this ``total``: of a share what is left to 1, of a difference (0) the one the other way."""
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
    """How much clusters differ: the ``variance`` of the mean, its degrees of freedom (``df``), and those that are left
    (``shown``) if a few clusters hold most of what differs."""

    variance: float
    df: float
    shown: float


def clustered_mean(
    clusters: Iterable[tuple[float, int]],
    share: bool = False,
    bounds: tuple[float, float] | None = None,
    step: float = 0.0,
) -> Estimate:
    """The mean of all observations, with its 95 % interval clustered by block.

    Each cluster is ``(sum of its observations, their number)``; those without observations are left out. The mean is
    the ratio of both totals, R = Y/M. The order of clusters does not matter. No interval with fewer than
    :data:`LEAST_CLUSTERS` clusters.

    Observations between two ``bounds`` (a ``share``: between 0 and 1) have an interval between them, too, which reaches
    further to the side where there is more room. If two of them differ by no less than a ``step``, such as 1 where
    matches are won or lost, few clusters have a narrower interval (:mod:`arena.tournament.inference.lattice`). The
    interval of others is R ± t * √variance; there is none where all clusters are alike, because these do not show by
    how much others would differ, and none where too few are not 0 (:data:`LEAST_TELLING`).
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


def _cluster_spread(clusters: Sequence[tuple[float, int]], mean: float, observations: int) -> _Spread | None:
    """How much clusters differ; None where they are alike.

    With residuals e = y - R*m and each cluster's part h = m/M of the observations, the variance of R is
    Σ e²/(1-h) / M², which is unbiased if matches are independent, and the same as that of cluster means where clusters
    are of one size: the estimator CR2 of R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002, and theirs are
    the degrees of freedom ``df``, one less than there are clusters where these are of one size. ``shown`` follows from
    the kurtosis of the residuals (:func:`shown_degrees`).
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


def _freedom_degrees(counts: Sequence[int], observations: int) -> float:
    """Bell and McCaffrey's degrees of freedom for the mean over clusters of these sizes."""
    squares = sum([count * count for count in counts]) / observations**2
    parts = [count * count / (observations - count) / observations for count in counts]
    pairs = fsum(parts) ** 2 - fsum([part * part for part in parts])
    return max(1 / (squares + pairs), 1.0)


def _share_interval(
    clusters: Sequence[tuple[float, int]], share: float, found: _Spread, room: float, step: float
) -> tuple[float, float]:
    """The interval of a share: those p whose log odds differ from those of the share by at most t * √variance, told in
    log odds by the delta method (A. Agresti, Categorical Data Analysis, 2002, 3.1).

    With a ``step``, t is smaller by what this leaves out (:func:`arena.tournament.inference.lattice.part_of_t`). The
    variance of a block's sum, against which the step is held, is that of its matches if these were independent, and won
    or lost, or as much as the blocks show, if that is more.
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


def _of_alike(clusters: Sequence[tuple[float, int]], share: float) -> tuple[float, float]:
    """The interval of a share that is the same in all clusters: those p for which (share - p)² ≤ t² * p * (1-p) / n
    (E. B. Wilson, Journal of the American Statistical Association 22, 1927), where n is the number of matches divided
    by the design effect that :data:`ALIKE_CORRELATION` gives."""
    t = t_quantile_975(len(clusters) - 1)
    effect = 1 + (_mean_block(clusters) - 1) * ALIKE_CORRELATION
    square = t * t * effect / sum([count for _, count in clusters])
    middle = (share + square / 2) / (1 + square)
    reach = sqrt(square * share * (1 - share) + square * square / 4) / (1 + square)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def _mean_block(clusters: Sequence[tuple[float, int]]) -> float:
    """How many matches the block of a match has, in the mean over matches."""
    return sum([count * count for _, count in clusters]) / sum([count for _, count in clusters])
