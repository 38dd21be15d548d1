"""B3: a turn outside negotiation."""

from __future__ import annotations

import pytest

from arena.games.board.cards import Family
from arena.games.board.events import Drew, Recruited, Reshuffled
from arena.games.board.moves import DRAW, ROLL, TAKE_OVER, Discard, Draw, Open, Recruit, Roll

from .scenario import Scenario, cards, families, fresh, lay, placed


def rolled(table: Scenario) -> Scenario:
    return table.play(ROLL)


def test_B3_1_the_player_on_turn_opens_the_deal_or_rolls() -> None:
    table = Scenario(hands={0: "clan red"})
    assert set(table.legal()) == {Roll(), Open(), Open(families("red"))}
    assert table.refused(DRAW) == "B3.2"
    assert table.refused(Open(families("red red"))) == "B4.1"


def test_B3_1_the_marker_moves_over_uncovered_spaces_only() -> None:
    assert rolled(Scenario(die=4)).state.marker == 4
    assert rolled(Scenario(die=2, covered=[1, 3])).state.marker == 4
    assert rolled(Scenario(die=3, marker=14, covered=[0])).state.marker == 2


def test_B3_2_after_rolling_one_opens_or_draws_three() -> None:
    table = rolled(Scenario())
    assert (table.asked, table.seats_asked) == ("turn", (0,))
    assert set(table.legal()) == {Draw(), Open()}
    assert table.refused(ROLL) == "B3.1"
    table.play(DRAW)
    assert len(table.hand(0)) == 3


def test_B3_2_the_discard_pile_is_shuffled_in_only_when_a_card_is_wanted() -> None:
    table = rolled(Scenario(pile="stop,boss,stop", discards="4 recruitment")).play(DRAW)
    assert table.hand(0) == cards("boss, 2 stop")
    assert table.discards == cards("4 recruitment")
    table.play(ROLL).play(DRAW)
    assert table.hand(1) == cards("3 recruitment")
    assert (table.discards, table.view().draw_pile) == ((), 1)
    assert table.said(Reshuffled) == [Reshuffled(4)]


def test_B3_2_the_shuffled_discard_pile_takes_over_in_the_middle_of_a_draw() -> None:
    table = rolled(Scenario(pile="stop", discards="4 boss")).play(DRAW)
    assert table.hand(0) == cards("2 boss, stop")


def test_B3_2_when_both_piles_are_empty_one_draws_what_there_is() -> None:
    table = rolled(Scenario(pile="stop", discards="boss")).play(DRAW)
    assert table.hand(0) == cards("boss, stop")
    table.play(ROLL).play(DRAW)
    assert table.hand(1) == ()
    assert table.said(Drew)[-1].count == 0


@pytest.mark.parametrize("name", ["eagle-gryphon", "face2face-2003", "outline", "schmidt-1994"])
def test_B3_3_more_than_twelve_cards_are_discarded_at_once(name: str) -> None:
    table = rolled(Scenario(name, hands={0: "6 boss, 5 stop"}, pile="stop,clan red,clan blue")).play(DRAW)
    assert (table.asked, table.seats_asked, table.view().excess) == ("discard", (0,), 2)
    assert table.refused(Discard(cards("stop"))) == "B3.3"
    assert table.refused(Discard(cards("3 stop"))) == "B3.3"
    assert table.refused(Discard(cards("2 clan red"))) == "B3.3"
    table.play(Discard(cards("boss, stop")))
    assert table.hand(0) == cards("clan red, clan blue, 5 boss, 5 stop")
    assert table.discards == cards("boss, stop")
    assert (table.asked, table.seats_asked) == ("turn", (1,))


def test_B3_3_twelve_cards_are_not_too_many() -> None:
    assert rolled(Scenario(hands={0: "4 boss, 5 stop"})).play(DRAW).seats_asked == (1,)


def at_the_limit(name: str, **hands: str) -> Scenario:
    return rolled(
        Scenario(
            name,
            placards=("red", "yellow", "blue magenta", "orange green"),
            hands={0: "4 recruitment, 4 boss, 4 clan red", 1: hands.get("one", "")},
            pile="clan blue,clan blue,clan blue",
        )
    ).play(DRAW)


def test_B3_3_a_triple_may_be_played_instead_until_the_hand_fits() -> None:
    table = at_the_limit("eagle-gryphon")
    assert set(table.legal()) >= {Recruit(Family.YELLOW), Recruit(Family.GREEN)}
    assert table.refused(Recruit(Family.RED)) == "B5.4"
    table.play(Recruit(Family.GREEN))
    assert table.owner("green") == 0
    assert table.said(Recruited) == [Recruited(0, Family.GREEN, 3)]
    assert table.discards == cards("3 recruitment")
    assert (table.asked, table.seats_asked) == ("turn", (1,))


def test_B3_3_a_triple_that_is_not_enough_is_followed_by_discarding() -> None:
    table = rolled(Scenario(hands={0: "3 recruitment, 8 boss, 4 stop"}, pile="stop,stop,stop")).play(DRAW)
    table.play(Recruit(Family.ORANGE))
    assert (table.asked, table.view().excess) == ("discard", 3)


def test_B3_3_in_eagle_gryphon_nobody_may_stop_that_triple() -> None:
    table = at_the_limit("eagle-gryphon", one="stop").play(Recruit(Family.YELLOW))
    assert (table.asked, table.owner("yellow"), table.hand(1)) == ("turn", 0, cards("stop"))


@pytest.mark.parametrize("name", ["face2face-2003", "schmidt-1994"])
def test_B3_3_in_the_dutch_editions_that_triple_can_be_stopped(name: str) -> None:
    table = at_the_limit(name, one="stop").play(Recruit(Family.YELLOW))
    assert (table.asked, table.seats_asked) == ("stop", (1, 2, 3))
    assert table.view(1).boss is None
    table.stops(1)
    assert table.owner("yellow") == 1
    assert table.discards == cards("3 recruitment, stop")
    assert (table.asked, table.seats_asked) == ("turn", (1,))
    assert table.view().active == ()


def test_B3_3_the_outline_knows_only_discarding() -> None:
    table = at_the_limit("outline")
    assert table.refused(Recruit(Family.YELLOW)) == "B3.3"
    assert not any(isinstance(move, Recruit) for move in table.legal())


def test_B3_3_a_stopped_triple_at_the_limit_does_not_count_as_playing_in_the_next_deal() -> None:
    table = at_the_limit("face2face-2003", one="stop").play(Recruit(Family.YELLOW)).stops(1)
    assert table.open().state.active == 0


def test_B3_4_the_left_neighbour_is_next() -> None:
    table = rolled(Scenario(on_turn=3)).play(DRAW)
    assert table.seats_asked == (0,)
    assert table.state.turn == 2


def test_B3_5_a_match_ends_after_max_turns_and_says_so() -> None:
    state = placed(fresh("eagle-gryphon", 3, max_turns=7))
    while state.asks:
        state.apply(0, state.default(0))
    assert state.turn == 7
    assert state.outcome is not None
    assert (state.outcome.termination, state.outcome.ranks) == ("max turns", (1, 1, 1))


def test_B3_5_three_hundred_turns_unless_said_otherwise() -> None:
    assert Scenario().rules.max_turns == 300


def test_B5_nothing_is_played_before_a_deal_is_opened() -> None:
    table = Scenario(hands={0: "boss, clan red"})
    assert {table.refused(move) for move in (TAKE_OVER, lay("red"))} == {"B3.1"}
