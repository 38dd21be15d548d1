"""The interval that holds at all times, against its definition, and how wide it is beside the ordinary one."""

from __future__ import annotations

from math import inf, sqrt

import numpy
import pytest

from arena.sequential.confidence_sequence import PRIOR_VARIANCE, anytime_half_width
from tests.bench import sequential as bench


def written_out(count: int, mean: float, deviation: float) -> float:
    """The wager against a mean of 0, as an integral: over how many deviations off the mean lies (normal), and over the
    deviation, of which all orders of magnitude are as likely as each other (M. Gönen et al., 2005)."""
    effects = numpy.linspace(-8, 8, 3201) * sqrt(PRIOR_VARIANCE)
    logs = numpy.linspace(-5, 5, 4001)
    scales = deviation * numpy.exp(logs)
    prior = numpy.exp(-(effects**2) / 2 / PRIOR_VARIANCE)
    prior /= prior.sum()
    squares = (count - 1) * deviation**2

    def likelihood(effect: numpy.ndarray) -> numpy.ndarray:
        off = squares + count * (mean - effect[:, None] * scales) ** 2
        found: numpy.ndarray = numpy.exp(-count * logs - off / 2 / scales**2 + count / 2).sum(1)
        return found

    return float(prior @ likelihood(effects) / likelihood(numpy.zeros(1))[0])


@pytest.mark.parametrize("count", [12, 40])
def test_at_the_end_of_the_interval_the_wager_has_grown_twentyfold(count: int) -> None:
    half = anytime_half_width(count, 0.09)
    assert written_out(count, half, 0.3) == pytest.approx(20, rel=0.01)


def test_few_observations_exclude_nothing() -> None:
    assert [anytime_half_width(count, 1.0) for count in (0, 1, 2, 5)] == [inf] * 4
    assert anytime_half_width(9, 1.0) < inf


def test_it_is_little_more_than_half_as_wide_again_as_the_ordinary_one() -> None:
    ratios = [float(row[1]) for row in bench.width_rows()]  # type: ignore[arg-type]
    assert max(ratios[3:6]) <= 1.68
    assert max(ratios[1:]) <= 1.87


def test_it_holds_at_every_time_at_once() -> None:
    """So often the mean of normal numbers is excluded at any of 300 looks: in 5 % of all cases at most. An interval for
    one look alone would be wrong at some of them in more than 30 %."""
    random = numpy.random.Generator(numpy.random.PCG64(8))
    seen = random.normal(0, 1, (400, 300))
    counts = numpy.arange(1, 301)
    means = seen.cumsum(1) / counts
    variances = ((seen * seen).cumsum(1) - counts * means * means) / numpy.maximum(counts - 1, 1)
    halves = numpy.array([min(1e9, anytime_half_width(int(count), 1.0)) for count in counts])
    wrong = (numpy.abs(means) > halves * numpy.sqrt(variances))[:, 1:].any(1).mean()
    assert 0.005 <= wrong <= 0.07
