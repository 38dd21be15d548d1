"""Moves whose fields hold what they must not are refused with a rule's number, never with another exception."""

from typing import Any

import pytest

from arena.errors import IllegalMove
from arena.games.board.moves import Discard, Lay, Offer, Offers, Open, PlaceMarker, Recruit, Travel

from .scenario import Scenario, fresh


@pytest.mark.parametrize("space", [1.0, True, "x", None, 16, -1])
def test_B2_4_the_marker_goes_to_a_whole_number(space: Any) -> None:
    refusal = fresh("eagle-gryphon", 3).refusal(0, PlaceMarker(space))
    assert refusal is not None
    assert refusal.rule == "B2.4"


@pytest.mark.parametrize("lay", [("purple",), 3, (None,)])
def test_B4_1_what_is_laid_are_families(lay: Any) -> None:
    assert Scenario().refused(Open(lay)) in ("B3.1", "B4.1")


@pytest.mark.parametrize(
    "offer",
    [Offer(1, 2.5), Offer(1, True), Offer(1, "2"), Offer("1", 2), Offer(1, 2, ("purple",)), Offer(1, 2, 7), None],  # type: ignore[arg-type]
)
def test_B4_5_terms_are_whole_numbers_and_families(offer: Any) -> None:
    assert Scenario().open().refused(Offers((offer,)), 0) in ("B4.4", "B4.5")


@pytest.mark.parametrize("play", [Lay(5), Lay((3,)), Travel("purple"), Recruit(None), Travel(None, "x")])  # type: ignore[arg-type]
def test_B5_plays_name_families(play: Any) -> None:
    scenario = Scenario(hands={0: "recruitment, recruitment, recruitment, travel wild, clan red"}).open()
    scenario.offers()
    assert scenario.refused(play, 0).startswith("B5")


@pytest.mark.parametrize("cards", [("joker",), 4, None])
def test_B3_3_what_is_discarded_are_cards(cards: Any) -> None:
    state = Scenario(hands={0: "stop"}).state
    state.asks = (state.asks[0]._replace(hook="discard"),)
    state.excess = (1, 0, 0, 0)
    refusal = state.refusal(0, Discard(cards))
    assert refusal is not None
    assert refusal.rule == "B3.3"


def test_an_ask_that_there_is_not_cannot_be_answered() -> None:
    state = fresh("eagle-gryphon", 3)
    for index in (-1, 1):
        with pytest.raises(IllegalMove, match="there is no ask"):
            state.apply(index, PlaceMarker(0))
