"""The largest likelihood under a given effect, against searches of other kinds."""

from __future__ import annotations

from math import log

import numpy
import pytest

from arena.sequential.likelihood_ratio import Floats, log_likelihoods

THREE = numpy.array([-1.0, 0.0, 1.0])


def effect(probabilities: Floats, values: Floats) -> Floats:
    """Mean ÷ standard deviation of each row."""
    mean = probabilities @ values
    return numpy.asarray(mean / numpy.sqrt(probabilities @ values**2 - mean**2))


def by_search(weights: Floats, wanted: float, steps: int = 20_000) -> float:
    """The same for the values -1, 0, 1. With win and loss probabilities p and q the effect t means
    p - q = t * sqrt(p + q - (p - q)²); so for each sum s = p + q the difference is t * sqrt(s / (1 + t²))."""
    sums = numpy.linspace(0, 1, steps + 1)[1:-1]
    differences = wanted * numpy.sqrt(sums / (1 + wanted**2))
    win, loss = (sums + differences) / 2, (sums - differences) / 2
    can = (win > 0) & (loss > 0)
    win, loss, draw = win[can], loss[can], (1 - sums)[can]
    found = weights[0] * numpy.log(loss) + weights[1] * numpy.log(draw) + weights[2] * numpy.log(win)
    shares = weights / weights.sum()
    return float(found.max() - (weights * numpy.log(shares)).sum())


@pytest.mark.parametrize("wanted", [-1.2, -0.3, 0.0, 0.3, 1.2])
def test_of_three_outcomes_it_is_what_a_search_over_all_probabilities_finds(wanted: float) -> None:
    for counts in ((3, 10, 4), (1, 30, 9), (0.1, 20, 0.1), (0.1, 1, 15), (15, 0.5, 0.1), (40, 5, 2)):
        weights = numpy.array(counts)
        (found,) = log_likelihoods(THREE, weights[None], numpy.array([wanted]))
        assert found == pytest.approx(by_search(weights, wanted), abs=1e-5), counts


@pytest.mark.parametrize("wanted", [0.2, 0.5])
def test_no_random_probabilities_with_that_effect_are_likelier(wanted: float) -> None:
    random = numpy.random.Generator(numpy.random.PCG64(5))
    values = numpy.array([-1, -0.5, 0, 0.5, 1])
    weights = numpy.array([2.0, 4, 9, 6, 3])
    (most,) = log_likelihoods(values, weights[None], numpy.array([wanted]))
    near = random.dirichlet(weights, 20_000)
    best = (weights * numpy.log(near)).sum(axis=1) - (weights * numpy.log(weights / weights.sum())).sum()
    close = numpy.abs(effect(near, values) - wanted) < 0.01
    assert close.sum() > 50
    assert best[close].max() < most + 0.1
    assert best[close].max() > most - 0.5, "the search comes near"


def test_the_effect_that_was_observed_is_likeliest_and_costs_nothing() -> None:
    weights = numpy.array([[2.0, 4, 9, 6, 3]])
    values = numpy.array([-1, -0.5, 0, 0.5, 1])
    observed = effect(weights / weights.sum(), values)
    assert log_likelihoods(values, weights, observed)[0] == pytest.approx(0, abs=1e-9)
    assert log_likelihoods(values, weights, observed + 0.1)[0] < 0


def test_rows_are_independent_and_outcomes_that_never_came_change_nothing() -> None:
    weights = numpy.array([[2.0, 5, 3], [1, 8, 7]])
    effects = numpy.array([0.3, -0.2])
    together = log_likelihoods(THREE, weights, effects)
    alone = [log_likelihoods(THREE, weights[row : row + 1], effects[row : row + 1])[0] for row in range(2)]
    assert together == pytest.approx(alone, abs=1e-9)
    wider = numpy.array([[2.0, 0, 5, 0, 3]])
    with_others = log_likelihoods(numpy.array([-1, -0.5, 0, 0.5, 1]), wider, effects[:1])
    assert with_others == pytest.approx(together[:1], abs=1e-9)


def test_a_mirror_image_has_the_mirrored_effect() -> None:
    weights = numpy.array([[2.0, 4, 1, 6, 3]])
    values = numpy.array([-1, -0.5, 0.1, 0.5, 1])
    one = log_likelihoods(values, weights, numpy.array([0.4]))
    assert log_likelihoods(-values[::-1], weights[:, ::-1], numpy.array([-0.4])) == pytest.approx(one, abs=1e-9)


def test_of_two_outcomes_it_is_the_binomial_likelihood() -> None:
    weights = numpy.array([[12.0, 20]])
    (even,) = log_likelihoods(numpy.array([-1.0, 1]), weights, numpy.array([0.0]))
    assert even == pytest.approx(32 * log(0.5) - 12 * log(12 / 32) - 20 * log(20 / 32), abs=1e-9)
