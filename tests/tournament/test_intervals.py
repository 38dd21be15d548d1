"""Intervals are as wide as independent blocks warrant, whatever happens within a block."""

from __future__ import annotations

import random
from math import log, sqrt
from statistics import fmean, stdev, variance

import pytest

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.inference.student_t import t_quantile_975


def test_clusters_of_one_size_give_the_textbook_interval_of_their_means() -> None:
    means = [0.25, 0.5, 0.5, 0.0, 1.0]
    estimate = clustered_mean([(4 * mean, 4) for mean in means])
    assert estimate.mean == pytest.approx(fmean(means))
    assert estimate.half_width == pytest.approx(2.776 * stdev(means) / sqrt(5))
    assert estimate.clusters == 5


def test_clusters_of_several_sizes_have_the_degrees_of_freedom_of_bell_and_mccaffrey() -> None:
    # R = 6/6 = 1; residuals 1 - 1, 1 - 2, 4 - 3 = 0, -1, 1; variance (1 / (1 - 2/6) + 1 / (1 - 3/6)) / 36 = 3.5/36.
    # With parts h = 1/6, 2/6, 3/6, df = 1 / (Σ h² + Σ h²k² / ((1-h)(1-k))), the second over ordered pairs:
    # h²/(1-h) = 1/30, 1/6, 1/2, so 14/36 + 2 * (1/180 + 1/60 + 1/12) = 0.6, and df = 5/3.
    estimate = clustered_mean([(1, 1), (1, 2), (4, 3)])
    assert estimate.mean == 1
    assert estimate.half_width == pytest.approx(t_quantile_975(5 / 3) * sqrt(3.5 / 36))


def test_one_or_two_blocks_have_a_mean_but_no_interval() -> None:
    assert clustered_mean([(3, 4)]) == Estimate(0.75, None, None, 1)
    assert clustered_mean([(3, 4), (2, 4)]) == Estimate(0.625, None, None, 2)
    assert clustered_mean([(3, 4), (2, 4), (1, 4)]).half_width is not None


@pytest.mark.parametrize("wins", [[1, 2, 3, 2], [0, 0, 1, 0], [4, 3, 4, 4], [2, 0, 4, 1]])
def test_the_interval_of_a_share_reaches_as_far_to_both_sides_in_log_odds(wins: list[int]) -> None:
    estimate = clustered_mean([(won, 4) for won in wins], share=True)
    share, means = fmean(wins) / 4, [won / 4 for won in wins]
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 < estimate.low < share < estimate.high < 1
    reach = 3.182 * sqrt(variance(means) / 4) / (share * (1 - share))
    assert log_odds(share) - log_odds(estimate.low) == pytest.approx(reach)
    assert log_odds(estimate.high) - log_odds(share) == pytest.approx(reach)


def log_odds(share: float) -> float:
    return log(share / (1 - share))


def test_the_interval_of_what_is_won_or_lost_is_narrower_where_blocks_are_few() -> None:
    wins = [(won, 8) for won in (2, 3, 1, 2, 4, 2, 1, 3, 2, 2, 3)]
    for blocks, least, most in ((3, 0.7, 0.9), (4, 0.8, 0.98), (6, 0.9, 1), (11, 1, 1)):
        free, stepped = (clustered_mean(wins[:blocks], share=True, step=step) for step in (0.0, 1.0))
        assert free.mean == stepped.mean
        assert least <= (stepped.half_width or 0) / (free.half_width or 1) <= most


def test_a_share_far_beyond_what_floats_can_tell_apart_has_an_interval() -> None:
    found = clustered_mean([(1e-9, 10**6), (0.0, 10**6), (0.0, 10**6)], share=True)
    assert found.alike
    found = clustered_mean([(1.0, 10**9), (0.0, 10**9), (0.0, 10**9), (0.0, 1)], share=True, step=1.0)
    assert found.mean is not None
    assert (found.low, found.high) == (pytest.approx(0), pytest.approx(1)) or 0 <= (found.low or 0) < found.mean


@pytest.mark.parametrize("blocks", [3, 10, 25])
@pytest.mark.parametrize("mean", [0, 1])
def test_a_share_of_nothing_or_all_has_an_interval_on_one_side(mean: int, blocks: int) -> None:
    estimate = clustered_mean([(4 * mean, 4)] * blocks, share=True)
    far = estimate.high if mean == 0 else estimate.low
    matches, t = 4 * blocks / 1.75, t_quantile_975(blocks - 1)
    assert estimate.alike
    assert estimate.mean == mean == (estimate.low if mean == 0 else estimate.high)
    assert far is not None
    assert abs(far - mean) == pytest.approx(t**2 / (matches + t**2))


@pytest.mark.parametrize("share", [0.0, 1e-12, 1 / 3, 0.7, 1 - 1e-12, 1.0])
def test_the_mean_is_never_outside_its_interval_not_even_by_rounding(share: float) -> None:
    for blocks in range(3, 60):
        for size in (1, 6):
            alike = clustered_mean([(size * share, size)] * blocks, share=True)
            apart = clustered_mean([(size * share, size), *[(share, 1)] * blocks, (0.5, 1)], bounds=(0.0, 1.0))
            for found in (alike, apart):
                assert found.mean is not None
                assert found.low is not None
                assert found.high is not None
                assert 0 <= found.low <= found.mean <= found.high <= 1


def test_where_all_blocks_are_alike_only_what_has_bounds_has_an_interval() -> None:
    assert clustered_mean([(1, 4)] * 5) == Estimate(0.25, None, None, 5, alike=True)
    share = clustered_mean([(1, 4)] * 5, share=True)
    assert (share.mean, share.alike) == (0.25, True)
    assert share.low is not None
    assert share.low < 0.25


@pytest.mark.parametrize(("blocks", "least"), [(3, 2), (4, 3), (30, 3)])
def test_differences_have_an_interval_only_where_enough_blocks_have_one(blocks: int, least: int) -> None:
    for differ in range(1, least + 2):
        values = [5.0, -2.0, 4.0, 1.0][:differ] + [0.0] * (blocks - differ)
        found = clustered_mean([(value, 4) for value in values[:blocks]])
        assert found.mean == pytest.approx(fmean(values[:blocks]) / 4)
        assert (found.low is not None) == (differ >= least)
        assert not found.alike
    assert clustered_mean([(1, 4)] + [(0, 4)] * (blocks - 1), share=True).low is not None, "shares have bounds"


def test_a_mean_between_bounds_is_a_share_of_the_room_between_them() -> None:
    share = clustered_mean([(1, 4), (3, 4), (2, 4)], share=True)
    ranks = clustered_mean([(4 + 3, 4), (4 + 9, 4), (4 + 6, 4)], bounds=(1, 4))
    assert share.low is not None
    assert share.high is not None
    assert (ranks.low, ranks.high) == (pytest.approx(1 + 3 * share.low), pytest.approx(1 + 3 * share.high))


@pytest.mark.parametrize("blocks", [3, 6, 12, 40])
def test_with_more_wins_neither_end_of_a_share_goes_down(blocks: int) -> None:
    found = [clustered_mean([(won, 8)] + [(1, 8)] * (blocks - 1), share=True) for won in range(2, 7)]
    assert [each.high for each in found] == sorted(each.high or 0 for each in found)


def test_a_mirrored_estimate_is_that_of_the_mirrored_results() -> None:
    estimate = clustered_mean([(1, 4), (3, 4), (0, 2)], share=True).mirror(1)
    other = clustered_mean([(3, 4), (1, 4), (2, 2)], share=True)
    assert (estimate.mean, estimate.low) == (pytest.approx(other.mean), pytest.approx(other.low))
    assert (estimate.high, estimate.clusters) == (pytest.approx(other.high), 3)
    assert clustered_mean([(3, 4)]).mirror(1) == Estimate(0.25, None, None, 1)


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
