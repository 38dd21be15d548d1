"""C3.3: move cards, one move at a time."""

from __future__ import annotations

import pytest

from arena.games.cards.cards import Card
from arena.games.cards.events import Played, Shifted
from arena.games.cards.moves import ENOUGH_MOVES, PASS

from .scenario import Scenario, cards, play, shift

TABLE = {"color": "blue", "centre": "blue +1, blue -4", "fronts": {0: "blue reverse", 2: "2 blue pota, wild pota"}}


def moving(card: str, **more: object) -> Scenario:
    """Seat 1 has just played a move card on a full table."""
    return Scenario({1: card}, **{**TABLE, **more}).plays(card)  # type: ignore[arg-type]


def test_a_move_card_is_discarded_and_its_moves_are_asked_for_one_at_a_time() -> None:
    table = moving("blue move 2")
    assert (table.asked, table.seats_asked, table.hand(1)) == ("move", (1,), ())
    assert table.discard_pile == cards("blue move 2")
    view = table.view()
    assert (view.moving, view.moves_left, view.moved) == ("blue move 2", 2, ())
    table.moves("blue +1")
    assert (table.view().moves_left, table.view().moved) == (1, (shift("blue +1"),))
    table.moves("blue -4")
    assert (table.centre, table.on_turn) == ((), 2)
    assert table.discard_pile == cards("blue move 2, blue +1, blue -4")


def test_a_value_card_is_taken_from_the_centre_to_the_discard_pile() -> None:
    table = moving("blue move 1").moves("blue -4")
    assert (table.centre, table.on_turn) == (cards("blue +1"), 2)
    assert table.said(Played) == [Played(1, Card.BLUE_MOVE_1)]
    assert table.said(Shifted) == [Shifted(1, Card.BLUE_MINUS_4)]


def test_a_value_card_goes_nowhere_else() -> None:
    assert moving("blue move 1").refused(shift("blue -4", None, 1)) == "C3.3"


@pytest.mark.parametrize("card", ["blue pota", "wild pota"])
def test_a_pota_goes_to_another_seat_or_to_the_discard_pile(card: str) -> None:
    table = moving("blue move 1").moves(card, 2, 3)
    assert table.front(3) == cards(card)
    assert table.said(Shifted) == [Shifted(1, Card(card), 2, 3)]
    table = moving("blue move 1").moves(card, 2)
    assert card in table.discard_pile
    assert len(table.front(2)) == 2


def test_a_reverse_card_goes_to_another_seat_or_to_the_discard_pile() -> None:
    assert moving("blue move 1").moves("blue reverse", 0, 1).front(1) == cards("blue reverse")
    assert "blue reverse" in moving("blue move 1").moves("blue reverse", 0).discard_pile


def test_one_may_take_from_oneself_and_give_to_oneself() -> None:
    table = moving("blue move 2", fronts={1: "blue reverse", 3: "blue pota"})
    table.moves("blue reverse", 1, 3).moves("blue pota", 3, 1)
    assert (table.front(1), table.front(3)) == (cards("blue pota"), cards("blue reverse"))


def test_up_to_as_many_moves_as_the_card_says() -> None:
    for number in (1, 2, 3):
        table = moving(f"blue move {number}")
        for _ in range(number):
            assert table.asked == "move"
            table.moves("wild pota", 2) if table.front(2)[-1] == "wild pota" else table.moves("blue pota", 2)
        assert (table.asked, table.on_turn) == ("propose", 2)


def test_at_least_one_move_is_made() -> None:
    table = moving("blue move 3")
    assert ENOUGH_MOVES not in table.legal()
    assert table.refused(ENOUGH_MOVES) == "C3.3"
    table.moves("blue +1")
    assert ENOUGH_MOVES in table.legal()
    assert table.enough().on_turn == 2


def test_a_card_that_was_moved_is_not_moved_again_by_the_same_move_card() -> None:
    table = moving("blue move 3").moves("blue reverse", 0, 3)
    assert table.refused(shift("blue reverse", 3, 1)) == "C3.3"
    assert table.refused(shift("blue reverse", 3)) == "C3.3"
    assert not [move for move in table.legal() if getattr(move, "card", None) == "blue reverse"]


def test_of_equal_cards_those_that_were_not_moved_can_be() -> None:
    table = moving("blue move 3", fronts={0: "blue pota", 2: "blue pota"})
    table.moves("blue pota", 0, 2)
    assert table.front(2) == cards("2 blue pota")
    table.moves("blue pota", 2, 0)  # the one that lay there before
    assert table.refused(shift("blue pota", 2, 0)) == "C3.3"
    assert table.refused(shift("blue pota", 0, 2)) == "C3.3"


def test_the_next_move_card_may_move_it_again() -> None:
    table = Scenario({1: "blue move 2", 2: "blue move 1"}, **TABLE).plays("blue move 2")  # type: ignore[arg-type]
    table.moves("blue reverse", 0, 3).enough()
    table.plays("blue move 1").moves("blue reverse", 3, 0)
    assert table.front(0) == cards("blue reverse")


def test_when_nothing_is_left_to_move_the_turn_ends_without_asking() -> None:
    table = moving("blue move 3", centre="blue +1", fronts={})
    assert table.moves("blue +1").on_turn == 2
    table = moving("blue move 3", centre="", fronts={0: "blue pota"})
    assert table.moves("blue pota", 0, 3).on_turn == 2


def test_a_move_card_cannot_be_played_with_nothing_to_move() -> None:
    table = Scenario({1: "blue move 1"}, color="blue").no_bargain()
    assert table.refused(play("blue move 1")) == "C3.3"
    assert all(getattr(move, "card", None) is None for move in table.legal())


def test_C3_4_what_lies_in_front_of_those_who_are_out_is_nothing_to_move() -> None:
    table = Scenario({1: "blue move 1"}, color="blue", fronts={2: "blue pota"}, passes={2: 2}).no_bargain()
    assert table.refused(play("blue move 1")) == "C3.3"


def test_C3_4_nothing_is_taken_from_or_laid_before_a_seat_that_is_out() -> None:
    table = moving("blue move 2", passes={2: 2, 3: 2})
    assert table.refused(shift("blue pota", 2, 1)) == "C3.4"
    assert table.refused(shift("wild pota", 2)) == "C3.4"
    assert table.refused(shift("blue reverse", 0, 3)) == "C3.4"
    assert table.allows(shift("blue reverse", 0, 1))


@pytest.mark.parametrize(
    "wrong",
    [
        shift("blue +2"),
        shift("red +1"),
        shift("blue pota"),
        shift("blue +1", 2),
        shift("blue move 2"),
        shift("blue move 2", 2, 0),
        shift("blue pota", 1, 0),
        shift("blue pota", 2, 2),
        shift("blue pota", 2, 4),
        shift("blue pota", 2, -1),
        shift("blue pota", 10**30, 1),
        shift("blue pota", -2, 1),
        shift("red pota", 2, 1),
        shift("wild pota"),
    ],
)
def test_a_move_moves_what_is_there_to_where_it_may_lie(wrong: object) -> None:
    assert moving("blue move 2").refused(wrong) == "C3.3"  # type: ignore[arg-type]


def test_while_a_move_card_is_used_nothing_else_is_done() -> None:
    table = Scenario({1: "blue move 2, blue +3"}, **TABLE).plays("blue move 2")  # type: ignore[arg-type]
    for other in (PASS, play("blue +3")):
        assert table.refused(other) == "C3.3"


def test_moves_are_not_sent_along_with_the_card() -> None:
    table = Scenario({1: "blue move 1"}, **TABLE).no_bargain()  # type: ignore[arg-type]
    assert table.refused(play("blue move 1", None, shift("blue +1"))) == "C3.3"
    assert table.refused(play("blue move 1", 2)) == "C3.3"


def test_a_silent_seat_makes_the_first_move_there_is_and_no_more() -> None:
    table = moving("blue move 3")
    assert table.state.default(0) == shift("blue +1")
    table.moves("blue -4")
    assert table.state.default(0) == ENOUGH_MOVES


def test_every_move_there_is_can_be_chosen() -> None:
    fronts = {0: "blue reverse", 2: "blue pota", 3: "wild pota"}
    assert set(moving("blue move 2", centre="blue +1", fronts=fronts, passes={3: 2}).legal()) == {
        shift("blue +1"),
        *(shift("blue reverse", 0, to) for to in (None, 1, 2)),
        *(shift("blue pota", 2, to) for to in (None, 0, 1)),
    }
