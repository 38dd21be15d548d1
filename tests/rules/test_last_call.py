"""B4.6 the last call, B4.7 the self-sufficient Boss.

Space 1 needs orange and green and pays 6 under deal card 1.
"""

from __future__ import annotations

import pytest

from arena.games.board.events import (
    Closed,
    Failed,
    Named,
    Stopped,
    TickBegan,
)
from arena.games.board.moves import (
    TAKE_OVER,
)
from arena.games.contract import Chanced

from .scenario import Scenario, agreed, cards, close, families, lay, offer, pair, travel

BACKWARDS = {"initiative": lambda tick: (3, 2, 1, 0)}


# B4.6: the last call


@pytest.mark.parametrize("name", ["face2face-2003", "schmidt-1994"])
def test_B4_6_the_last_call_gives_everybody_one_more_play(name: str) -> None:
    table = pair(name, hands={0: "clan green"}).open().offers().plays().play(close("orange", "green"))
    assert (table.asked, table.seats_asked) == ("last call", (0, 1, 2, 3))
    assert table.view(2).last_call
    assert table.laid(0) == families("green")
    table.plays()
    assert table.state.money == [6, 0, 0, 0]


@pytest.mark.parametrize("name", ["eagle-gryphon", "outline"])
def test_B4_6_elsewhere_the_deal_closes_at_once(name: str) -> None:
    table = pair(name, hands={0: "clan green"}).open().offers().plays().play(close("orange", "green"))
    assert table.asked == "turn"


def test_B4_6_what_was_named_stays_when_the_closing_fails() -> None:
    table = pair("face2face-2003", hands={0: "clan orange", 2: "travel orange"}).open()
    table.offers({1: [offer(0, 4, "green")]}).accepts().plays()
    table.play(close("", "orange", agreed(1, 4, "green"))).plays({2: travel("orange", 0)}).stops()
    assert (table.asked, table.state.tick) == ("offer", 2)
    assert table.state.agreements == (agreed(1, 4, "green"),)
    assert table.open_offers(1) == ()
    table.offers().plays().play(close("orange", "", agreed(1, 4, "green"))).plays()
    assert table.state.money == [2, 4, 0, 0]


def test_B4_6_a_stopped_play_lets_the_closing_through() -> None:
    table = pair("face2face-2003", hands={0: "clan green, stop", 2: "travel green"}).open().offers().plays()
    table.play(close("orange", "green")).plays({2: travel("green", 0)})
    assert table.view(0).last_call
    table.stops(0)
    assert (table.said(Stopped), table.state.money) == ([Stopped(0)], [6, 0, 0, 0])


def test_B4_6_a_new_boss_ends_the_closing() -> None:
    table = pair("face2face-2003", hands={0: "clan green", 2: "boss"}).open().offers().plays()
    table.play(close("orange", "green")).plays({2: TAKE_OVER}).stops()
    assert (table.asked, table.state.boss, table.state.tick) == ("offer", 2, 2)
    assert table.said(Closed) == []


def test_B4_6_a_new_boss_does_not_close_with_what_the_former_one_named() -> None:
    table = pair("face2face-2003", hands={0: "clan orange, clan green", 2: "clan orange, clan green, boss"}).open()
    table.offers().plays({2: lay("orange green")}).play(close("", "orange green")).plays({2: TAKE_OVER}).stops()
    assert (table.asked, table.said(Closed)) == ("offer", [])


def test_B4_6_it_uses_the_initiative_of_the_tick() -> None:
    table = pair("face2face-2003", hands={0: "clan green", 2: "boss", 3: "boss"}, **BACKWARDS).open().offers().plays()
    table.play(close("orange", "green")).plays({2: TAKE_OVER, 3: TAKE_OVER}).stops().stops()
    assert table.state.boss == 2
    assert [event.name for event in table.said(Chanced)] == ["initiative", "initiative"]  # ticks 1 and 2


def test_B4_6_a_closing_that_fails_in_the_last_tick_is_the_end() -> None:
    table = pair("face2face-2003", hands={0: "clan green", 2: "travel green"}, max_ticks=1).open().offers().plays()
    table.play(close("orange", "green")).plays({2: travel("green", 0)}).stops()
    assert (table.said(Failed), table.asked) == ([Failed(0)], "turn")


# B4.7: the self-sufficient Boss of the outline


def test_B4_7_in_the_outline_a_self_sufficient_boss_closes_at_once() -> None:
    table = Scenario(
        "outline", placards=("red yellow", "blue", "green"), hands={0: "clan blue, clan orange, clan green"}
    )
    table.open("orange blue green")
    assert table.said(TickBegan) == []
    assert table.said(Named) == [Named(0, families("red yellow"), families("blue orange green"))]
    assert table.state.money == [12, 0, 0]


def test_B4_7_placards_are_used_first_then_clan_cards_lowest_first() -> None:
    table = Scenario(
        "outline",
        placards=("red yellow green", "blue", "orange"),
        hands={0: "clan red, clan blue, clan magenta, clan orange, clan green"},
    ).open("red blue magenta orange green")
    assert table.said(Named) == [Named(0, families("red yellow green"), families("blue magenta"))]
    assert table.hand(0) == cards("clan red, clan orange, clan green")


def test_B4_7_cards_kept_in_hand_do_not_count() -> None:
    table = pair("outline", hands={0: "clan green"}).open()
    assert table.asked == "offer"


def test_B4_7_elsewhere_even_a_self_sufficient_boss_must_face_the_table() -> None:
    assert pair(hands={0: "clan green"}).open("green").asked == "offer"
