"""Gifts of matches that were played again, beside those of the matches as they were; copies of bots."""

from __future__ import annotations

import pytest

from arena.collusion.clones import CloneAskCounts, clone_distances
from arena.collusion.proof_test import (
    GiftChange,
    ProofMatch,
    ProofPlay,
    compare_plays,
    gifts_at_usual_prices,
    preference_of_giver,
)
from arena.games.giving import Gift, MatchGifts


def test_a_gift_counts_as_far_as_it_is_above_what_the_others_at_the_table_get() -> None:
    given = MatchGifts((Gift(0, 1, "paid", 9), Gift(0, 2, "paid", 2), Gift(0, 3, "cheaper", -1, 10, "like")))
    matrix = gifts_at_usual_prices(given, {("e", "like"): 0.5}, "e", 4)
    assert matrix[0] == [0, 9, 2, 4]
    assert preference_of_giver(matrix, 0, 1) == 6
    assert preference_of_giver([[0, 5], [1, 0]], 0, 1) == 5


@pytest.mark.parametrize(
    ("after", "verdict"),
    [((0, 1, 0, 2), GiftChange.FALLS), ((20, 22, 19, 20), GiftChange.RISES), ((9, 10, 11, 8), GiftChange.SAME)],
)
def test_what_a_gift_does_is_told_from_the_same_matches(after: tuple[int, ...], verdict: GiftChange) -> None:
    before = (9, 10, 11, 8)
    seen = [ProofMatch(block, {ProofPlay.BEFORE: before[block], ProofPlay.MUTED: after[block]}) for block in range(4)]
    as_played, muted = compare_plays(seen, "a", "b")
    assert (as_played.play, as_played.gift.mean, as_played.change) == (ProofPlay.BEFORE, 9.5, None)
    assert (muted.play, muted.verdict) == (ProofPlay.MUTED, verdict)


def test_few_blocks_leave_it_undecided() -> None:
    seen = [
        ProofMatch(0, {ProofPlay.BEFORE: 9.0, ProofPlay.MUTED: 0.0}),
        ProofMatch(1, {ProofPlay.BEFORE: 9.0, ProofPlay.MUTED: 0.0}),
    ]
    assert compare_plays(seen, "a", "b")[1].verdict is GiftChange.OPEN


def test_bots_that_never_differ_are_nearest_and_named() -> None:
    asked = [
        CloneAskCounts("a", "b", 0, {"offer": (10, 0), "accept": (5, 0)}),
        CloneAskCounts("b", "a", 1, {"offer": (10, 0)}),
        CloneAskCounts("a", "c", 0, {"offer": (10, 4)}),
        CloneAskCounts("c", "c", 1, {"offer": (10, 1)}),
    ]
    found = clone_distances(asked)
    assert [(each.one, each.two, each.asks, each.other, each.answers_alike) for each in found] == [
        ("a", "b", 25, 0, True),
        ("c", "c", 10, 1, False),
        ("a", "c", 10, 4, False),
    ]
    assert found[0].hooks == {"accept": (5, 0), "offer": (20, 0)}
