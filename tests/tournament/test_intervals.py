"""Intervals are as wide as independent blocks warrant, whatever happens within a block."""

from __future__ import annotations

import random
from math import atan, cos, exp, lgamma, pi, sqrt
from statistics import fmean, stdev

import pytest

from arena.tournament.intervals import Estimate, clustered_mean, t_quantile_975


def central_probability(t: float, df: int, steps: int = 400) -> float:
    """P(|T| < t) by Simpson's rule, after x = sqrt(df) tan(u), which bounds the range."""
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(pi)
    end = atan(t / sqrt(df))
    values = [cos(end * step / steps) ** (df - 1) for step in range(steps + 1)]
    weights = [1, *[4, 2] * (steps // 2 - 1), 4, 1]
    return 2 * scale * end / steps / 3 * sum(w * v for w, v in zip(weights, values, strict=True))


@pytest.mark.parametrize(
    ("df", "published"), [(1, 12.706), (10, 2.228), (30, 2.042), (40, 2.021), (100, 1.984), (120, 1.980)]
)
def test_students_t_is_as_published(df: int, published: float) -> None:
    assert t_quantile_975(df) == pytest.approx(published, abs=0.0006)


@pytest.mark.parametrize("df", [*range(1, 61), 100, 1000])
def test_students_t_holds_95_percent_between_its_quantiles(df: int) -> None:
    t = t_quantile_975(df)
    within = 0.0006 if df <= 30 else 0.000001  # a table of three decimals, then an expansion
    assert central_probability(t - within, df) < 0.95 < central_probability(t + within, df)


def test_students_t_falls_towards_the_normal_quantile() -> None:
    quantiles = [t_quantile_975(df) for df in [*range(1, 200), 10**9]]
    assert quantiles == sorted(quantiles, reverse=True)
    assert quantiles[-1] == pytest.approx(1.959964, abs=1e-6)


def test_there_is_no_t_without_degrees_of_freedom() -> None:
    with pytest.raises(ValueError, match="got 0"):
        t_quantile_975(0)


def test_clusters_of_one_size_give_the_textbook_interval_of_their_means() -> None:
    means = [0.25, 0.5, 0.5, 0.0, 1.0]
    estimate = clustered_mean([(4 * mean, 4) for mean in means])
    assert estimate.mean == pytest.approx(fmean(means))
    assert estimate.half_width == pytest.approx(2.776 * stdev(means) / sqrt(5))
    assert estimate.clusters == 5


def test_clusters_of_several_sizes_give_the_interval_of_a_ratio() -> None:
    # R = 6/6 = 1; residuals 1 - 1, 1 - 2, 4 - 3 = 0, -1, 1; variance 3/2 * 2 / 36 = 1/12.
    estimate = clustered_mean([(1, 1), (1, 2), (4, 3)])
    assert estimate.mean == 1
    assert estimate.half_width == pytest.approx(4.303 * sqrt(1 / 12))


def test_one_or_two_blocks_have_a_mean_but_no_interval() -> None:
    assert clustered_mean([(3, 4)]) == Estimate(0.75, None, None, 1)
    assert clustered_mean([(3, 4), (2, 4)]) == Estimate(0.625, None, None, 2)
    assert clustered_mean([(3, 4), (2, 4), (1, 4)]).half_width is not None


@pytest.mark.parametrize("blocks", [3, 10, 25])
@pytest.mark.parametrize("mean", [0, 1])
def test_a_share_of_nothing_or_all_has_an_interval_that_reaches_as_far_as_it_may_lie(mean: int, blocks: int) -> None:
    estimate = clustered_mean([(4 * mean, 4)] * blocks, share=True)
    assert estimate.mean == mean
    assert estimate.half_width is not None
    assert (1 - estimate.half_width) ** blocks == pytest.approx(0.05)
    assert clustered_mean([(4 * mean, 4)] * blocks).half_width == 0


def test_a_share_that_is_the_same_in_every_block_is_known() -> None:
    assert clustered_mean([(1, 4)] * 5, share=True) == Estimate.around(0.25, 0.0, 5)


def test_blocks_without_a_match_do_not_count() -> None:
    assert clustered_mean([(3, 4), (0, 0)]) == Estimate(0.75, None, None, 1)
    assert clustered_mean([(0, 0)]) == clustered_mean([]) == Estimate(None, None, None, 0)


def test_the_order_of_blocks_leaves_no_trace() -> None:
    source = random.Random(5)
    clusters = [(source.uniform(-1e6, 1e6) ** source.choice([1, 2]), source.randint(1, 9)) for _ in range(200)]
    estimates = set()
    for _ in range(20):
        source.shuffle(clusters)
        estimates.add(clustered_mean(clusters))
    assert len(estimates) == 1


def covers(estimate: Estimate, truth: float) -> bool:
    assert estimate.mean is not None
    assert estimate.half_width is not None
    return abs(estimate.mean - truth) <= estimate.half_width


def test_95_of_100_intervals_hold_the_truth_though_matches_of_a_block_resemble_each_other() -> None:
    source = random.Random(1)
    clustered = naive = 0
    for _ in range(1000):
        blocks = []
        for _ in range(12):
            deal = source.gauss(10, 1)
            blocks.append([source.gauss(deal, 1) for _ in range(source.choice([5, 6, 6, 6]))])
        clustered += covers(clustered_mean((sum(block), len(block)) for block in blocks), 10)
        naive += covers(clustered_mean((match, 1) for block in blocks for match in block), 10)
    assert 930 <= clustered <= 970
    assert naive < 800
