"""The rounds in which a scan finds the dearest decisions, and that what it tells is not what has chosen."""

from __future__ import annotations

import numpy as np
import pytest

from arena.commands.branch.inference.dearest import (
    EQUAL_REPEATS,
    LISTED_DECISIONS,
    SECOND_ROUND_ANSWERS,
    CostVerdict,
    OtherAnswer,
    ScanRounds,
    cost_verdict,
    kept_after_first,
    rounds_of,
    told_after_second,
)
from arena.commands.branch.inference.decision_worth import unseen_share
from arena.tournament.inference.intervals import clustered_mean
from tests.branch.made_up import holds, scan


def other(ask: int, move: bytes = b"a") -> OtherAnswer:
    return OtherAnswer(ask, move)


def test_no_repetition_is_in_two_rounds_nor_among_those_of_other_branches() -> None:
    for repeat in (1, 30, 100_000):
        rounds = rounds_of(repeat)
        assert len({*rounds.first, *rounds.second, *rounds.last}) == sum(map(len, rounds))
        assert min(rounds.first.start, rounds.second.start, rounds.last.start) > 100_000
        assert len(rounds.last) == repeat
    assert [len(each) for each in rounds_of(30)] == [2, 8, 30]


def test_so_many_branches_are_played_at_most() -> None:
    rounds = ScanRounds(range(2), range(8), range(30))
    assert (
        rounds.branches(asks=40, others=100)
        == 140 * 2 + (SECOND_ROUND_ANSWERS + SECOND_ROUND_ANSWERS) * 8 + 2 * LISTED_DECISIONS * 30
    )
    assert rounds.branches(asks=3, others=5) == 8 * 2 + (3 + 5) * 8 + 2 * 3 * 30


def test_the_second_round_has_the_answers_that_did_best_in_the_first() -> None:
    gains = {other(ask): [ask, -ask, ask] for ask in range(1, 60)}
    assert kept_after_first(gains) == [other(ask) for ask in range(60 - SECOND_ROUND_ANSWERS, 60)]
    assert kept_after_first({other(1): [], other(2): [-3]}) == [other(2)]


def test_of_each_decision_the_best_answer_is_told_if_it_seems_to_bring_anything() -> None:
    gains = {other(1, b"a"): [3, 5], other(1, b"b"): [4, 5], other(2): [0, 0], other(3): [-1, 0], other(4): [9, -8]}
    assert told_after_second(gains) == [other(1, b"b"), other(4)]
    many = {other(ask): [ask] for ask in range(1, 30)}
    assert told_after_second(many) == [other(ask) for ask in range(30 - LISTED_DECISIONS, 30)]


@pytest.mark.parametrize(
    ("differences", "told"),
    [
        ([9, 10, 11, 10], CostVerdict.CLEAR),
        ([5] * EQUAL_REPEATS, CostVerdict.CLEAR),
        ([5] * (EQUAL_REPEATS - 1), CostVerdict.ALIKE),
        ([5, 5, 5], CostVerdict.ALIKE),
        ([5, 5], CostVerdict.UNCLEAR),
        ([19, -10, 11, -10], CostVerdict.UNCLEAR),
        ([0] * EQUAL_REPEATS, CostVerdict.NOTHING),
        ([9, -10, 11, -10], CostVerdict.NOTHING),
        ([-9, -10, -11, -10], CostVerdict.NOTHING),
    ],
)
def test_a_cost_is_told_by_its_interval_and_by_how_often_it_was_the_same(
    differences: list[int], told: CostVerdict
) -> None:
    assert cost_verdict(clustered_mean([(float(each), 1) for each in differences])) is told


def test_who_seldom_pays_dearly_is_not_told_to_have_lost_by_what_mostly_comes() -> None:
    """Of 20 repetitions 19 bring 1 more and one 19 less: in the mean nothing."""
    draw = np.random.Generator(np.random.PCG64(16))
    found: dict[int, list[CostVerdict]] = {}
    for repeat in (3, 30, EQUAL_REPEATS):
        drawn = np.where(draw.random((800, repeat)) < 0.05, -19.0, 1.0)
        found[repeat] = [cost_verdict(clustered_mean([(each, 1) for each in row])) for row in drawn.tolist()]
    assert found[3].count(CostVerdict.ALIKE) > 600, "these would be accused by all repetitions being equal"
    assert all(each.count(CostVerdict.CLEAR) / 800 < 0.025 for each in found.values())


def test_so_much_may_be_unseen() -> None:
    assert [round(unseen_share(each), 3) for each in (3, 30, 100)] == [0.632, 0.095, 0.03]
    assert all((1 - unseen_share(each)) ** each == pytest.approx(0.05) for each in (3, 30, 100))


def test_intervals_hold_though_the_dearest_were_chosen_and_what_chose_them_is_too_high() -> None:
    draw = np.random.Generator(np.random.PCG64(16))
    lines = [line for _ in range(300) for line in scan(draw, 30)]
    assert len(lines) > 2000
    assert 0.93 <= np.mean([holds(line) for line in lines]) <= 0.97
    assert abs(np.mean([(line.told.mean or 0.0) - line.true for line in lines])) < 0.2
    assert np.mean([line.chosen_by - line.true for line in lines]) > 2.0
    nothing = [line for line in lines if line.true <= 0]
    assert np.mean([cost_verdict(line.told) is CostVerdict.CLEAR for line in nothing]) < 0.04
