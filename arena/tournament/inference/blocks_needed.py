"""How many blocks a wanted precision needs, computed from how much the blocks of a pilot run differ.

The half-width of an interval shrinks with the square root of the number of blocks. How much blocks differ is known from
a pilot of few, so the number computed from it is uncertain too: if the results of blocks are about normal, the sum of
their squared differences is distributed as chi-square (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, chapter 4).

Who takes the pilot's deviation as it is reaches the precision in about half of all runs, because half of all pilots
deviate less than they should, and half of all runs more than the pilot. So the number of blocks comes with an
*assurance*: the probability that it is enough, over all pilots and runs (R. H. Browne, On the use of a pilot sample for
sample size determination, Statistics in Medicine 14, 1995; L. L. Kupper and K. B. Hafner, How appropriate are popular
sample size formulas?, American Statistician 43, 1989).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import exp, fsum, inf, lgamma, log, sqrt
from statistics import NormalDist

from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.inference.student_t import t_quantile_975
from arena.tournament.inference.variance_ratio import bisect_quantile, variance_ratio

MOST_NEEDED = 10**9
"""More blocks than anybody plays."""
LARGE_FREEDOM = 20_000
"""A variance with this many degrees of freedom or more counts as known."""
UNEVEN_SPREAD = 4.5
"""How many times more than of normal blocks, at most, the variance of a variance is taken to be. A kurtosis of 12 would
make it so, but few blocks show much less kurtosis than there is. So it is taken for so much from a moderate skewness or
kurtosis on: a larger one, which a pilot shows by chance, comes with a larger deviation too. The numbers come from
simulation (``tests/bench/plan_assurance.py``)."""
FULL_SKEWNESS, FULL_KURTOSIS = 1.0, 3.0
"""From this skewness or excess kurtosis of a pilot on, the spread is as large as that."""
LEAST_FREEDOM = 1.4
"""However uneven a pilot is, its variance counts as having so many degrees of freedom, if it has them."""

Blocks = Mapping[int, tuple[float, int]]
"""By block, the sum of the observations there, and their number."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """The standard deviation of one block's mean from the true mean, estimated from this many ``clusters``, with the
    ends of its 95 % interval; and the ``skewness`` and the excess ``kurtosis`` of blocks, which make a deviation less
    certain: 0 for normal blocks."""

    value: float
    low: float
    high: float
    clusters: int
    skewness: float = 0.0
    kurtosis: float = 0.0

    @property
    def uncertainty(self) -> float:
        """How many times as much as of normal blocks a variance of such blocks varies: 1 or more."""
        most = max(1.0, (self.clusters - 1) / LEAST_FREEDOM)
        uneven = max((self.skewness / FULL_SKEWNESS) ** 2, self.kurtosis / FULL_KURTOSIS)
        return min(1 + UNEVEN_SPREAD * min(uneven, 1.0), most)


@dataclass(frozen=True, slots=True)
class BlocksNeeded:
    """The number of blocks needed with the wanted assurance, and the numbers for both ends of the deviation's interval
    if it were known; at least :data:`arena.tournament.inference.intervals.LEAST_CLUSTERS`, at most
    :data:`MOST_NEEDED`."""

    blocks: int
    low: int
    high: int


def deviation_of_mean(blocks: Blocks) -> Deviation | None:
    """The deviation of a mean over all observations; None with fewer than LEAST_CLUSTERS blocks, or if nothing
    varied."""
    return _deviation([part for _, part in sorted(_residuals(blocks).items())])


def deviation_of_difference(one: Blocks, two: Blocks) -> Deviation | None:
    """The deviation of the difference of two such means, which may share blocks; None in the same cases."""
    first, second = _residuals(one), _residuals(two)
    both = sorted({*first, *second})
    return _deviation([first.get(block, 0.0) - second.get(block, 0.0) for block in both])


def _residuals(blocks: Blocks) -> dict[int, float]:
    """Each block's contribution to the error of the mean (linearised, as in
    :func:`arena.tournament.inference.intervals.clustered_mean`), times the number of blocks."""
    filled = {block: (total, count) for block, (total, count) in blocks.items() if count}
    observations = sum(count for _, count in filled.values())
    if not observations:
        return {}
    mean = fsum(total for total, _ in filled.values()) / observations
    scale = len(filled) / observations
    return {block: (total - mean * count) * scale for block, (total, count) in filled.items()}


def _deviation(residuals: list[float]) -> Deviation | None:
    size = len(residuals)
    if size < LEAST_CLUSTERS:
        return None
    squares = fsum(residual**2 for residual in residuals)
    if squares <= 1e-18:
        return None
    low, high = (sqrt(squares / chi_square(part, size - 1)) for part in (0.975, 0.025))
    third, fourth = (fsum(residual**power for residual in residuals) for power in (3, 4))
    skewness = third / squares**1.5 * size * sqrt(size - 1) / (size - 2)
    return Deviation(sqrt(squares / (size - 1)), low, high, size, skewness, fourth / squares**2 * size - 3)


def for_half_width(
    deviation: Deviation, half_width: float, assurance: float | None = None, kept: bool = False
) -> BlocksNeeded:
    """The number of blocks after which a 95 % interval reaches at most ``half_width`` to either side, with the
    probability ``assurance``; None takes the deviation as known. ``kept``: the blocks of the pilot are among them."""

    def enough(value: float, blocks: int, uncertainty: float = 1.0) -> bool:
        return _t_of_run(blocks, uncertainty) * value / sqrt(blocks) <= half_width

    def assured(value: float, blocks: int) -> bool:
        grown = value * _deviation_growth(deviation, blocks, assurance, kept)
        return enough(grown, blocks, 1.0 if assurance is None else deviation.uncertainty)

    return _blocks_needed(deviation, enough, assured)


def for_difference(
    deviation: Deviation, difference: float, power: float, assurance: float | None = None
) -> BlocksNeeded:
    """The number of blocks after which a true difference of this size is found with probability ``power`` or more:
    found means that the 95 % interval excludes zero. That the power is as large holds for a part ``assurance`` of
    pilots; None takes the deviation as known."""
    beyond = NormalDist().inv_cdf(power)

    def enough(value: float, blocks: int, uncertainty: float = 1.0) -> bool:
        return (_t_of_run(blocks, uncertainty) + beyond) * value / sqrt(blocks) <= abs(difference)

    growth = _deviation_growth(deviation, inf, assurance, False)
    uncertainty = 1.0 if assurance is None else deviation.uncertainty
    return _blocks_needed(deviation, enough, lambda value, blocks: enough(value * growth, blocks, uncertainty))


def _t_of_run(blocks: int, uncertainty: float) -> float:
    """Student's quantile in the interval of a run of so many blocks, which has fewer degrees of freedom where blocks
    are uneven (:func:`arena.tournament.inference.intervals.shown_degrees`)."""
    return t_quantile_975(max(1.0, (blocks - 1) / uncertainty))


def _deviation_growth(pilot: Deviation, blocks: float, assurance: float | None, kept: bool) -> float:
    """How many times as large as in the ``pilot`` the deviation of a run of ``blocks`` is at most, with this
    probability. Uneven blocks count as fewer normal ones."""
    if assurance is None:
        return 1.0
    own = pilot.clusters - 1
    fresh = blocks - pilot.clusters if kept else blocks - 1
    if fresh <= 0:
        return 1.0
    freedom, of_run = own / pilot.uncertainty, fresh / pilot.uncertainty
    known = of_run >= LARGE_FREEDOM
    ratio = freedom / chi_square(1 - assurance, freedom) if known else variance_ratio(assurance, of_run, freedom)
    return sqrt((own + fresh * ratio) / (own + fresh)) if kept else sqrt(ratio)


def _blocks_needed(
    deviation: Deviation, enough: Callable[[float, int], bool], assured: Callable[[float, int], bool]
) -> BlocksNeeded:
    low, high = (_least_blocks(value, enough) for value in (deviation.low, deviation.high))
    return BlocksNeeded(_least_blocks(deviation.value, assured), low, high)


def _least_blocks(value: float, enough: Callable[[float, int], bool]) -> int:
    """The smallest number of blocks that is ``enough`` for this ``value``; larger numbers must be enough, too."""
    low, high = LEAST_CLUSTERS - 1, LEAST_CLUSTERS
    while high < MOST_NEEDED and not enough(value, high):
        low, high = high, 2 * high
    high = min(high, MOST_NEEDED)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(value, middle) else (middle, high)
    return high


def chi_square(part: float, df: float) -> float:
    """The number below which this ``part`` of a chi-square distribution with ``df`` degrees of freedom lies."""
    return bisect_quantile(part, lambda x: _chi_below(x, df))


def _chi_below(x: float, df: float) -> float:
    """The part of a chi-square distribution that lies below ``x``: the series of the incomplete gamma function
    (Abramowitz & Stegun, Handbook of Mathematical Functions, 1964, 6.5.29)."""
    if x <= 0:
        return 0.0
    shape, half = df / 2, x / 2
    if half > shape + 40 * sqrt(shape) + 40:
        return 1.0
    term = total = 1 / shape
    step = 0
    while term > total * 1e-16:
        step += 1
        term *= half / (shape + step)
        total += term
    return min(1.0, exp(shape * log(half) - half - lgamma(shape)) * total)


def widest_deviation(deviations: Iterable[tuple[str, Deviation | None]]) -> tuple[str, Deviation] | None:
    """The largest deviation with its name, the first by name of several; None if none is known."""
    known = [(name, each) for name, each in sorted(deviations, key=lambda pair: pair[0]) if each is not None]
    return max(known, key=lambda pair: pair[1].value, default=None) if known else None
