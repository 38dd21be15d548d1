"""Paired comparisons: an entrant with its opponents, and challengers with one of them."""

from __future__ import annotations

import pytest

from arena.penalties import SeatEnd
from arena.tournament.duels import Verdict, fold_duels
from arena.tournament.intervals import Estimate, clustered_mean
from arena.tournament.records import MatchRecord, SeatRecord
from arena.tournament.trials import fold_trials


def match(block: int, *money: tuple[str, int], void: bool = False, number: int = 0) -> MatchRecord:
    """A match with this money by entrant, in seat order."""
    ranks = [1 + sum(other > own for _, other in money) for _, own in money]
    seats = tuple(
        SeatRecord(name, own, rank, SeatEnd.PLAYED, {}) for (name, own), rank in zip(money, ranks, strict=True)
    )
    return MatchRecord(f"b{block}/{number}", "board", "base", block, "seed", "last deal", 1, seats, void)


BLOCKS = [
    match(0, ("mine", 9), ("hard", 4), ("fair", 9)),
    match(0, ("hard", 5), ("fair", 1), ("mine", 3)),
    match(1, ("mine", 8), ("hard", 2), ("fair", 1)),
    match(1, ("hard", 1), ("fair", 2), ("mine", 3)),
    match(2, ("mine", 7), ("hard", 6), ("fair", 5)),
    match(2, ("hard", 0), ("fair", 90), ("mine", 30), void=True),
]


def test_a_duel_is_the_share_of_common_matches_with_the_better_rank_a_tie_counting_half() -> None:
    hard, fair = fold_duels(BLOCKS, ["mine"], ["hard", "fair"])
    assert (hard.entrant, hard.opponent, hard.matches) == ("mine", "hard", 5)
    assert hard.score == clustered_mean([(1, 2), (2, 2), (1, 1)], share=True)
    assert hard.score.mean == 4 / 5
    assert hard.money_difference == clustered_mean([(3, 2), (8, 2), (1, 1)])
    assert fair.score == clustered_mean([(1.5, 2), (2, 2), (1, 1)], share=True)


def test_the_order_of_matches_changes_no_duel() -> None:
    assert fold_duels(BLOCKS, ["mine"], ["hard"]) == fold_duels(BLOCKS[::-1], ["mine"], ["hard"])


def test_an_opponent_that_was_never_met_has_no_score() -> None:
    (never,) = fold_duels(BLOCKS, ["mine"], ["greedy"])
    assert (never.matches, never.score, never.verdict) == (0, Estimate(None, None, 0), Verdict.OPEN)


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [
        ([4, 4, 3, 4], Verdict.BETTER),
        ([0, 1, 0, 0], Verdict.WORSE),
        ([4, 0, 3, 1], Verdict.OPEN),
        ([4, 4], Verdict.OPEN),
    ],
)
def test_a_verdict_needs_an_interval_on_one_side_of_one_half(wins: list[int], verdict: Verdict) -> None:
    records = [
        match(block, ("mine", number < won), ("hard", number >= won), number=number)
        for block, won in enumerate(wins)
        for number in range(4)
    ]
    (duel,) = fold_duels(records, ["mine"], ["hard"])
    assert duel.verdict is verdict


TRIALS = [
    match(block, (name, money), ("hard", 5))
    for block, by_name in enumerate([{"low": 4, "high": 6}, {"low": 5, "high": 9}, {"low": 1, "high": 8}])
    for name, money in by_name.items()
]


def test_trials_are_compared_block_by_block_with_one_of_them() -> None:
    low, high = fold_trials(TRIALS, ["low", "high"], "low")
    assert (low.matches, low.more_wins, low.more_money, low.verdict) == (3, None, None, None)
    assert low.win_rate == clustered_mean([(0, 1), (0.5, 1), (0, 1)], share=True)
    assert high.mean_money == clustered_mean([(6, 1), (9, 1), (8, 1)])
    assert high.more_money == clustered_mean([(2, 1), (4, 1), (7, 1)])
    assert high.more_wins == clustered_mean([(1, 1), (0.5, 1), (1, 1)])
    assert high.verdict is Verdict.BETTER


def test_a_block_that_only_one_of_two_trials_has_finished_is_left_out_of_their_comparison() -> None:
    _, high = fold_trials([*TRIALS, match(3, ("high", 99), ("hard", 5))], ["low", "high"], "low")
    assert high.matches == 4
    assert high.more_money == clustered_mean([(2, 1), (4, 1), (7, 1)])
