"""How many blocks are needed, against simulated tournaments."""

from __future__ import annotations

from math import sqrt

import numpy
import pytest

from arena.tournament.inference.blocks_needed import (
    MOST_NEEDED,
    Deviation,
    chi_square,
    deviation_of_difference,
    deviation_of_mean,
    for_difference,
    for_half_width,
    widest_deviation,
)
from arena.tournament.inference.intervals import clustered_mean
from arena.tournament.inference.student_t import t_quantile_975
from arena.tournament.inference.variance_ratio import ratio_below, variance_ratio
from tests.bench import plan_assurance as plan_bench

RUNS = 30


def drawn(seed: int) -> numpy.random.Generator:
    return numpy.random.Generator(numpy.random.PCG64(seed))


@pytest.mark.parametrize(
    ("part", "df", "table"),
    [(0.95, 1, 3.841), (0.025, 2, 0.0506), (0.975, 9, 19.023), (0.025, 19, 8.907), (0.5, 100, 99.334)],
)
def test_quantiles_of_chi_square_are_those_of_the_tables(part: float, df: int, table: float) -> None:
    """Abramowitz & Stegun, Handbook of Mathematical Functions, table 26.8."""
    assert chi_square(part, df) == pytest.approx(table, abs=0.0006)


@pytest.mark.parametrize(
    ("first", "second", "table"), [(1, 1, 161.4), (2, 10, 4.10), (10, 2, 19.40), (24, 9, 2.90), (120, 120, 1.35)]
)
def test_quantiles_of_ratios_of_variances_are_those_of_the_tables(first: int, second: int, table: float) -> None:
    """Abramowitz & Stegun, table 26.9, 5 %."""
    assert variance_ratio(0.95, first, second) == pytest.approx(table, rel=0.002)
    assert ratio_below(variance_ratio(0.3, first, second), first, second) == pytest.approx(0.3, abs=1e-9)


@pytest.mark.parametrize(("pilot", "kept"), [(5, False), (20, True)])
def test_a_run_of_that_length_is_narrow_enough_with_the_assurance_and_without_one_in_half_of_cases(
    pilot: int, kept: bool
) -> None:
    random = drawn(pilot)
    reached = {None: 0, 0.8: 0}
    for _ in range(RUNS):
        seen = random.normal(0, 1, pilot)
        deviation = deviation_of_mean({block: (float(each), 1) for block, each in enumerate(seen)})
        assert deviation is not None
        for assurance in reached:
            blocks = for_half_width(deviation, 0.3, assurance, kept).blocks
            run = random.normal(0, 1, blocks)
            if kept:
                run[:pilot] = seen[:blocks]
            half = t_quantile_975(len(run) - 1) * float(run.std(ddof=1)) / sqrt(len(run))
            reached[assurance] += half <= 0.3
    assert reached[None] / RUNS < 0.64
    assert 0.78 <= reached[0.8] / RUNS <= 0.97


def test_a_skewed_pilot_asks_for_more_blocks_and_runs_of_skewed_blocks_are_long_enough_too() -> None:
    """Without regard to skewness 66 % of these runs are as narrow as wanted. More runs and shapes: tests/bench."""
    even, skewed = Deviation(0.1, 0.07, 0.18, 10), Deviation(0.1, 0.07, 0.18, 10, -1.5)
    for kept in (False, True):
        needed = [for_half_width(each, 0.025, 0.8, kept).blocks for each in (even, skewed)]
        assert 1.3 * needed[0] < needed[1] < 4 * needed[0]
    assert for_half_width(even, 0.025).blocks == for_half_width(skewed, 0.025).blocks
    found = [for_difference(each, 0.04, 0.8, 0.8).blocks for each in (even, skewed)]
    assert found[0] < found[1]
    assert plan_bench.reached("skewed", 10, RUNS, 0.8)[0] > 0.7


@pytest.mark.parametrize("kind", ["even", "skewed", "far skewed", "heavy tails", "rare wins"])
def test_the_shapes_of_the_benchmark_have_mean_0_and_deviation_1(kind: str) -> None:
    blocks = plan_bench.SHAPES[kind](drawn(1), 40_000)
    assert blocks.mean() == pytest.approx(0, abs=0.03)
    assert blocks.std() == pytest.approx(1, abs=0.06)


def test_the_skewness_is_that_of_residuals_and_bounded_in_what_it_does() -> None:
    blocks = {block: (each, 1) for block, each in enumerate([0.0, 0.0, 0.0, 0.0, 1.0])}
    found = deviation_of_mean(blocks)
    assert found is not None
    assert found.skewness == pytest.approx(2.236, abs=0.001)
    assert found.kurtosis == pytest.approx(0.25, abs=0.001)
    assert found.uncertainty == pytest.approx(4 / 1.4)
    assert Deviation(1, 1, 1, 3, 9.0).uncertainty == pytest.approx(2 / 1.4)
    assert Deviation(1, 1, 1, 100, 0.5).uncertainty == pytest.approx(1 + 4.5 / 4)
    assert Deviation(1, 1, 1, 100, 0.0, 9.0).uncertainty == pytest.approx(5.5)
    assert Deviation(1, 1, 1, 100, 0.0, -1.2).uncertainty == 1


def test_the_power_is_reached_after_most_pilots() -> None:
    sure, known = (for_difference(Deviation(0.1, 0.07, 0.18, 10), 0.04, 0.8, each).blocks for each in (0.8, None))
    assert sure / known == pytest.approx(9 / chi_square(0.2, 9), rel=0.05)


def test_a_run_that_is_narrow_enough_already_needs_no_more() -> None:
    deviation = Deviation(0.1, 0.07, 0.18, 30)
    wide = t_quantile_975(29) * 0.1 / sqrt(30)
    assert for_half_width(deviation, wide * 1.001, 0.8, kept=True).blocks <= 30
    assert for_half_width(deviation, wide * 0.97, 0.8, kept=True).blocks > 31


def test_the_deviation_is_that_of_the_interval_of_the_standings() -> None:
    blocks = {0: (3.0, 8), 1: (5.5, 8), 2: (1.0, 4), 5: (4.0, 8), 9: (6.0, 12)}
    found, estimate = deviation_of_mean(blocks), clustered_mean(blocks.values())
    assert found is not None
    assert estimate.mean is not None
    residuals = [total - estimate.mean * count for total, count in blocks.values()]
    error = sqrt(5 / 4 * sum(each**2 for each in residuals)) / 40
    assert found.value / sqrt(5) == pytest.approx(error)
    assert found.clusters == 5
    assert found.low < found.value < found.high


def test_a_difference_in_the_same_blocks_knows_that_they_have_the_deals_in_common() -> None:
    deal = drawn(1).normal(0, 10, 40)
    one = {block: (float(each + 1), 1) for block, each in enumerate(deal)}
    two = {block: (float(each + block % 2), 1) for block, each in enumerate(deal)}
    both = deviation_of_difference(one, two)
    assert both is not None
    assert both.value < 1
    apart = deviation_of_difference(one, {block + 100: each for block, each in two.items()})
    assert apart is not None
    assert apart.value > 5


def test_where_nothing_varies_or_blocks_are_too_few_nothing_is_said() -> None:
    assert deviation_of_mean({0: (1.0, 2), 1: (2.0, 4), 2: (0.5, 1)}) is None
    assert deviation_of_mean({0: (1.0, 2), 1: (0.0, 4)}) is None
    assert deviation_of_mean({}) is None


def test_so_many_blocks_make_the_interval_as_narrow_as_wanted_and_one_less_does_not() -> None:
    blocks = for_half_width(Deviation(0.1, 0.08, 0.14, 20), 0.02).blocks
    assert t_quantile_975(blocks - 1) * 0.1 / sqrt(blocks) <= 0.02
    assert t_quantile_975(blocks - 2) * 0.1 / sqrt(blocks - 1) > 0.02


def test_of_simulated_tournaments_with_so_many_blocks_the_intervals_are_as_wide_as_wanted() -> None:
    blocks = for_half_width(Deviation(0.1, 0.1, 0.1, 20), 0.025).blocks
    means = drawn(2).normal(0.3, 0.1, (400, blocks))
    widths = t_quantile_975(blocks - 1) * means.std(axis=1, ddof=1) / sqrt(blocks)
    assert float(widths.mean()) == pytest.approx(0.025, rel=0.03)


@pytest.mark.parametrize("power", [0.8, 0.9])
def test_a_difference_of_that_size_is_found_as_often_as_said(power: float) -> None:
    blocks = for_difference(Deviation(0.1, 0.1, 0.1, 20), 0.04, power).blocks
    means = drawn(3).normal(0.04, 0.1, (4000, blocks))
    error = means.std(axis=1, ddof=1) / sqrt(blocks)
    found = float((means.mean(axis=1) - t_quantile_975(blocks - 1) * error > 0).mean())
    assert found == pytest.approx(power, abs=0.02)


def test_the_range_holds_the_true_number_after_19_of_20_pilots() -> None:
    true = for_half_width(Deviation(0.1, 0.1, 0.1, 20), 0.02).blocks
    pilots = drawn(4).normal(0.3, 0.1, (200, 12))
    held = 0
    for pilot in pilots:
        deviation = deviation_of_mean({block: (float(each), 1) for block, each in enumerate(pilot)})
        assert deviation is not None
        needed = for_half_width(deviation, 0.02)
        held += needed.low <= true <= needed.high
    assert 0.92 <= held / len(pilots) <= 0.98


def test_what_can_hardly_be_reached_is_cut_off() -> None:
    assert for_half_width(Deviation(1, 1, 1, 20), 1e-9).blocks == MOST_NEEDED
    assert for_half_width(Deviation(1e-9, 1e-9, 1e-9, 20), 1).blocks == 3


def test_the_widest_is_who_deviates_most() -> None:
    one, two = Deviation(0.1, 0.1, 0.1, 9), Deviation(0.2, 0.2, 0.2, 9)
    assert widest_deviation([("b", one), ("a", two), ("c", None)]) == ("a", two)
    assert widest_deviation([("b", two), ("a", two)]) == ("a", two)
    assert widest_deviation([("c", None)]) is None
