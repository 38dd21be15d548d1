"""B8: every variant, as the editions offer it and as a key."""

from __future__ import annotations

import pytest

from arena.config.editions import load_source
from arena.errors import ConfigError
from arena.games.board.cards import Family
from arena.games.board.events import Closed, EndRolled
from arena.games.board.moves import (
    DRAW,
    GIVE_UP,
    ROLL,
    TAKE_OVER,
    Close,
    Discard,
    Draw,
    GoOn,
    Open,
    Recruit,
    Roll,
)

from .scenario import Scenario, agreed, cards, close, edition, families, lay, offer, travel

ALL_BUT_ONE = ("orange green", "red blue", "yellow", "magenta")
PAIR = {"placards": ("orange", "green", "red blue", "yellow magenta"), "marker": 1}
BOTH = pytest.mark.parametrize("name", ["eagle-gryphon", "face2face-2003"])


def paid(name: str = "eagle-gryphon", *variants: str, **more: object) -> Scenario:
    """Space 1 (orange and green; pays 6): seat 0 opens, has orange; seat 1 has green."""
    settings = {"last_call": False, **PAIR, **more}
    return Scenario(name, "active-to-be-paid", *variants, **settings).open()  # type: ignore[arg-type]


# turn order fixed


@BOTH
def test_B8_turn_order_fixed_the_neighbour_of_whose_turn_it_was_is_next(name: str) -> None:
    for variant, next_seat in (((), 3), (("fixed-turn-order",), 1)):
        table = Scenario(name, *variant, **PAIR, hands={2: "boss"}).open().offers()  # type: ignore[arg-type]
        table.plays({2: TAKE_OVER}).stops().offers().plays().give_up()
        assert table.seats_asked == (next_seat,)


def test_B8_turn_order_fixed_holds_after_a_closed_deal_too() -> None:
    table = Scenario("eagle-gryphon", "fixed-turn-order", **PAIR, hands={2: "boss, clan orange, clan green"}).open()
    table.offers().plays({2: TAKE_OVER}).stops().offers().plays().play(close("", "orange green"))
    assert (table.said(Closed)[0].boss, table.seats_asked) == (2, (1,))


# must deal with N cards


@BOTH
def test_B8_must_deal_who_starts_with_ten_cards_opens_before_or_after_rolling(name: str) -> None:
    table = Scenario(name, "must-deal", hands={0: "10 stop"})
    assert set(table.legal()) == {Roll(), Open()}
    table.play(ROLL)
    assert table.legal() == (Open(),)
    assert table.refused(DRAW) == "B8"
    assert table.state.default(0) == Open()
    table.open().offers().plays().play(GIVE_UP)  # giving up at once is legal
    assert table.seats_asked == (1,)


def test_B8_must_deal_nine_cards_are_not_ten() -> None:
    assert Draw() in Scenario("eagle-gryphon", "must-deal", hands={0: "9 stop"}).play(ROLL).legal()


def test_B8_must_deal_may_not_contradict_the_least_cards_for_dealing() -> None:
    with pytest.raises(ConfigError, match="min_cards_to_deal"):
        edition("eagle-gryphon", must_deal_with=3, min_cards_to_deal=4)
    assert edition("eagle-gryphon", must_deal_with=4, min_cards_to_deal=4)


# active to be paid


def test_B8_active_to_be_paid_a_partner_who_played_nothing_cannot_be_used() -> None:
    table = paid().agree(1, 3, "green").plays()
    assert table.refused(close("orange", "", agreed(1, 3, "green"))) == "B8"
    assert not any(isinstance(move, Close) for move in table.legal())


def test_B8_active_to_be_paid_an_open_offer_of_an_inactive_seat_neither() -> None:
    table = paid().offers({1: [offer(0, 3, "green")]}).accepts().plays()
    assert table.refused(close("orange", "", agreed(1, 3, "green"))) == "B8"


def test_B8_active_to_be_paid_a_side_promise_to_an_inactive_seat_is_not_paid() -> None:
    table = paid(hands={0: "clan green", 2: "clan red"}).offers({0: [offer(2, 2), offer(3, 1)]}).accepts(2, 3)
    table.plays({2: lay("red")}).play(close("orange", "green"))
    assert table.state.money == [4, 0, 2, 0]


@pytest.mark.parametrize("how", ["clan card", "travel card", "stopped play", "stop"])
def test_B8_active_to_be_paid_every_play_counts(how: str) -> None:
    table = paid(hands={1: "clan red, travel red, boss, stop", 2: "stop, travel blue"}).agree(1, 3, "green")
    if how == "clan card":
        table.plays({1: lay("red")})
    elif how == "travel card":
        table.plays({1: travel("red")}).stops()
    elif how == "stopped play":
        table.plays({1: TAKE_OVER}).stops(2)
    else:
        table.plays({2: travel("blue")}).stops(1)
    table.play(close("orange", "", agreed(1, 3, "green")))
    assert table.state.money == [3, 3, 0, 0]


def test_B8_active_to_be_paid_a_clan_card_laid_by_an_offer_counts() -> None:
    table = paid(hands={1: "clan red"}).offers({1: [offer(0, 3, "green"), offer(0, 1, clans="red")]}).accepts().plays()
    assert table.play(close("orange", "", agreed(1, 3, "green"))).state.money == [3, 3, 0, 0]


@pytest.mark.parametrize(("name", "counts"), [("eagle-gryphon", False), ("face2face-2003", True)])
def test_B8_active_to_be_paid_a_former_boss_counts_in_one_edition_only(name: str, counts: bool) -> None:
    table = paid(name, placards=("orange", "red", "green", "blue"), hands={2: "boss"}).offers()
    table.plays({2: TAKE_OVER}).stops().agree(0, 3, "orange").plays()
    refused = table.state.refusal(0, close("green", "", agreed(0, 3, "orange")))
    assert (refused is None) == counts


def test_B8_active_to_be_paid_is_about_this_negotiation() -> None:
    table = paid(hands={1: "clan red"}).offers().plays({1: lay("red")}).give_up()
    assert table.open().view(1).active == ()


def test_B8_active_to_be_paid_fair_shares_are_always_paid() -> None:
    table = paid("eagle-gryphon", "less-cutthroat").offers().plays().play(close("orange", "", agreed(1, 3, "green")))
    assert table.state.money == [3, 3, 0, 0]


def test_B8_active_to_be_paid_an_offer_at_the_fair_share_stays_a_fair_share_in_the_last_call() -> None:
    table = paid("face2face-2003", "less-cutthroat", last_call=True).offers({1: [offer(0, 3, "green")]}).accepts()
    table.plays().play(close("orange", "", agreed(1, 3, "green"))).plays()
    assert table.state.money == [3, 3, 0, 0]


# draw by placards


@BOTH
@pytest.mark.parametrize(("owned", "drawn"), [("", 4), ("red", 3), ("red blue", 2), ("red blue green", 1)])
def test_B8_draw_by_placards(name: str, owned: str, drawn: int) -> None:
    table = Scenario(name, "draw-by-placards", placards=(owned, "yellow", "magenta")).play(ROLL).play(DRAW)
    assert len(table.hand(0)) == drawn
    table = Scenario(name, "draw-by-placards", placards=("red yellow blue magenta orange", "green", "")).play(ROLL)
    assert len(table.play(DRAW).hand(0)) == 1


# N cards to deal


@BOTH
def test_B8_cards_to_deal_three_are_too_few(name: str) -> None:
    table = Scenario(name, "cards-to-deal", hands={0: "3 stop", 1: "4 stop"})
    assert table.legal() == (Roll(),)
    assert table.refused(Open()) == "B8"
    table.play(ROLL)
    assert table.legal() == (Draw(),)
    assert Open() in table.play(DRAW).legal()


# late hand limit


def late(name: str = "eagle-gryphon", **more: object) -> Scenario:
    """The ninth deal is about to be closed; seat 3 has eleven cards, seat 2 twelve, seat 1 ten."""
    hands = {1: "10 boss", 2: "6 recruitment, 6 stop", 3: "11 recruitment"}
    settings = {"placards": ALL_BUT_ONE, "marker": 1, "deal": 9, "hands": hands, "last_call": False, **more}
    table = Scenario(name, "late-hand-limit", **settings).open()  # type: ignore[arg-type]
    return table.offers().plays().play(close("orange green"))


@BOTH
def test_B8_late_hand_limit_everybody_discards_when_the_tenth_card_comes_up(name: str) -> None:
    table = late(name)
    assert (table.asked, table.seats_asked) == ("late discard", (2, 3))
    assert [table.view(seat).excess for seat in (2, 3)] == [2, 1]
    before = table.view(3)
    table.state.apply(0, Discard(cards("recruitment, stop")))
    assert table.view(3) == before
    assert table.state.apply(1, Discard(cards("recruitment"))) is None
    assert (table.asked, table.seats_asked) == ("turn", (1,))
    assert table.discards == cards("2 recruitment, stop")


def test_B8_late_hand_limit_cards_only_no_triple() -> None:
    table = late()
    assert table.view(3).cards_only
    assert table.refused(Recruit(Family.RED), 3) == "B3.3"
    assert not any(isinstance(move, Recruit) for move in table.legal(3))


def test_B8_late_hand_limit_where_nobody_has_too_many_the_next_turn_begins() -> None:
    table = late(hands={1: "9 recruitment, boss"})
    assert table.seats_asked == (1,)
    table.play(ROLL).play(DRAW)
    assert table.view().excess == 3
    assert Recruit(Family.ORANGE) in table.legal()  # the triple is as legal as before


def test_B8_late_hand_limit_holds_from_then_on() -> None:
    table = Scenario("eagle-gryphon", "late-hand-limit", deal=12, hands={0: "8 stop"}).play(ROLL).play(DRAW)
    assert table.view().excess == 1
    table = Scenario("eagle-gryphon", "late-hand-limit", deal=9, hands={0: "8 stop"}).play(ROLL).play(DRAW)
    assert table.asked == "turn"


# short games


def ended(table: Scenario) -> bool:
    table.open().offers().plays()
    table.play(next(move for move in table.legal() if isinstance(move, Close)))
    return table.asked == "over"


def short(name: str, deal: int, face: int, marker: int = 1, **changes: object) -> Scenario:
    settings = {"placards": ("red yellow blue magenta orange green", "", ""), "last_call": False, **changes}
    return Scenario(name, "short-game", marker=marker, deal=deal, end={deal: face}, **settings)  # type: ignore[arg-type]


def test_B8_short_game_of_eagle_gryphon_leaves_out_three_deal_cards() -> None:
    table = short("eagle-gryphon", 2, 1)
    assert not ended(table)
    assert table.view().deal == 4
    assert table.state.layout.cards == (1, 2, 4, 5, 7, 8, 10, 11, 12, 13, 14, 15)


def test_B8_short_game_of_eagle_gryphon_rolls_from_the_tenth_card_as_usual() -> None:
    assert not ended(short("eagle-gryphon", 8, 1))
    assert ended(short("eagle-gryphon", 10, 1))
    assert not ended(short("eagle-gryphon", 10, 2))


def test_B8_short_game_of_face2face_leaves_out_the_third_card() -> None:
    assert short("face2face-2003", 1, 1).state.layout.cards == (1, 2, *range(4, 16))


def test_B8_short_game_of_face2face_rolls_plus_dividends_make_six() -> None:
    assert not ended(short("face2face-2003", 2, 6))  # not yet
    assert not ended(short("face2face-2003", 4, 2))  # 3 dividends
    assert ended(short("face2face-2003", 4, 3))
    assert not ended(short("face2face-2003", 4, 1, marker=3))  # 4 dividends
    assert ended(short("face2face-2003", 4, 2, marker=3))
    assert ended(short("face2face-2003", 10, 6))


def test_B8_short_game_of_face2face_replaces_the_usual_end_roll() -> None:
    table = short("face2face-2003", 10, 1)  # a 1 would end the usual game
    assert not ended(table)
    assert table.said(EndRolled) == [EndRolled(1, False)]


def test_B8_short_game_of_face2face_may_add_the_dividend_value_instead() -> None:
    keys = {"end_sum": {"since": 4, "reach": 6, "add": "dividend value"}}
    assert not ended(short("face2face-2003", 4, 2, marker=3, **keys))  # 2 + 3
    assert ended(short("face2face-2003", 4, 3, marker=3, **keys))


# last call, fair share


def test_B8_last_call_can_be_had_and_left_out() -> None:
    for name, variant, called in (("eagle-gryphon", "last-call", True), ("face2face-2003", "no-last-call", False)):
        table = Scenario(name, variant, placards=ALL_BUT_ONE, marker=1).open().offers().plays()
        table.play(close("orange green"))
        assert (table.asked == "last call") == called


@BOTH
def test_B8_less_cutthroat_brings_the_fair_share_to_any_number_of_players(name: str) -> None:
    table = Scenario(name, "less-cutthroat", **PAIR).open().offers().plays()  # type: ignore[arg-type]
    assert table.legal() == (GoOn(), close("orange", "", agreed(1, 3, "green")))


@pytest.mark.parametrize("name", ["outline", "schmidt-1994"])
def test_B8_two_editions_offer_no_variants_but_the_reported_board(name: str) -> None:
    assert set(load_source(name).variants) == {"reported-board"}


@BOTH
def test_B8_two_editions_offer_them_all(name: str) -> None:
    assert set(load_source(name).variants) - {"reported-board"} == {
        "fixed-turn-order",
        "must-deal",
        "active-to-be-paid",
        "draw-by-placards",
        "cards-to-deal",
        "late-hand-limit",
        "less-cutthroat",
        "short-game",
        "last-call" if name == "eagle-gryphon" else "no-last-call",
    }


def test_B8_families_are_named_by_colour_in_keys() -> None:
    assert families("red") == (Family.RED,)
