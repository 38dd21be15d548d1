"""B9: the game for two, and the same for any number: fair shares, and the duty to close."""

from __future__ import annotations

import pytest

from arena.games.board.cards import Family
from arena.games.board.events import Closed, Failed, Named
from arena.games.board.moves import GO_ON, TAKE_OVER, Close, GiveUp, GoOn, Recruit

from .scenario import Scenario, agreed, cards, close, families, lay, offer, travel

THREE = "less-cutthroat"


def two(*, marker: int = 1, name: str = "eagle-gryphon", **more: object) -> Scenario:
    """Two players; space 1 needs orange (own) and green (the other's) and pays 6: the fair share is 3."""
    settings = {"placards": ("orange red yellow", "green blue magenta"), "last_call": False, **more}
    return Scenario(name, marker=marker, **settings).open()  # type: ignore[arg-type]


def three(**more: object) -> Scenario:
    settings = {"placards": ("orange red", "green blue", "yellow magenta"), "marker": 1, **more}
    return Scenario("eagle-gryphon", THREE, **settings).open()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["eagle-gryphon", "face2face-2003"])
def test_B9_1_with_two_players_the_boss_uses_placards_unasked_at_a_fair_share(name: str) -> None:
    table = two(name=name).offers().plays().play(close("orange", "", agreed(1, 3, "green")))
    assert table.state.money == [3, 3]


def test_B9_1_without_it_nothing_is_taken_unasked() -> None:
    table = three(fair_share=False).offers().plays()
    assert table.refused(close("orange", "", agreed(1, 3, "green"))) == "B4.5"


def test_B9_1_the_fair_share_is_rounded_down() -> None:
    table = two(marker=0, deal=4).offers().plays()  # 18 for five needs
    assert table.state.fair_price == 3
    terms = [agreed(1, 3, family) for family in ("blue", "magenta", "green")]
    assert table.refused(close("red yellow", "", agreed(1, 4, "blue"), *terms[1:])) == "B4.5"
    table.play(close("red yellow", "", *terms))
    assert table.state.money == [9, 9]


def test_B9_1_each_card_has_its_own_share() -> None:
    table = two(marker=0).offers().plays()
    assert table.refused(close("red yellow orange", "", agreed(1, 4, "blue magenta"))) == "B4.5"


def test_B9_1_laid_clan_cards_of_others_can_be_used_those_in_hand_not() -> None:
    table = three(hands={2: "clan green"}).offers().plays()
    assert table.refused(close("orange", "", agreed(2, 3, clans="green"))) == "B4.5"
    table.go_on().offers().plays({2: lay("green")}).play(close("orange", "", agreed(2, 3, clans="green")))
    assert (table.state.money, table.discards) == ([3, 0, 3], cards("clan green"))


def test_B9_1_not_travelling_placards_nor_those_aside() -> None:
    table = three(hands={2: "travel green"}).offers().plays({2: travel("green")}).stops()
    assert table.refused(close("orange", "", agreed(1, 3, "green"))) == "B4.5"
    table = Scenario("eagle-gryphon", THREE, placards=("orange", "red", "blue", "yellow"), marker=1).open()
    assert table.offers().plays().legal() == (GoOn(), GiveUp())


def test_B9_1_promised_cards_cost_what_was_agreed() -> None:
    table = three().agree(1, 2, "green").plays()
    assert table.refused(close("orange", "", agreed(1, 3, "green"))) == "B4.5"
    assert table.legal() == (GoOn(), close("orange", "", agreed(1, 2, "green")))
    table = three().agree(1, 5, "green").plays()
    assert table.legal() == (GoOn(), close("orange", "", agreed(1, 5, "green")))


def test_B9_1_a_cheaper_open_offer_can_be_used_as_well() -> None:
    table = three().offers({1: [offer(0, 1, "green")]}).accepts().plays()
    assert set(table.legal()) == {GoOn(), *(close("orange", "", agreed(1, price, "green")) for price in (1, 3))}


def test_B9_2_travel_on_ones_own_placard_is_the_defence() -> None:
    table = two(hands={1: "travel green"}).offers().plays({1: travel("green")}).stops()
    assert table.legal() == (GoOn(), GiveUp())


def test_B9_3_giving_up_is_not_legal_when_placards_suffice() -> None:
    table = two().offers().plays()
    assert table.refused(GiveUp()) == "B9.3"
    assert GiveUp() not in table.legal()


def test_B9_3_cards_in_hand_oblige_nobody() -> None:
    table = two(placards=("orange red yellow green", "blue"), hands={0: "clan blue, clan green"}, marker=2)
    assert table.offers().plays().legal()[:1] == (GoOn(),)
    table = Scenario("eagle-gryphon", placards=("red", "yellow"), marker=1, hands={0: "clan orange, clan green"}).open()
    assert set(table.offers().plays().legal()) == {GoOn(), GiveUp(), close("", "orange green")}


def test_B9_3_laid_clan_cards_do() -> None:
    table = Scenario("eagle-gryphon", placards=("orange", "red"), marker=1, hands={1: "clan green"}).open()
    table.offers().plays({1: lay("green")})
    assert table.refused(GiveUp()) == "B9.3"


def test_B9_3_agreements_do_and_may_make_it_impossible() -> None:
    table = three(placards=("orange", "green", "red")).agree(2, 5).plays()
    assert table.legal() == (GoOn(), GiveUp())  # 5 of 6 are promised away


def test_B9_3_when_time_runs_out_the_engine_closes() -> None:
    table = two().offers().plays().play(GO_ON).idle_tick()
    assert table.said(Failed) == []
    assert table.said(Closed) == [Closed(1, 1, 0, 6, (0, 3))]
    assert table.said(Named) == [Named(0, families("orange"), (), (agreed(1, 3, "green"),))]


def test_B9_3_without_a_last_call_even_where_there_is_one() -> None:
    table = two(name="face2face-2003", last_call=True).idle_tick().idle_tick()
    assert table.state.money == [3, 3]


def test_B9_3_the_cheapest_choice_is_made() -> None:
    table = three(hands={0: "clan green"}).agree(1, 1, "green").plays().go_on()
    table.idle_tick().idle_tick()
    assert table.state.money == [5, 1, 0]  # the agreement, not the clan card in hand
    table = three(hands={0: "clan green"})
    table.offers().plays({0: lay("green")}).go_on().idle_tick().idle_tick()
    assert table.state.money == [6, 0, 0]


def test_B9_3_ties_go_to_placards_then_to_the_lowest_family() -> None:
    table = Scenario(
        "eagle-gryphon",
        placards=("red yellow blue green", "orange magenta"),
        hands={0: "clan magenta, clan orange, clan green"},
    ).open("magenta orange green")
    table.idle_tick().idle_tick()
    assert table.said(Named) == [Named(0, families("red yellow blue green"), families("magenta"))]


def test_B9_3_open_offers_are_not_accepted_by_the_engine() -> None:
    table = three().offers({1: [offer(0, 1, "green")]}).accepts().plays().go_on().idle_tick().idle_tick()
    assert table.state.money == [3, 3, 0]


def test_B9_3_a_boss_of_the_last_tick_must_close_too() -> None:
    table = two(hands={1: "boss"}, max_ticks=1).offers().plays({1: TAKE_OVER}).stops()
    assert table.said(Closed) == [Closed(1, 1, 1, 6, (3, 0))]


def test_B9_3_what_cannot_be_closed_fails_as_ever() -> None:
    table = two(hands={1: "travel green"}).offers().plays({1: travel("green")}).stops().go_on().idle_tick().idle_tick()
    assert table.said(Failed) == [Failed(0)]


def test_B9_recruiting_is_as_in_the_game_for_more() -> None:
    table = two(hands={0: "3 recruitment"}).offers().plays({0: Recruit(Family.GREEN)}).stops()
    assert [move for move in table.legal() if isinstance(move, Close)] == [close("orange green")]
