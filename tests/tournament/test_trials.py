"""Paired comparisons: what an interval says, and challengers with one of them."""

from __future__ import annotations

import pytest

from arena.penalties import SeatEnd
from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.inference.trials import fold_trials
from arena.tournament.inference.verdict import EVEN_SCORE, IntervalVerdict, judge_interval
from arena.tournament.records.match_record import MatchRecord, SeatRecord


def match(block: int, *money: tuple[str, int], void: bool = False, number: int = 0) -> MatchRecord:
    """A match with this money by entrant, in seat order."""
    ranks = [1 + sum(other > own for _, other in money) for _, own in money]
    seats = tuple(
        SeatRecord(name, own, rank, SeatEnd.PLAYED, {}) for (name, own), rank in zip(money, ranks, strict=True)
    )
    return MatchRecord(f"b{block}/{number}", "board", "base", block, "seed", "last deal", 1, seats, void)


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [
        ([4, 3, 4, 4, 3], IntervalVerdict.BETTER),
        ([0, 1, 0, 0, 1], IntervalVerdict.WORSE),
        ([4, 0, 3, 1], IntervalVerdict.OPEN),
        ([2, 2, 2, 2], IntervalVerdict.SAME),
        ([3, 1, 2, 2], IntervalVerdict.OPEN),
        ([4, 4], IntervalVerdict.OPEN),
        ([2, 2], IntervalVerdict.OPEN),
    ],
)
def test_a_verdict_needs_an_interval_on_one_side_of_one_half(wins: list[int], verdict: IntervalVerdict) -> None:
    assert judge_interval(clustered_mean([(won, 4) for won in wins], share=True), EVEN_SCORE) is verdict


def test_a_verdict_on_a_difference_needs_an_interval_on_one_side_of_nothing() -> None:
    given = [(-3.0, -4.0, -2.0), (3.0, 2.0, 4.0), (3.0, -0.5, 6.5), (3.0, None, None), (None, None, None)]
    found = [judge_interval(Estimate(*each, 5), 0) for each in given]
    assert found == [
        IntervalVerdict.WORSE,
        IntervalVerdict.BETTER,
        IntervalVerdict.OPEN,
        IntervalVerdict.OPEN,
        IntervalVerdict.OPEN,
    ]


def test_a_difference_that_is_the_same_in_every_block_is_the_same_only_where_it_is_nothing() -> None:
    assert judge_interval(clustered_mean([(0, 4)] * 5), 0) is IntervalVerdict.SAME
    assert judge_interval(clustered_mean([(2, 4)] * 5), 0) is IntervalVerdict.OPEN
    assert judge_interval(clustered_mean([(0, 4)] * 2), 0) is IntervalVerdict.OPEN


TRIALS = [
    match(block, (name, money), ("hard", 5))
    for block, by_name in enumerate([{"low": 4, "high": 6}, {"low": 5, "high": 9}, {"low": 1, "high": 8}])
    for name, money in by_name.items()
]


def test_trials_are_compared_block_by_block_with_one_of_them() -> None:
    low, high = fold_trials(TRIALS, ["low", "high"], "low")
    assert (low.matches, low.more_wins, low.more_money, low.verdict) == (3, None, None, None)
    assert low.win_rate == clustered_mean([(0, 1), (0.5, 1), (0, 1)], share=True, step=1)
    assert high.mean_money == clustered_mean([(6, 1), (9, 1), (8, 1)])
    assert high.more_money == clustered_mean([(2, 1), (4, 1), (7, 1)])
    assert high.more_wins == clustered_mean([(1, 1), (0.5, 1), (1, 1)])
    assert high.verdict is IntervalVerdict.BETTER


def test_a_block_that_only_one_of_two_trials_has_finished_is_left_out_of_their_comparison() -> None:
    _, high = fold_trials([*TRIALS, match(3, ("high", 99), ("hard", 5))], ["low", "high"], "low")
    assert high.matches == 4
    assert high.more_money == clustered_mean([(2, 1), (4, 1), (7, 1)])
