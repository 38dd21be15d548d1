"""How sure ratings say they are, and that the order of matches changes nothing."""

from __future__ import annotations

import msgspec
import numpy
import pytest

from arena.ratings.by_money.money_ratings import rate_money
from arena.ratings.by_order.orders import rate_orders
from arena.ratings.clustered import ONE_BY_ONE
from arena.ratings.order_columns import RatingMatches, compact_matches
from arena.ratings.presenting.rating_figures import ratings_csv, ratings_data
from arena.ratings.rate import RatingOptions, rate_entrants
from arena.ratings.scale import RatingScale
from arena.tournament.inference.student_t import t_quantile_975
from tests.ratings.simulated import (
    all_tables,
    matches_of,
    ranks_with_ties,
    resembling,
    some_tables,
)

WORTHS = numpy.array([0.8, 0.4, 0.0, 0.0, -0.4, -0.8])
OWN, OTHERS = numpy.array([6.0, 3.0, 0.0, 0.0, -3.0, -6.0]), numpy.array([-1.0, 2.0, 0.0, 0.0, -2.0, 1.0])
RUNS = 10


def share_held(scales: list[tuple[RatingScale, numpy.ndarray]]) -> float:  # type: ignore[type-arg]
    """The share of intervals of entrants that hold the truth."""
    held = []
    for scale, truth in scales:
        for at, value in enumerate(truth - truth.mean()):
            estimate = scale.estimate(at)
            assert estimate.low is not None
            assert estimate.high is not None
            held.append(estimate.low <= value <= estimate.high)
    return sum(held) / len(held)


@pytest.mark.slow
def test_intervals_of_log_worths_hold_the_truth_in_about_95_percent_of_runs() -> None:
    random, found = numpy.random.default_rng(5), []
    for _ in range(RUNS):
        entrants, block = some_tables(6, 8, random)
        ranks = ranks_with_ties(WORTHS[entrants], resembling(entrants, block, 1 / 3, random), -1.5, random)
        found.append((rate_orders(matches_of(entrants, ranks, block), seats=False).scales[0], WORTHS))
    assert 0.91 <= share_held(found) <= 0.99
    independent = rate_orders(matches_of(entrants, ranks, numpy.arange(len(block))), seats=False).scales[0]
    width, clustered = independent.estimate(0).half_width, found[-1][0].estimate(0).half_width
    assert width is not None
    assert clustered is not None
    assert width < clustered  # it would hold the truth less often


@pytest.mark.parametrize("several", [True, False])
def test_intervals_of_money_hold_the_truth_in_about_95_percent_of_runs(several: bool) -> None:
    random, found = numpy.random.default_rng(6), []
    for _ in range(RUNS):
        entrants, block = all_tables(6, 6)
        deal = block if several else numpy.arange(len(block))
        noise = 5 * resembling(entrants, block, 1 / 3, random) + 2 * random.standard_t(3, size=entrants.shape)
        left = OTHERS[entrants]
        common = 10 * random.normal(size=int(deal.max()) + 1)[deal][:, None] + left.sum(axis=1, keepdims=True)
        rated = rate_money(
            matches_of(entrants, numpy.ones_like(entrants), block, OWN[entrants] - left + common + noise, deal)
        )
        assert rated.deals is several
        (rating,) = rated.ratings
        assert rating.others is not None
        found += [(rating.own, OWN), (rating.others, OTHERS), (rating.lead, OWN - OTHERS)]
    assert 0.91 <= share_held(found) <= 0.99


def test_there_is_no_interval_and_no_verdict_below_three_blocks() -> None:
    random = numpy.random.default_rng(1)
    entrants, block = all_tables(5, 2, orders=4)
    matches = matches_of(
        entrants, ranks_with_ties(WORTHS[entrants], random.normal(size=entrants.shape), -2, random), block
    )
    scale = rate_orders(matches).scales[0]
    assert [scale.estimate(at).half_width for at in range(5)] == [None] * 5
    assert {each for row in scale.matrix() for each in row} == {None}


def test_an_anchor_is_zero_and_moves_all_others_by_as_much() -> None:
    random = numpy.random.default_rng(2)
    entrants, block = all_tables(6, 6)
    scale = rate_orders(
        matches_of(entrants, ranks_with_ties(WORTHS[entrants], random.normal(size=entrants.shape), -2, random), block)
    ).scales[0]
    moved = scale.anchored("bot003")
    assert moved.estimate(3).mean == 0
    assert moved.estimate(3).half_width is None
    assert moved.values == pytest.approx(scale.values - scale.values[3])
    assert [moved.above(0, at) for at in range(1, 6)] == pytest.approx([scale.above(0, at) for at in range(1, 6)])
    assert moved.not_apart() == scale.not_apart()


def test_a_difference_whose_interval_ends_at_zero_is_sure_to_97_and_a_half_percent() -> None:
    for blocks in (3, 12):
        far = t_quantile_975(blocks - 1) * numpy.sqrt(2)
        count = numpy.array([blocks, blocks])
        scale = RatingScale(("a", "b"), numpy.array([far / 2, -far / 2]), numpy.eye(2), count, count.astype(float))
        assert scale.above(0, 1) == pytest.approx(0.975, abs=2e-5)
        assert scale.above(1, 0) == pytest.approx(0.025, abs=2e-5)


def test_groups_hold_only_entrants_of_whom_no_two_are_told_apart() -> None:
    values = numpy.array([5.0, 3.5, 2.0, -10.0])
    many = numpy.full(4, 1000)
    scale = RatingScale(("a", "b", "c", "d"), values, numpy.eye(4), many, many.astype(float))
    assert scale.not_apart() == [["a", "b"], ["b", "c"]]


def drawn(blocks: int, random: numpy.random.Generator) -> RatingMatches:
    entrants, block = some_tables(7, blocks, random)
    worths = numpy.linspace(0.6, -0.6, 7)[entrants]
    money = numpy.round(20 + 10 * worths + random.normal(size=entrants.shape) * 7)
    return matches_of(
        entrants, ranks_with_ties(worths, random.normal(size=entrants.shape), -1.5, random), block, money, block
    )


@pytest.mark.parametrize("blocks", [6, ONE_BY_ONE + 5])
def test_the_order_of_matches_changes_no_byte(blocks: int) -> None:
    random = numpy.random.default_rng(blocks)
    matches = drawn(blocks, random)
    wanted = RatingOptions(clone_robust=True)
    told = rate_entrants(matches, wanted)
    (tables,) = matches.tables
    turned = numpy.arange(len(matches.names))[::-1]
    mixed = tables.select_rows(random.permutation(tables.matches))
    mixed = type(tables)(
        4, turned[mixed.entrants], *(getattr(mixed, name) for name in ("money", "ranks", "group", "block", "deal"))
    )
    again = rate_entrants(compact_matches(RatingMatches(matches.names[::-1], matches.groups, (mixed,), 0, 0)), wanted)
    assert msgspec.json.encode(ratings_data(again)) == msgspec.json.encode(ratings_data(told))
    assert ratings_csv(again) == ratings_csv(told)


def test_leaving_blocks_out_one_by_one_agrees_with_the_factor_where_blocks_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches = drawn(100, numpy.random.default_rng(3))
    one_by_one = rate_orders(matches).scales[0].estimate(0).half_width
    monkeypatch.setattr("arena.ratings.clustered.ONE_BY_ONE", 10)
    assert rate_orders(matches).scales[0].estimate(0).half_width == pytest.approx(one_by_one, rel=0.03)
