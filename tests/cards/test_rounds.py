"""C3: the lead, turns, what may be played where, passing, and the end of a round."""

from __future__ import annotations

import pytest

from arena.games.cards.cards import Card
from arena.games.cards.events import ColorNamed, Drew, Led, Passed, Played
from arena.games.cards.moves import ENOUGH_MOVES, PASS, PASS_TWICE, Lead, NameColor

from .scenario import Scenario, cards, play

# the lead


def test_C3_1_the_boss_leads_and_the_colour_is_the_colour_of_the_round() -> None:
    table = Scenario({0: "green +3, red -2"}, boss=0).leads("green +3")
    assert table.view().color == "green"
    assert table.centre == cards("green +3")
    assert table.hand(0) == cards("red -2")
    assert table.on_turn == 1
    assert table.said(Led) == [Led(0, Card.GREEN_PLUS_3)]


@pytest.mark.parametrize("card", ["blue +1", "green -5"])
def test_C3_1_a_positive_or_negative_card_must_be_led(card: str) -> None:
    table = Scenario({0: f"{card}, red pota, wild pota"})
    assert table.legal() == (Lead(Card(card)),)
    assert table.refused(NameColor("red")) == "C3.1"  # type: ignore[arg-type]
    for color in ("blue", "green", "red"):
        assert table.view().refusal(table.rules, NameColor(color)) is not None  # type: ignore[arg-type]


@pytest.mark.parametrize("card", ["red reverse", "red pota", "red move 3", "wild pota"])
def test_C3_1_no_other_card_is_led(card: str) -> None:
    assert Scenario({0: f"{card}, red +1"}).refused(Lead(Card(card))) == "C3.1"


def test_C3_1_a_card_that_is_not_in_the_hand_is_not_led() -> None:
    assert Scenario({0: "red +1"}).refused(Lead(Card.RED_PLUS_2)) == "C3.2"


def test_C3_1_without_a_card_to_lead_the_boss_names_a_colour_and_the_left_neighbour_goes_on() -> None:
    table = Scenario({3: "red pota, blue move 1", 0: "red +2"}, boss=3)
    assert [move.color for move in table.legal()] == ["blue", "green", "red"]
    table.names("red").turn(0)
    assert (table.view().color, table.centre) == ("red", ())
    assert table.hand(3) == cards("red pota, blue move 1")
    assert table.said(ColorNamed) == [ColorNamed(3, "red")]  # type: ignore[arg-type]


def test_C3_1_a_boss_with_an_empty_hand_names_a_colour_too() -> None:
    assert Scenario({}).names("blue").asked == "propose"


# turns


def test_C3_2_turns_go_clockwise_past_those_who_are_out() -> None:
    table = Scenario({0: "blue +1"}, boss=2, color="blue", passes={0: 2})
    table.turn(3).passes().turn(1).passes().turn(2).passes().turn(3)


@pytest.mark.parametrize("card", ["red +1", "green move 1", "red pota"])
def test_C3_2_only_cards_of_the_colour_are_played(card: str) -> None:
    table = Scenario({1: f"{card}, blue +1"}, color="blue", centre="blue +1").no_bargain()
    to = 1 if "pota" in card else None
    assert table.refused(play(card, to)) == "C3.2"


def test_C3_2_a_wild_pota_is_of_every_colour() -> None:
    for color in ("blue", "green", "red"):
        table = Scenario({1: "wild pota"}, color=color).plays("wild pota", to=3)
        assert table.front(3) == cards("wild pota")


def test_C3_2_a_card_that_is_not_in_the_hand_is_not_played() -> None:
    table = Scenario({1: "blue +1"}, color="blue").no_bargain()
    assert table.refused(play("blue +2")) == "C3.2"
    assert table.refused(play("wild pota", 1)) == "C3.2"


@pytest.mark.parametrize("hand", ["", "blue +4, 2 wild pota"])
def test_C3_2_passing_is_always_allowed(hand: str) -> None:
    table = Scenario({1: hand}, color="blue").no_bargain()
    assert table.allows(PASS)
    assert table.allows(PASS_TWICE)


def test_C3_2_a_seat_without_a_fitting_card_can_only_pass() -> None:
    table = Scenario({1: "red +4, green pota"}, color="blue").no_bargain()
    assert table.legal() == (PASS, PASS_TWICE)


# what cards do


@pytest.mark.parametrize("card", ["blue +4", "blue -5"])
def test_C3_3_positive_and_negative_cards_go_to_the_centre(card: str) -> None:
    table = Scenario({1: card}, color="blue", centre="blue +1").plays(card)
    assert table.centre == cards(f"blue +1, {card}")
    assert (table.hand(1), table.on_turn) == ((), 2)
    assert table.said(Played) == [Played(1, Card(card))]


@pytest.mark.parametrize("card", ["blue pota", "wild pota", "blue reverse"])
@pytest.mark.parametrize("to", range(4))
def test_C3_3_pota_and_reverse_cards_go_in_front_of_any_seat_still_in(card: str, to: int) -> None:
    table = Scenario({1: card}, color="blue", passes={to: 1}).plays(card, to)
    assert table.front(to) == cards(card)
    assert table.said(Played) == [Played(1, Card(card), to)]


@pytest.mark.parametrize("card", ["blue pota", "wild pota", "blue reverse"])
def test_C3_4_nothing_is_laid_in_front_of_a_seat_that_is_out(card: str) -> None:
    table = Scenario({1: card}, color="blue", passes={0: 2, 3: 2}).no_bargain()
    assert table.refused(play(card, 3)) == "C3.4"
    assert [move.to for move in table.legal() if move not in (PASS, PASS_TWICE)] == [1, 2]


@pytest.mark.parametrize(
    ("card", "to"), [("blue pota", None), ("blue reverse", None), ("wild pota", 4), ("blue pota", -1), ("blue +1", 0)]
)
def test_C3_3_a_card_is_played_where_it_belongs(card: str, to: int | None) -> None:
    table = Scenario({1: "blue pota, blue reverse, wild pota, blue +1"}, color="blue").no_bargain()
    assert table.refused(play(card, to)) == "C3.3"


def test_C3_3_without_a_move_card_there_is_nothing_to_move() -> None:
    table = Scenario({1: "blue +1"}, color="blue", centre="blue +1").no_bargain()
    assert table.refused(ENOUGH_MOVES) == "C3.3"


# passing


def test_C3_4_the_first_pass_turns_a_disk_and_draws_a_card() -> None:
    table = Scenario({1: "blue +1"}, color="blue", deck="red +4, red -2").passes()
    assert (table.state.passes[1], table.hand(1), table.deck) == (1, cards("blue +1, red +4"), ("red -2",))
    assert table.log[-2:] == [Passed(1, 1), Drew(1, 1, cards("red +4"))]


def test_C3_4_the_second_pass_draws_nothing_and_puts_the_seat_out() -> None:
    table = Scenario({1: "blue +1"}, color="blue", passes={1: 1}, deck="red +4").passes()
    assert (table.state.passes[1], table.hand(1), table.deck) == (2, cards("blue +1"), ("red +4",))


def test_C3_4_one_may_play_again_after_the_first_pass() -> None:
    table = Scenario({1: "blue +1"}, color="blue", passes={1: 1}, deck="").plays("blue +1")
    assert table.centre == cards("blue +1")


def test_C3_4_a_double_pass_turns_both_disks_and_still_draws() -> None:
    table = Scenario({}, color="blue", deck="red +4, red -2").passes_twice()
    assert (table.state.passes[1], table.hand(1)) == (2, cards("red +4"))
    assert table.said(Passed) == [Passed(1, 2)]


def test_C3_4_a_double_pass_needs_both_disks() -> None:
    table = Scenario({}, color="blue", passes={1: 1}).no_bargain()
    assert table.refused(PASS_TWICE) == "C3.4"


def test_C3_4_house_rule_last_only_the_last_to_pass_for_the_first_time_draws() -> None:
    table = Scenario({}, "last-pass-draws", color="blue", deck="red +4, red -2")
    table.passes(1).passes_twice(2).passes(3)
    assert table.deck == ("red +4", "red -2")
    table.passes(0)
    assert (table.hand(0), table.deck) == (cards("red +4"), ("red -2",))
    table.passes(1).passes(3).passes(0)
    assert table.said(Drew)[0] == Drew(0, 1, cards("red +4"))


def test_C3_4_house_rule_last_counts_a_double_pass_as_a_first_pass() -> None:
    table = Scenario({}, "last-pass-draws", color="blue", passes={0: 2, 2: 1, 3: 1}, deck="red +4").passes_twice(1)
    assert table.hand(1) == cards("red +4")


def test_C3_4_house_rule_none_nobody_draws() -> None:
    table = Scenario({}, "no-pass-bonus", color="blue", deck="red +4").passes(1, 2).passes_twice(3).passes(0)
    assert (table.deck, table.said(Drew)) == (("red +4",), [])


def test_C3_4_who_is_out_keeps_what_lies_in_front_of_it() -> None:
    table = Scenario({}, color="blue", centre="blue +1", fronts={1: "2 blue pota"}, passes={1: 1}).passes()
    assert table.front(1) == cards("2 blue pota")
    assert table.state.shares(1) == 2


def test_C3_4_the_last_seat_plays_on_one_card_a_turn_until_it_has_passed_twice() -> None:
    table = Scenario(
        {2: "blue +1, blue +4, blue pota"}, color="blue", on_turn=2, passes={0: 2, 1: 2, 3: 2}, deck="red +1"
    )
    table.plays("blue +1").turn(2).plays("blue pota", 2).turn(2).passes().turn(2).plays("blue +4").turn(2).passes()
    assert table.asked == "discard"


def test_C3_5_the_round_ends_when_all_are_out() -> None:
    table = Scenario({}, color="blue", passes={0: 2, 1: 1, 2: 2, 3: 1})
    assert table.passes(1).asked != "discard"
    assert table.passes(3).asked == "discard"


def test_C3_5_a_round_may_end_without_a_card_after_the_lead() -> None:
    table = Scenario({0: "blue +4"}).leads("blue +4").passes_twice(1, 2, 3, 0)
    assert table.asked == "discard"
    assert table.state.ledger[-1].amounts == (40, 0, 0, 0)
