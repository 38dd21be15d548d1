"""C6: clearing the table, discarding and refilling, X cards, and a deck that runs out."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.cards.cards import Card
from arena.games.cards.events import Discarded, Drew, Reshuffled, RoundBegan, XOpened
from arena.games.cards.moves import KEEP_ALL, Discard
from arena.games.contract import Chanced

from .scenario import Scenario, cards

EIGHT = "2 red +1, 3 red +2, 3 red +3"


def between(hands: dict[int, str], *variants: str, **more: Any) -> Scenario:
    """The first round, in blue, is over; nobody drew for passing."""
    settings: dict[str, Any] = {"pass_bonus": "none", "color": "blue", **more}
    return Scenario(hands, *variants, **settings).all_out()


# the table is cleared


def test_C6_1_all_cards_of_the_round_are_discarded() -> None:
    table = between({}, centre="blue +1, blue -5, blue -4", fronts={0: "blue reverse", 2: "2 blue pota, wild pota"})
    assert table.discard_pile == cards("blue +1, blue -5, blue -4, blue reverse, 2 blue pota, wild pota")
    assert (table.centre, [table.front(seat) for seat in range(4)]) == ((), [()] * 4)


def test_C6_1_the_left_neighbour_is_boss_with_all_tokens_and_all_disks_are_turned_back() -> None:
    table = between({}, boss=3, cousins=(1, 2)).discards()
    view = table.view()
    assert (view.round, view.boss, view.tokens, view.cousins, view.passes) == (2, 0, 2, (), (0, 0, 0, 0))
    assert (table.asked, table.seats_asked, view.color) == ("lead", (0,), None)
    assert table.said(RoundBegan) == [RoundBegan(2, 0)]


# discards


def test_C6_2_all_seats_are_asked_at_the_same_time() -> None:
    table = between({0: EIGHT}, boss=2)
    assert (table.asked, table.seats_asked) == ("discard", (0, 1, 2, 3))
    for seat in range(4):
        view = table.view(seat)
        assert (view.boss, view.on_turn, view.round, view.most) == (3, 3, 2, 2)


def test_C6_2_none_one_or_two_cards_are_discarded() -> None:
    hand = "red +1, 2 red +2, red pota"
    table = between({0: hand})
    assert set(table.legal(0)) == {
        KEEP_ALL,
        *(Discard(cards(each)) for each in ("red +1", "red +2", "red pota")),
        *(Discard(cards(pair)) for pair in ("red +1, red +2", "red +1, red pota", "2 red +2", "red +2, red pota")),
    }
    assert table.legal(1) == (KEEP_ALL,)


@pytest.mark.parametrize("wrong", ["red +1, red +2, red +3", "2 red +1", "green +1", "red +1, green pota"])
def test_C6_2_not_more_and_only_one_s_own(wrong: str) -> None:
    assert between({0: "red +1, red +2, red +3"}).refused(Discard(cards(wrong)), 0) == "C6.2"


def test_C6_2_the_order_in_which_cards_are_named_does_not_matter() -> None:
    table = between({0: "red +1, red +2"})
    back = (Card.RED_PLUS_2, Card.RED_PLUS_1)
    assert table.state.refusal(0, Discard(back)) is None
    table.state.apply(0, Discard(back), table.log)
    for index in (1, 2, 3):
        table.state.apply(index, KEEP_ALL, table.log)
    assert table.said(Discarded) == [Discarded(0, 2, (Card.RED_PLUS_1, Card.RED_PLUS_2))]


@pytest.mark.parametrize(("most", "choices"), [(1, 3), (2, 5), (4, 6)])
def test_C6_2_how_many_is_a_house_rule(most: int, choices: int) -> None:
    table = between({0: "red +1, 2 red +2"}, discards_between_rounds=most)
    assert len(table.legal(0)) == choices
    assert table.view(0).most == most


def test_C6_2_with_no_discards_nobody_is_asked_and_hands_are_refilled() -> None:
    table = between({0: EIGHT}, discards_between_rounds=0)
    assert (table.asked, table.seats_asked) == ("lead", (1,))
    assert table.view().hand_sizes == (8, 8, 8, 8)


def test_C6_2_discards_lie_face_down_and_nobody_sees_them() -> None:
    table = between({0: "red +1, red +2", 3: "red +4"}, boss=1, centre="blue +1").discards({0: "red +1", 3: "red +4"})
    assert table.discard_pile == cards("blue +1, red +1, red +4")
    view = table.view()
    assert (view.discard_pile, sum(view.discards)) == (3, 1)
    first, second = table.said(Discarded)
    assert (first, second) == (Discarded(0, 1, cards("red +1")), Discarded(3, 1, cards("red +4")))
    assert [first.seen_by(seat) for seat in range(4)] == [first, *[Discarded(0, 1)] * 3]


def test_C6_2_discards_of_others_are_not_seen_before_one_chooses() -> None:
    table = between({0: "red +1", 1: "red +4"})
    before = table.view(1)
    table.state.apply(0, Discard(cards("red +1")), table.log)
    assert table.view(1) == before
    assert table.said(Discarded) == []


def test_C6_2_hands_are_refilled_from_the_new_boss_clockwise() -> None:
    deck = "red +1, red +2, red +3, red +4, x"
    full = {seat: "7 blue pota" if seat == 0 else "6 green pota, wild pota" for seat in range(4)}
    table = between(full, boss=1, deck=deck).discards()
    assert [event.seat for event in table.said(Drew)] == [2, 3, 0, 1]
    drawn = {event.seat: event.cards for event in table.said(Drew)}
    assert drawn == {2: cards("red +1"), 3: cards("red +2"), 0: cards("red +3"), 1: cards("red +4")}
    assert table.deck == ("x",)


@pytest.mark.parametrize(("players", "size"), [(3, 10), (4, 8), (5, 8), (6, 8)])
def test_C6_2_to_the_size_of_the_first_hands(players: int, size: int) -> None:
    table = between({}, players=players).discards()
    assert table.view().hand_sizes == (size,) * players


def test_C6_2_a_larger_hand_is_kept() -> None:
    table = between({0: f"{EIGHT}, red +4, red pota"}).discards({0: "red +4"})
    assert table.hand(0) == cards(f"{EIGHT}, red pota")
    assert table.view().hand_sizes == (9, 8, 8, 8)


def test_C6_2_the_pass_bonus_may_make_it_so() -> None:
    table = Scenario(
        {0: EIGHT}, color="blue", passes={1: 2, 2: 2, 3: 2}, on_turn=0, deck="red +4, x, " + "red pota, " * 24
    )
    table.passes_twice(0).discards()
    assert table.hand(0) == cards(f"{EIGHT}, red +4")


def test_C6_2_after_the_last_round_nobody_discards() -> None:
    table = between({}, number=8)
    assert (table.asked, table.state.asks) == ("over", ())


# X cards


def test_C6_3_an_x_that_is_drawn_is_laid_open_at_once_and_replaced() -> None:
    table = Scenario({}, color="blue", deck="x, red +4", centre="blue +1").passes(1)
    assert table.hand(1) == cards("red +4")
    assert (table.view().multiplier, table.view().value) == (3, 15)
    assert table.log[-2:] == [XOpened(1, 3), Drew(1, 1, cards("red +4"))]
    assert [XOpened(1, 3).seen_by(seat) for seat in range(4)] == [XOpened(1, 3)] * 4


def test_C6_3_it_counts_in_the_running_round() -> None:
    table = Scenario({}, color="blue", deck="x, red +4, x, " + "red pota, " * 30, centre="blue +2").all_out()
    assert table.state.ledger[-1].value == 2 * 5 * 4


def test_C6_3_two_x_cards_in_a_row_are_both_replaced() -> None:
    table = Scenario({}, color="blue", deck="x, x, red +4").passes(1)
    assert (table.hand(1), table.view().multiplier) == (cards("red +4"), 4)


def test_C6_3_open_x_cards_stay_open_to_the_end() -> None:
    table = between({}, deck="x, " + "red pota, " * 40).discards()
    assert (table.view().multiplier, table.said(XOpened)) == (3, [XOpened(1, 3)])
    table.names("blue").all_out().discards()
    assert table.view().multiplier == 3


# the deck runs out


def test_C6_4_the_first_new_deck_is_the_discard_pile_and_the_third_x() -> None:
    table = Scenario({}, color="blue", deck="", discards="red +1, red -5", shuffled={1: "red -5, x, red +1"})
    table.passes(1)
    assert (table.hand(1), table.deck, table.discard_pile) == (cards("red -5"), ("x", "red +1"), ())
    assert table.said(Reshuffled) == [Reshuffled(3, True)]
    assert table.said(Chanced) == [Chanced("deck", (1,), ("red -5", "x", "red +1"))]
    assert (table.view().third_x, table.view().discards) == (False, (0,) * 40)
    table.passes(2)
    assert (table.hand(2), table.view().multiplier) == (cards("red +1"), 3)


def test_C6_4_later_it_is_the_discard_pile_alone() -> None:
    table = Scenario({}, color="blue", deck="", discards="red +1", third_x=False, exes=3, shuffled={1: "red +1"})
    table.passes(1)
    assert (table.hand(1), table.view().multiplier) == (cards("red +1"), 5)
    assert table.said(Reshuffled) == [Reshuffled(1)]


def test_C6_4_a_reshuffle_at_any_draw_and_in_the_middle_of_one() -> None:
    pile = "12 red pota, 6 red +1, 6 red +2, 7 green pota"
    table = between({}, deck="green +1, green +2, green +3", discards=pile).discards()
    first, *_ = table.said(Drew)
    assert (first.seat, first.count) == (1, 8)
    assert set(cards("green +1, green +2, green +3")) <= set(first.cards)
    assert table.said(Reshuffled)[0] == Reshuffled(32, True)
    assert table.view().hand_sizes == (8, 8, 8, 8) if table.said(XOpened) else (7, 8, 8, 8)


def test_C6_4_face_down_discards_are_shuffled_in_too() -> None:
    hands = {seat: "8 red pota" if seat else "8 green pota" for seat in range(4)}
    table = between(hands, deck="", third_x=False, exes=3).discards({1: "2 red pota"})
    assert table.hand(1) == cards("8 red pota")
    assert table.said(Reshuffled) == [Reshuffled(2)]


def test_C6_4_the_third_x_comes_even_with_nothing_else_to_shuffle() -> None:
    table = Scenario({}, color="blue", deck="").passes(1)
    assert (table.hand(1), table.view().multiplier, table.view().third_x) == ((), 3, False)
    assert [type(event) for event in table.log] == [type(table.log[0]), Chanced, Reshuffled, XOpened, Drew]


def test_C6_4_when_both_are_empty_one_draws_what_there_is() -> None:
    table = Scenario({}, color="blue", deck="", third_x=False).passes(1)
    assert (table.hand(1), table.on_turn, table.said(Reshuffled)) == ((), 2, [])
    table = between({}, deck="red +1, red +2", third_x=False).discards()
    assert [table.hand(seat) for seat in range(4)] == [(), cards("red +1, red +2"), (), ()]
    assert (table.asked, table.seats_asked) == ("lead", (1,))
