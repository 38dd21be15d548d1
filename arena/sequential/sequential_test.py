"""A sequential test of a new version against an old one: it may stop after any block, and be watched.

Three questions are asked at once (M. Sobel and A. Wald, A sequential decision procedure for choosing one of three
hypotheses, Ann. Math. Stat. 20, 1949): whether the new version is better, whether it is worse, and whether a difference
of the declared size is excluded on both sides. Each side is a sequential likelihood ratio test of two effects, in units
of the deviation of a block, with nothing assumed of the differences but their values and their bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import pvariance

import numpy

from arena.errors import UserError
from arena.sequential.confidence_sequence import anytime_intervals
from arena.sequential.likelihood_ratio import Floats, log_likelihoods
from arena.sequential.test_settings import SequentialVerdict, Settings
from arena.tournament.inference.intervals import Estimate, clustered_mean

UNSEEN_WEIGHT = 0.1
"""The weight of each end of the range, in blocks, even if it has never occurred: without it, a version that is better
in every block would look as if nothing worse could happen."""


def likelihood_ratios(values: Floats, counts: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """For each row of ``counts`` the log-likelihood ratios of an effect of ``difference`` against ``null``, and of
    ``-difference`` against ``-null``. ``counts[row, i]`` is how often the difference ``values[i]`` occurred. The order
    in which differences occurred does not matter."""
    ends = numpy.array([-settings.bound, settings.bound])
    support = numpy.union1d(values, ends)
    weights = numpy.zeros((len(counts), len(support)))
    weights[:, numpy.searchsorted(support, values)] = counts
    weights[:, [0, -1]] += UNSEEN_WEIGHT
    sought = sorted({settings.difference, settings.null, -settings.null, -settings.difference})
    effects = numpy.repeat(sought, len(counts))
    likely = log_likelihoods(support, numpy.tile(weights, (len(sought), 1)), effects).reshape(len(sought), -1)
    of = dict(zip(sought, likely, strict=True))
    return of[settings.difference] - of[settings.null], of[-settings.difference] - of[-settings.null]


@dataclass(frozen=True, slots=True)
class SequentialState:
    """What is known after so many ``blocks``.

    ``better`` and ``worse`` are log-likelihood ratios: of an effect of ``difference`` against ``null``, and of
    ``-difference`` against ``-null``. ``better_excluded`` and ``worse_excluded`` say that such an effect has been
    excluded; both together are the verdict that there is none. ``low`` and ``high`` are the peek-proof 95 % interval of
    the mean difference; ``mean`` is the ordinary estimate, which holds if nobody stops because of what it says;
    ``deviation`` is the standard deviation of a block's difference. All are in the unit of the measure. ``differing``
    counts the blocks whose difference is not 0."""

    blocks: int
    verdict: SequentialVerdict
    better: float
    worse: float
    better_excluded: bool
    worse_excluded: bool
    low: float
    high: float
    mean: Estimate
    deviation: float
    differing: int

    @property
    def has_verdict(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict is not SequentialVerdict.UNDECIDED


class SequentialTest:
    """Takes the differences of blocks, new less old, one for each block in order, until there is a verdict."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._differences: list[float] = []
        self._counts = Counter[float]()
        self._state = SequentialState(
            0, SequentialVerdict.UNDECIDED, 0, 0, False, False, -settings.bound, settings.bound, self._mean(), 0.0, 0
        )

    @property
    def state(self) -> SequentialState:
        """What is known so far."""
        return self._state

    def feed(self, differences: Iterable[float]) -> SequentialState:
        """Add differences until there is a verdict; those after it are not read."""
        for difference in differences:
            if self._state.has_verdict:
                break
            self.add(difference)
        return self._state

    def add(self, difference: float) -> SequentialState:
        """Add the difference of the next block. Raises UserError for a difference beyond the bound, ValueError after
        the verdict."""
        before, settings = self._state, self.settings
        if before.has_verdict:
            raise ValueError(f"the test has ended after {before.blocks} blocks: {before.verdict}")
        if not abs(difference) <= settings.bound:
            raise UserError(
                f"block difference {before.blocks + 1} of {settings.measure}: expected a number within "
                f"±{settings.bound:g}, got {difference:g}"
            )
        self._differences.append(difference)
        self._counts[difference] += 1
        better, worse = self._ratios()
        better_excluded = before.better_excluded or better <= settings.lower_bound
        worse_excluded = before.worse_excluded or worse <= settings.lower_bound
        if better >= settings.upper_bound and not before.better_excluded:
            verdict = SequentialVerdict.BETTER
        elif worse >= settings.upper_bound and not before.worse_excluded:
            verdict = SequentialVerdict.WORSE
        else:
            verdict = SequentialVerdict.ALIKE if better_excluded and worse_excluded else SequentialVerdict.UNDECIDED
        mean, variance = self._mean(), pvariance(self._differences)
        (low,), (high,) = anytime_intervals(*self._counted(), settings.bound)
        self._state = SequentialState(
            blocks=len(self._differences),
            verdict=verdict,
            better=better,
            worse=worse,
            better_excluded=better_excluded,
            worse_excluded=worse_excluded,
            low=float(low),
            high=float(high),
            mean=mean,
            deviation=sqrt(variance),
            differing=before.differing + (difference != 0),
        )
        return self._state

    def _ratios(self) -> tuple[float, float]:
        """The log-likelihood ratios for better and for worse."""
        better, worse = likelihood_ratios(*self._counted(), self.settings)
        return float(better[0]), float(worse[0])

    def _counted(self) -> tuple[Floats, Floats]:
        """The differences that occurred, ascending, and how often each did, as one row."""
        values = sorted(self._counts)
        return numpy.array(values), numpy.array([[self._counts[value] for value in values]], dtype=numpy.float64)

    def _mean(self) -> Estimate:
        return clustered_mean([(difference, 1) for difference in self._differences])
