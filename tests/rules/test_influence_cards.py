"""B5 influence cards, B6 what becomes of them."""

from __future__ import annotations

import pytest

from arena.games.board.cards import FAMILIES, Family
from arena.games.board.events import Discarded, Recruited, Returned, TravelEnded, Travelled
from arena.games.board.moves import PASS, STOP_IT, TAKE_OVER, Draw, Lay, Recruit, Roll, Travel

from .scenario import Scenario, agreed, cards, close, families, lay, offer, travel


def plays(hands: dict[int, str], **more: object) -> Scenario:
    """Space 0 is opened by seat 0 and nobody offers anything; orange and green lie aside."""
    return Scenario(hands=hands, **more).open().offers()  # type: ignore[arg-type]


# B5.1 clan cards


def test_B5_1_clan_cards_are_laid_one_or_several_at_once() -> None:
    table = plays({1: "2 clan red, clan blue"})
    assert {move for move in table.legal(1) if isinstance(move, Lay)} == {
        lay(clans) for clans in ("red", "blue", "red red", "red blue", "red red blue")
    }
    assert table.refused(lay("blue blue"), 1) == "B5.1"
    assert table.refused(lay(""), 1) == "B5.1"
    table.plays({1: lay("red red")})
    assert (table.laid(1), table.hand(1)) == (families("red red"), cards("clan blue"))


def test_B5_1_laying_cannot_be_stopped() -> None:
    assert plays({1: "clan red", 2: "stop"}).plays({1: lay("red")}).asked == "close"


def test_B5_1_a_laid_card_stays_until_the_negotiation_ends() -> None:
    table = plays({1: "clan red", 2: "boss"}).plays({1: lay("red")}).go_on().offers().plays({2: TAKE_OVER}).stops()
    assert table.laid(1) == families("red")
    table.offers().plays().give_up()
    assert (table.laid(1), table.hand(1)) == ((), cards("clan red"))


def test_B5_1_laying_what_nobody_needs_is_legal() -> None:
    table = Scenario(marker=1, hands={3: "clan blue"}).open().offers().plays({3: lay("blue")})
    assert table.laid(3) == families("blue")


# B5.2 travel cards


def test_B5_2_a_placard_travels_until_the_negotiation_ends() -> None:
    table = plays({1: "travel red"}).plays({1: travel("red")}).stops()
    assert (table.travels("red"), table.discards, table.hand(1)) == (True, (), ())
    table.go_on().idle_tick()
    assert table.travels("red")
    table.idle_tick()
    assert table.asked == "turn"
    assert (table.travels("red"), table.discards) == (False, cards("travel red"))
    assert table.said(TravelEnded) == [TravelEnded(families("red"), cards("travel red"))]


def test_B5_2_own_placards_and_those_aside_can_travel() -> None:
    table = plays({0: "travel red, travel orange, travel wild"})
    assert {move for move in table.legal(0) if isinstance(move, Travel)} == {
        *(travel(family, wild=True) for family in FAMILIES),
        travel("red"),
        travel("orange"),
    }
    assert table.plays({0: travel("orange")}).stops().travels("orange")


def test_B5_2_a_travel_card_fits_its_own_family_a_wild_one_any() -> None:
    table = plays({1: "travel red", 2: "travel wild"})
    assert table.refused(travel("blue"), 1) == "B5.2"
    assert table.refused(travel("red", wild=True), 1) == "B5.2"
    table.plays({2: travel("blue", wild=True)}).stops()
    assert table.travels("blue")
    assert table.hand(2) == ()


def test_B5_2_a_wild_card_comes_back_as_a_wild_card() -> None:
    table = plays({2: "travel wild"}).plays({2: travel("blue", wild=True)}).stops().give_up()
    assert table.discards == cards("travel wild")


def test_B5_2_a_clan_card_and_its_travel_card_are_discarded_at_once() -> None:
    table = plays({1: "clan red", 2: "travel red"}).plays({1: lay("red")}).go_on().offers()
    assert travel("red", 1) in table.legal(2)
    assert table.refused(travel("red", 3), 2) == "B5.2"
    table.plays({2: travel("red", 1)}).stops()
    assert (table.laid(1), table.discards) == ((), cards("clan red, travel red"))
    assert table.said(Travelled) == [Travelled(Family.RED, 1)]


def test_B5_2_a_second_travel_card_on_a_travelling_placard_is_not_legal() -> None:
    table = plays({1: "travel red, travel wild"}).plays({1: travel("red")}).stops().go_on().offers()
    assert table.refused(travel("red", wild=True), 1) == "B5.2"
    assert travel("red", wild=True) not in table.legal(1)


# B5.3 boss cards


def test_B5_3_the_player_becomes_boss_and_the_former_boss_plays_on_as_a_seat() -> None:
    table = plays({0: "clan red, boss", 1: "boss"}).plays({1: TAKE_OVER}).stops()
    assert (table.state.boss, table.discards) == (1, cards("boss"))
    table.offers({0: [offer(1, 3, "red")]}).accepts(1)
    assert table.state.agreements == (agreed(0, 3, "red"),)
    assert table.plays({0: TAKE_OVER}).stops().state.boss == 0


def test_B5_3_the_boss_cannot_play_it_on_himself() -> None:
    table = plays({0: "boss"})
    assert table.refused(TAKE_OVER, 0) == "B5.3"
    assert TAKE_OVER not in table.legal(0)


def test_B5_3_without_the_card_there_is_no_play() -> None:
    assert plays({}).refused(TAKE_OVER, 1) == "B5.3"


def test_B5_3_laid_cards_and_travelling_placards_stay_as_they_are() -> None:
    table = plays({1: "boss", 2: "travel red", 3: "clan green"}).plays({2: travel("red"), 3: lay("green")}).stops()
    table.go_on().offers().plays({1: TAKE_OVER}).stops()
    assert (table.travels("red"), table.laid(3)) == (True, families("green"))


def test_B5_3_several_boss_cards_in_one_tick_the_last_one_counts() -> None:
    table = plays({1: "boss", 2: "boss", 3: "boss"}).plays(dict.fromkeys((1, 2, 3), TAKE_OVER))
    assert table.stops().stops().stops().state.boss == 3


# B5.4 recruitment


def test_B5_4_three_together_take_a_placard_for_good() -> None:
    seats = ("red blue", "yellow", "magenta orange", "green")
    table = plays({1: "4 recruitment"}, placards=seats)
    assert {move.placard for move in table.legal(1) if isinstance(move, Recruit)} == {
        *families("red blue magenta orange green")
    }
    assert table.refused(Recruit(Family.YELLOW), 1) == "B5.4"
    table.plays({1: Recruit(Family.GREEN)}).stops()
    assert (table.owner("green"), table.hand(1)) == (1, cards("recruitment"))
    assert table.discards == cards("3 recruitment")
    assert table.give_up().owner("green") == 1


def test_B5_4_two_are_not_enough() -> None:
    table = plays({1: "2 recruitment"})
    assert table.refused(Recruit(Family.GREEN), 1) == "B5.4"
    assert table.legal(1) == (PASS,)


def test_B5_4_while_placards_lie_aside_one_of_those_must_be_taken() -> None:
    table = plays({1: "3 recruitment", 2: "3 recruitment", 3: "3 recruitment"})
    assert table.refused(Recruit(Family.RED), 1) == "B5.4"
    table.plays({1: Recruit(Family.GREEN), 2: Recruit(Family.ORANGE)}).stops().stops()
    assert (table.owner("green"), table.owner("orange")) == (1, 2)
    assert table.said(Recruited)[0] == Recruited(1, Family.GREEN, None)
    assert Recruit(Family.RED) in table.go_on().offers().legal(3)


def test_B5_4_a_travelling_placard_may_be_taken_and_goes_on_travelling() -> None:
    table = plays({1: "3 recruitment", 2: "travel green"}).plays({2: travel("green")}).stops().go_on().offers()
    table.plays({1: Recruit(Family.GREEN)}).stops()
    assert (table.owner("green"), table.travels("green")) == (1, True)


# B5.5 STOP


@pytest.mark.parametrize("play", [travel("red"), TAKE_OVER, Recruit(Family.GREEN)], ids=["travel", "boss", "triple"])
def test_B5_5_all_others_are_asked_at_once_and_the_first_by_initiative_pays(play: Travel) -> None:
    table = plays(
        {1: "travel red, boss, 3 recruitment", 0: "stop", 2: "stop", 3: "stop"}, initiative=lambda tick: (3, 2, 1, 0)
    ).plays({1: play})
    assert (table.asked, table.seats_asked) == ("stop", (0, 2, 3))
    assert table.view(2).can_stop.by == 1
    assert table.view(2).can_stop.play == play
    table.stops(0, 2)
    assert [table.hand(seat) for seat in (0, 2, 3)] == [cards("stop"), (), cards("stop")]
    assert (table.state.boss, table.travels("red"), table.owner("green")) == (0, False, None)
    assert (table.asked, len(table.discards)) == ("close", 4 if isinstance(play, Recruit) else 2)


def test_B5_5_a_stop_answers_a_play_and_nothing_else_does() -> None:
    table = plays({0: "boss, stop, travel red", 1: "travel red"})
    assert table.refused(STOP_IT, 0) == "B5.5"
    table.plays({1: travel("red")})
    assert table.legal(0) == (PASS, STOP_IT)
    assert table.refused(travel("red"), 0) == "B5.5"
    assert table.refused(STOP_IT, 2) == "B5.5"


def test_B5_5_a_stop_is_never_stopped() -> None:
    assert plays({0: "stop", 1: "travel red", 2: "stop"}).plays({1: travel("red")}).stops(0).asked == "close"


def test_B5_5_even_the_boss_cannot_stop_his_own_play() -> None:
    table = plays({0: "stop, travel red"}).plays({0: travel("red")})
    assert table.seats_asked == (1, 2, 3)


def test_B5_5_after_a_stop_the_same_may_be_tried_with_another_card() -> None:
    table = plays({0: "stop", 1: "travel red, travel wild"}).plays({1: travel("red")}).stops(0).go_on().offers()
    assert table.plays({1: travel("red", wild=True)}).stops().travels("red")


# B5.6 what is public


def test_B5_6_hands_and_money_are_hidden_their_sizes_and_the_rest_are_not() -> None:
    table = plays({0: "boss, stop", 1: "clan red", 2: "travel red"}).plays({1: lay("red"), 2: travel("red")}).stops()
    table.state.money = [1, 2, 3, 4]
    view = table.view(0)
    assert (view.hand, view.hand_sizes, view.money) == (cards("boss, stop"), (2, 0, 0, 0), 1)
    assert view.laid == ((), families("red"), (), ())
    assert [placard.travelling for placard in view.placards] == [True] + [False] * 5
    assert [placard.owner for placard in view.placards] == [0, 1, 2, 3, None, None]
    assert view.draw_pile == len(table.state.pile)


# B6.1 the end of a negotiation


def test_B6_1_unused_clan_cards_return_used_ones_and_all_played_cards_are_discarded() -> None:
    table = Scenario(
        placards=("orange", "red", "blue", "yellow"),
        marker=1,
        hands={0: "clan green, clan red", 1: "clan green, travel wild, stop", 2: "boss"},
    ).open("green red")
    table.offers({1: [offer(0, 2, clans="green")]}).accepts()
    table.plays({1: travel("yellow", wild=True), 2: TAKE_OVER}).stops().stops(1)
    assert table.state.boss == 0
    table.play(close("orange", "", agreed(1, 2, clans="green")))
    assert table.hand(0) == cards("clan green, clan red")
    assert table.discards == cards("clan green, travel wild, boss, stop")
    assert [table.hand(1), table.hand(2), table.travels("yellow")] == [(), (), False]
    assert table.said(Returned) == [Returned(0, families("red green"))]
    assert table.said(Discarded) == [Discarded(1, cards("clan green"))]


def test_B6_1_of_two_clan_cards_of_a_family_the_unused_one_returns() -> None:
    table = Scenario(placards=("orange", "red", "blue", "yellow"), marker=1, hands={0: "2 clan green"})
    table.open("green green").offers().plays().play(close("orange", "green"))
    assert (table.hand(0), table.discards) == (cards("clan green"), cards("clan green"))


def test_B6_1_after_a_failure_clan_cards_return_unless_they_travelled() -> None:
    table = plays({0: "2 clan green", 1: "travel green"}).plays({0: lay("green green")}).go_on().offers()
    table.plays({1: travel("green", 0)}).stops().give_up()
    assert (table.hand(0), table.discards) == (cards("clan green"), cards("clan green, travel green"))


def test_B6_1_nothing_of_a_negotiation_is_left() -> None:
    table = plays({0: "clan red", 1: "travel red, clan blue"}).plays({0: lay("red"), 1: travel("red")}).stops()
    table.go_on().idle_tick().offers().plays()
    assert table.view().quiet == 1
    table.give_up()
    view = table.view()
    assert (view.boss, view.tick, view.quiet, view.offers, view.agreements, view.active) == (None, 0, 0, (), (), ())
    assert not any(view.laid)
    assert set(table.legal()) >= {Roll()}
    assert table.play(Roll()).play(Draw()).asked == "turn"
