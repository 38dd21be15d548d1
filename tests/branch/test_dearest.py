"""The rounds in which a scan finds the dearest decisions, and that what it tells is not what has chosen."""

from __future__ import annotations

import numpy as np
import pytest

from arena.branch.dearest import KEPT, TEN, Other, Rounds, is_clear, kept_after_first, rounds_of, told_after_second
from arena.tournament.intervals import Estimate, clustered_mean


def other(ask: int, move: bytes = b"a") -> Other:
    return Other(ask, move)


def test_no_repetition_is_in_two_rounds_nor_among_those_of_other_branches() -> None:
    for repeat in (1, 30, 100_000):
        rounds = rounds_of(repeat)
        assert len({*rounds.first, *rounds.second, *rounds.last}) == sum(map(len, rounds))
        assert min(rounds.first.start, rounds.second.start, rounds.last.start) > 100_000
        assert len(rounds.last) == repeat
    assert [len(each) for each in rounds_of(30)] == [2, 8, 30]


def test_so_many_branches_are_played_at_most() -> None:
    rounds = Rounds(range(2), range(8), range(30))
    assert rounds.branches(asks=40, others=100) == 140 * 2 + (KEPT + KEPT) * 8 + 2 * TEN * 30
    assert rounds.branches(asks=3, others=5) == 8 * 2 + (3 + 5) * 8 + 2 * 3 * 30


def test_the_second_round_has_the_answers_that_did_best_in_the_first() -> None:
    gains = {other(ask): [ask, -ask, ask] for ask in range(1, 60)}
    assert kept_after_first(gains) == [other(ask) for ask in range(60 - KEPT, 60)]
    assert kept_after_first({other(1): [], other(2): [-3]}) == [other(2)]


def test_of_each_decision_the_best_answer_is_told_if_it_seems_to_bring_anything() -> None:
    gains = {other(1, b"a"): [3, 5], other(1, b"b"): [4, 5], other(2): [0, 0], other(3): [-1, 0], other(4): [9, -8]}
    assert told_after_second(gains) == [other(1, b"b"), other(4)]
    many = {other(ask): [ask] for ask in range(1, 30)}
    assert told_after_second(many) == [other(ask) for ask in range(30 - TEN, 30)]


@pytest.mark.parametrize(
    ("differences", "clear"),
    [([5, 5, 5], True), ([0, 0, 0], False), ([5, 5], False), ([9, 10, 11, 10], True), ([9, -10, 11, -10], False)],
)
def test_a_cost_is_clear_where_its_interval_leaves_0_out_or_it_never_differs(
    differences: list[int], clear: bool
) -> None:
    assert is_clear(clustered_mean([(float(each), 1) for each in differences])) is clear


def test_intervals_hold_though_the_dearest_were_chosen_and_what_chose_them_is_too_high() -> None:
    draw = np.random.Generator(np.random.PCG64(16))
    rounds, told, high, false, nothing = rounds_of(30), [], [], 0, 0
    for _ in range(250):
        asks = np.repeat(np.arange(1, 41), draw.integers(1, 5, 40))
        truth = np.where(draw.random(asks.size) < 0.3, 0.0, draw.normal(-3.0, 5.0, asks.size))
        spread = draw.uniform(2.0, 20.0, asks.size)
        others = [Other(int(ask), str(place).encode()) for place, ask in enumerate(asks)]

        def play(repeats: range, of: list[Other]) -> dict[Other, list[int]]:
            at = [int(each.move) for each in of]
            noise = draw.standard_normal((len(repeats), len(at))) * spread[at] + truth[at]  # noqa: B023
            return {each: column.tolist() for each, column in zip(of, np.rint(noise).astype(int).T, strict=True)}

        first = play(rounds.first, others)
        kept = kept_after_first(first)
        second = {each: first[each] + gains for each, gains in play(rounds.second, kept).items()}
        dearest = told_after_second(second)
        for each, gains in play(rounds.last, dearest).items():
            true = truth[int(each.move)]
            found = clustered_mean([(float(gain), 1) for gain in gains])
            told.append(_holds(found, true))
            high.append(np.mean(second[each]) - true)
            nothing += true <= 0
            false += bool(true <= 0 and is_clear(found) and (found.low or 0) > 0)
    assert len(told) > 2000
    assert 0.93 <= np.mean(told) <= 0.97
    assert np.mean(high) > 3.0
    assert false / nothing < 0.03


def _holds(found: Estimate, true: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= true <= found.high
