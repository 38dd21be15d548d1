"""The interval that holds at all times, against its definition written out."""

from __future__ import annotations

from math import log, sqrt
from time import process_time

import numpy
import pytest

from arena.sequential.betting import MOST_BET, TRIED_MEANS, BettingInterval


def written_out(seen: list[float], mean: float, alpha: float = 0.05) -> tuple[float, float]:
    """Both fortunes of one possible mean, with products instead of sums of logarithms."""
    above = below = 1.0
    for number, value in enumerate(seen, 1):
        before = seen[: number - 1]
        means = [(0.5 + sum(before[: place + 1])) / (place + 2) for place in range(len(before))]
        squares = 0.25 + sum((one - own) ** 2 for one, own in zip(before, means, strict=True))
        bet = sqrt(2 * log(2 / alpha) / (squares / number * number * log(number + 1)))
        above *= 1 + min(bet, MOST_BET / mean) * (value - mean)
        below *= 1 - min(bet, MOST_BET / (1 - mean)) * (value - mean)
    return above, below


def drawn(size: int, seed: int = 3) -> list[float]:
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    return [float(value) for value in random.choice([0.0, 0.4, 0.5, 0.9], size, p=[0.1, 0.3, 0.4, 0.2])]


def after(seen: list[float]) -> BettingInterval:
    interval = BettingInterval()
    for value in seen:
        interval.add(value)
    return interval


def test_it_excludes_just_the_means_for_which_a_fortune_has_grown_fortyfold() -> None:
    seen, step = drawn(40), 1 / (TRIED_MEANS - 1)
    interval = after(seen)

    def most(mean: float) -> float:
        return max(max(written_out(seen[:end], mean)) for end in range(1, len(seen) + 1))

    assert 0.1 < interval.low < interval.high < 0.9
    assert most(interval.low) >= 40 > most(interval.low + step)
    assert most(interval.high) >= 40 > most(interval.high - step)


def test_it_never_grows_and_becomes_narrow() -> None:
    interval, before = BettingInterval(), (0.0, 1.0)
    for value in drawn(3000):
        interval.add(value)
        assert before[0] <= interval.low <= interval.high <= before[1]
        before = interval.low, interval.high
    mean = 0.1 * 0 + 0.3 * 0.4 + 0.4 * 0.5 + 0.2 * 0.9
    assert interval.low < mean < interval.high
    assert interval.high - interval.low < 0.06


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0])
def test_equal_observations_lead_to_an_interval_about_them(value: float) -> None:
    interval = after([value] * 500)
    assert interval.low <= value <= interval.high
    assert interval.high - interval.low < 0.02


def test_it_holds_at_every_time_at_once() -> None:
    """So often the mean of fair coins is excluded at any of 300 looks: in 5 % of all cases at most. An interval for one
    look alone would be wrong at some of them in more than 30 %."""
    random = numpy.random.Generator(numpy.random.PCG64(8))
    wrong = 0
    for _ in range(100):
        interval = after([float(value) for value in random.integers(0, 2, 300)])
        wrong += not interval.low <= 0.5 <= interval.high
    assert wrong <= 8


def test_an_observation_costs_less_than_a_millisecond() -> None:
    interval, began = BettingInterval(), process_time()
    for value in drawn(300):
        interval.add(value)
    assert process_time() - began < 0.3


@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan")])
def test_what_lies_outside_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"expected an observation in 0…1, got"):
        BettingInterval().add(value)
