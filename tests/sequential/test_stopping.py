"""When a test will stop, and how far off its estimate is when it has."""

from __future__ import annotations

from functools import lru_cache

import numpy
import pytest

from arena.sequential.sequential_test import SequentialState, SequentialTest
from arena.sequential.stopping import corrected_effect, forecast_stop, simulate_stops
from arena.sequential.test_settings import SequentialVerdict, Settings
from tests.bench import sequential as bench

SETTINGS = Settings(measure="beaten", bound=0.5)
VALUES = numpy.arange(-3, 3.1, 0.5)
NORMAL = bench.Kind("normal", 3, VALUES, numpy.exp(-(VALUES**2) / 2) / numpy.exp(-(VALUES**2) / 2).sum())
IN_DEVIATIONS = Settings(measure=NORMAL.name, bound=3, difference=0.6)


def state_after(mean: float, blocks: int) -> SequentialState:
    """The state after differences with this mean and a deviation of 0.15."""
    seen = [mean + 0.15 * (-1) ** number for number in range(blocks)]
    return SequentialTest(SETTINGS).feed(seen)


def test_the_clearer_the_difference_the_sooner_the_verdict() -> None:
    near, far = (forecast_stop(state_after(mean, 14), SETTINGS, 1000) for mean in (0.06, 0.02))
    assert near is not None
    assert far is not None
    assert 1 <= near.usual < far.usual < far.most
    assert near.most < 250


def test_a_limit_cuts_the_forecast_off_and_says_how_often_that_happens() -> None:
    cast = forecast_stop(state_after(0.02, 14), SETTINGS, 20)
    assert cast is not None
    assert cast.most == 20
    assert cast.undecided > 0.5


def test_nothing_is_forecast_where_nothing_is_known() -> None:
    assert forecast_stop(SequentialTest(SETTINGS).state, SETTINGS, 1000) is None
    assert forecast_stop(SequentialTest(SETTINGS).feed([0.0] * 12), SETTINGS, 1000) is None
    assert forecast_stop(state_after(0.06, 12), SETTINGS, 0) is None
    assert forecast_stop(SequentialTest(SETTINGS).feed([0.25] * 60), SETTINGS, 1000) is None


def test_the_same_state_has_the_same_forecast() -> None:
    assert forecast_stop(state_after(0.04, 14), SETTINGS, 500) == forecast_stop(state_after(0.04, 14), SETTINGS, 500)


@lru_cache
def real_tests(effect: float) -> bench.Found:
    """Tests of differences that are about normal, each judged by the test itself."""
    return bench.simulate(NORMAL, effect, IN_DEVIATIONS, runs=40, seed=2, looks=(10,))


@pytest.mark.parametrize("effect", [0.3, 0.6])
def test_simulated_tests_stop_where_real_ones_do(effect: float) -> None:
    """The quick likelihood ratios against the test itself, on differences that are about normal."""
    real = real_tests(effect)
    random = numpy.random.Generator(numpy.random.PCG64(1))
    quick = simulate_stops(None, IN_DEVIATIONS, numpy.full(2000, effect), 500, random, bound=3.0)
    assert quick.blocks.mean() == pytest.approx(real.blocks, rel=0.25)
    assert quick.better.mean() == pytest.approx(real.better, abs=0.12)


def test_forecasts_hold_about_as_often_as_they_say() -> None:
    """More runs of this are in the page `measured`."""
    found = real_tests(0.3)
    casts = {run: forecast_stop(state, IN_DEVIATIONS, 1000) for run, state in found.known[10].items()}
    took = [(found.lengths[run] - 10, cast) for run, cast in casts.items() if cast is not None]
    assert len(took) > 30
    assert 0.25 <= sum(number <= cast.usual for number, cast in took) / len(took) <= 0.75
    assert sum(number <= cast.most for number, cast in took) / len(took) >= 0.75


def test_an_estimate_after_a_stop_is_corrected_down_and_a_clear_one_hardly() -> None:
    weak, strong = state_after(0.05, 400), SequentialTest(SETTINGS).feed([0.3, 0.1] * 40)
    for state in (weak, strong):
        assert state.verdict is SequentialVerdict.BETTER
    parts = []
    for state in (weak, strong):
        shown, corrected = (state.mean.mean or 0) / state.deviation, corrected_effect(state, SETTINGS)
        assert corrected is not None
        assert 0 <= corrected <= shown
        parts.append(corrected / shown)
    assert parts[0] < 0.8
    assert parts[1] > 0.8


def test_a_worse_one_is_corrected_like_a_better_one_and_others_not_at_all() -> None:
    better, worse = state_after(0.06, 400), state_after(-0.06, 400)
    up, down = corrected_effect(better, SETTINGS), corrected_effect(worse, SETTINGS)
    assert up is not None
    assert down is not None
    assert up == pytest.approx(-down, abs=0.02)
    assert corrected_effect(state_after(0.0, 400), SETTINGS) is None
    assert corrected_effect(state_after(0.06, 12), SETTINGS) is None
