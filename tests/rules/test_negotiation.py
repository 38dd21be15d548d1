"""B4: opening, offers, agreements, ticks, closing as far as it is negotiating, last call, running out of time.

Space 0 needs red, yellow, blue and two of magenta, orange, green; under deal card 1 it pays 12. Space 1 needs orange
and green and pays 6.
"""

from __future__ import annotations

import pytest

from arena.games.board.cards import Family
from arena.games.board.events import (
    Agreed,
    AgreementFell,
    Closed,
    Failed,
    Fizzled,
    Laid,
    Named,
    Stopped,
    TickBegan,
)
from arena.games.board.moves import (
    GIVE_UP,
    GO_ON,
    ROLL,
    TAKE_OVER,
    YES,
    Close,
    GiveUp,
    GoOn,
    Offers,
    Open,
    Recruit,
    Unchanged,
    Yes,
)
from arena.games.contract import Chanced

from .scenario import Scenario, agreed, cards, close, families, lay, offer, travel

BACKWARDS = {"initiative": lambda tick: (3, 2, 1, 0)}


def pair(name: str = "eagle-gryphon", *variants: str, **more: object) -> Scenario:
    """Space 1 (orange and green): the Boss has orange, seat 1 green, seats 2 and 3 the others."""
    settings = {"placards": ("orange", "green", "red blue", "yellow magenta"), "marker": 1, **more}
    return Scenario(name, *variants, **settings)  # type: ignore[arg-type]


# B4.1 to B4.4: the Boss, the needs, agreements


def test_B4_1_who_opens_is_the_boss_and_may_lay_clan_cards_in_the_same_move() -> None:
    table = Scenario(hands={0: "2 clan green, clan blue, stop"}, on_turn=0, deal=4).open("green blue green")
    assert table.state.boss == 0
    assert table.laid(0) == families("blue green green")
    assert table.hand(0) == cards("stop")
    assert table.view(2).proceeds == 6 * 3


def test_B4_2_every_required_family_and_exactly_the_number_of_optional_ones() -> None:
    table = Scenario(placards=("red yellow blue magenta orange green", "", ""), fair_share=False)
    table.open().offers().plays()
    assert {table.refused(close(f"red yellow blue {more}")) for more in ("", "magenta", "magenta orange green")} == {
        "B4.2"
    }
    assert table.refused(close("red yellow magenta orange green")) == "B4.2"
    assert {move for move in table.legal() if isinstance(move, Close)} == {
        close(f"red yellow blue {two}") for two in ("magenta orange", "magenta green", "orange green")
    }


def test_B4_2_a_family_counts_once() -> None:
    table = Scenario(placards=("red yellow blue magenta", "orange", "green"), hands={0: "clan magenta, clan red"})
    table.open().offers().plays()
    assert table.refused(close("red yellow blue magenta", "magenta")) == "B4.2"
    assert table.refused(close("red yellow blue magenta", "red")) == "B4.2"
    assert table.refused(close("red yellow blue", "magenta magenta")) == "B4.2"


def test_B4_2_families_nobody_needs_have_no_place_in_a_closing() -> None:
    table = pair(placards=("orange green red", "blue", "yellow", "magenta")).open().offers().plays()
    assert table.refused(close("orange green red")) == "B4.2"


def test_B4_2_a_travelling_placard_and_one_aside_represent_nobody() -> None:
    table = pair(placards=("orange", "red", "blue", "yellow"), hands={1: "travel orange"}).open()
    table.offers().plays({1: travel("orange")}).stops()
    assert table.refused(close("orange")) == "B4.3"
    assert table.refused(close("green")) == "B4.3"
    assert table.legal() == (GoOn(), GiveUp())


def test_B4_3_own_placards_and_clan_cards_are_free_those_of_others_need_an_agreement() -> None:
    table = pair(hands={0: "clan green"}).open().offers().plays()
    assert table.refused(close("orange", "", agreed(1, 0, "green"))) == "B4.5"
    assert table.refused(close("orange green")) == "B4.3"
    table.play(close("orange", "green"))
    assert table.state.money == [6, 0, 0, 0]


def test_B4_4_agreements_are_between_the_boss_and_one_other_seat() -> None:
    table = pair().open()
    assert table.refused(Offers((offer(2, 1),)), 1) == "B4.5"
    assert table.refused(Offers((offer(1, 1),)), 1) == "B4.5"
    assert table.refused(Offers((offer(0, 1),)), 0) == "B4.5"
    assert {table.refused(Offers((offer(seat, 1),)), 0) for seat in (4, -1)} == {"B4.5"}


def test_B4_4_a_promise_of_money_for_goodwill_is_legal_and_free_of_charge_too() -> None:
    table = pair().open().agree(2, 0)
    assert table.state.agreements == (agreed(2, 0),)


def test_B4_4_all_payments_together_may_not_exceed_the_proceeds() -> None:
    table = pair().open().offers({0: [offer(1, 4, "green"), offer(2, 3)]}).accepts(1, 2).plays()
    assert table.refused(close("orange", "", agreed(1, 4, "green"))) == "B4.4"
    assert not any(isinstance(move, Close) for move in table.legal())


def test_B4_4_prices_are_any_whole_number_from_zero_to_the_proceeds() -> None:
    table = pair().open()
    assert table.refused(Offers((offer(0, -1, "green"),)), 1) == "B4.4"
    assert table.refused(Offers((offer(0, 7, "green"),)), 1) == "B4.5"
    assert all(table.state.refusal(1, Offers((offer(0, price, "green"),))) is None for price in range(7))


def test_B4_4_in_the_outline_prices_are_one_or_more_dividends() -> None:
    table = pair("outline", placards=("orange", "green", "red", "blue"), deal=4).open()
    fits = [price for price in range(-1, 12) if table.state.refusal(1, Offers((offer(0, price, "green"),))) is None]
    assert fits == [3, 6, 9]


# B4.5 phase 1: offers


def test_B4_5_every_seat_is_asked_for_offers_on_the_same_information() -> None:
    table = pair(hands={3: "clan green"}).open()
    assert (table.asked, table.seats_asked) == ("offer", (0, 1, 2, 3))
    before = table.view(0)
    table.state.apply(3, Offers((offer(0, 2, clans="green"),)))
    assert table.view(0) == before


def test_B4_5_a_reply_is_the_full_set_of_offers_at_most_twelve() -> None:
    table = pair().open()
    table.offers({1: [offer(0, price, "green") for price in range(5)]}).accepts()
    table.plays().go_on()
    assert len(table.open_offers(1)) == 5
    table.offers({1: [offer(0, 3, "green")]})
    assert table.open_offers(1) == (offer(0, 3, "green"),)
    table.plays().go_on().offers().plays()
    assert table.open_offers(1) == (offer(0, 3, "green"),)  # unchanged
    table = pair(deal=10).open()
    many = tuple(offer(0, price, "green") for price in range(13))
    assert table.refused(Offers(many), 1) == "B4.5"
    assert table.state.refusal(1, Offers(many[:12])) is None


def test_B4_5_one_illegal_offer_makes_the_whole_reply_illegal() -> None:
    table = pair().open()
    assert table.refused(Offers((offer(0, 3, "green"), offer(0, 3, "red"))), 1) == "B4.5"


@pytest.mark.parametrize(
    "wrong",
    [
        offer(0, 3, "red"),  # another seat's placard
        offer(0, 3, clans="blue"),  # not in hand
        offer(0, 3, "green green"),
        offer(0, 3, clans="red red"),
        offer(0, 3, "green", "green"),  # a family twice
    ],
)
def test_B4_5_an_offer_names_own_cards_each_family_once(wrong: object) -> None:
    table = pair(hands={1: "clan red, clan green"}).open()
    assert table.refused(Offers((wrong,)), 1) == "B4.5"  # type: ignore[arg-type]


def test_B4_5_an_offer_of_a_clan_card_lays_it() -> None:
    table = pair(hands={1: "2 clan green, clan red"}).open()
    table.offers({1: [offer(0, 3, clans="green red"), offer(0, 2, clans="green")]})
    assert table.laid(1) == families("red green")
    assert table.hand(1) == cards("clan green")
    assert table.said(Laid) == [Laid(1, families("red green"))]


def test_B4_5_the_boss_may_name_a_clan_card_without_knowing_whether_the_seat_has_it() -> None:
    table = pair(hands={2: "clan green"}).open()
    table.offers({0: [offer(2, 2, clans="green"), offer(3, 2, clans="green")]})
    assert [seat for seat, _, _ in table.questions] == [2, 3]
    assert [type(move).__name__ for move in table.legal(3)] == ["No"]
    assert table.refused(YES, 3) == "B4.5"
    table.accepts(2)
    assert table.laid(2) == families("green")


def test_B4_5_the_boss_cannot_ask_for_a_placard_the_seat_does_not_have() -> None:
    assert pair().open().refused(Offers((offer(2, 1, "green"),)), 0) == "B4.5"


def test_B4_5_a_travelling_or_promised_placard_cannot_be_offered() -> None:
    table = pair(hands={3: "travel green"}).open().offers().plays({3: travel("green")}).stops().go_on()
    assert table.refused(Offers((offer(0, 1, "green"),)), 1) == "B4.5"
    assert table.refused(Offers((offer(1, 1, "green"),)), 0) == "B4.5"
    table = pair().open().agree(1, 3, "green").plays().go_on()
    assert table.refused(Offers((offer(0, 1, "green"),)), 1) == "B4.5"
    assert table.refused(Offers((offer(1, 1, "green"),)), 0) == "B4.5"


def test_B4_5_an_offer_sent_again_is_not_asked_about_again() -> None:
    table = pair().open()
    table.offers({1: [offer(0, 3, "green")], 0: [offer(1, 1, "green")]}).accepts().plays().go_on()
    table.offers({1: [offer(0, 3, "green")], 0: [offer(1, 1, "green")]})
    assert table.asked == "interrupt"
    assert table.open_offers(1) == (offer(0, 3, "green"),)


def test_B4_5_an_offer_withdrawn_and_made_again_is_still_the_same_offer() -> None:
    table = pair().open()
    table.offers({1: [offer(0, 3, "green")]}).accepts().plays().go_on().offers({1: []}).plays().go_on()
    table.offers({1: [offer(0, 3, "green"), offer(0, 4, "green")]})
    assert table.questions == [(0, 1, offer(0, 4, "green"))]


def test_B4_5_offers_are_the_same_in_whatever_order_their_cards_stand() -> None:
    table = Scenario(placards=("red", "yellow blue", "green"), hands={1: "clan green, clan orange"}).open()
    table.offers({1: [offer(0, 3, "yellow blue", "orange green")]}).accepts().plays().go_on()
    table.offers({1: [offer(0, 3, "blue yellow", "green orange")]})
    assert table.asked == "interrupt"


# B4.5 phase 2: accepting


def test_B4_5_every_addressee_is_asked_about_every_new_offer() -> None:
    table = pair().open()
    table.offers({0: [offer(3, 1), offer(1, 2, "green")], 1: [offer(0, 3, "green")], 2: [offer(0, 1)]})
    assert table.questions == [
        (0, 1, offer(0, 3, "green")),
        (0, 2, offer(0, 1)),
        (1, 0, offer(1, 2, "green")),
        (3, 0, offer(3, 1)),
    ]


def test_B4_5_a_yes_makes_an_agreement() -> None:
    table = pair().open().offers({1: [offer(0, 3, "green")]}).accepts(0)
    assert table.state.agreements == (agreed(1, 3, "green"),)
    assert table.open_offers(1) == ()
    assert table.said(Agreed) == [Agreed(agreed(1, 3, "green"))]


def test_B4_5_a_seat_that_accepts_with_a_clan_card_in_hand_lays_it() -> None:
    table = pair(hands={2: "2 clan green"}).open().agree(2, 2, clans="green")
    assert (table.laid(2), table.hand(2)) == (families("green"), cards("clan green"))


def test_B4_5_one_already_laid_is_promised_first() -> None:
    table = pair(hands={2: "2 clan green"}).open().offers().plays({2: lay("green")}).go_on().agree(2, 2, clans="green")
    assert (table.laid(2), table.hand(2)) == (families("green"), cards("clan green"))
    table.plays().go_on().offers({2: [offer(0, 1, clans="green")]})
    assert table.laid(2) == families("green green")


def test_B4_5_offers_of_the_boss_lapse_those_to_the_boss_stay_open() -> None:
    table = pair().open().offers({0: [offer(1, 1, "green")], 1: [offer(0, 3, "green")]}).accepts()
    assert (table.open_offers(0), table.open_offers(1)) == ((), (offer(0, 3, "green"),))
    table.plays().go_on()
    assert [entry.by for entry in table.view(2).offers] == [1]


def test_B4_5_an_offer_the_boss_sends_again_lapses_too() -> None:
    table = pair().open().offers({0: [offer(1, 1, "green")]}).accepts().plays().go_on()
    table.offers({0: [offer(1, 1, "green")]})
    assert (table.asked, table.open_offers(0)) == ("interrupt", ())


def test_B4_5_a_second_promise_of_a_card_fizzles() -> None:
    table = pair(initiative=lambda tick: (1, 0, 2, 3)).open()
    table.offers({0: [offer(1, 1, "green")], 1: [offer(0, 3, "green")]}).accepts(0, 1)
    assert table.state.agreements == (agreed(1, 1, "green"),)
    assert table.fizzled == [0]


def test_B4_5_yeses_count_in_the_order_of_initiative() -> None:
    table = pair().open()
    table.offers({0: [offer(1, 1, "green")], 1: [offer(0, 3, "green")]}).accepts(0, 1)
    assert table.state.agreements == (agreed(1, 3, "green"),)
    assert table.fizzled == [1]


def test_B4_5_yeses_of_one_seat_count_by_offering_seat_and_then_by_list() -> None:
    table = pair(hands={2: "clan green"}).open()
    table.offers({2: [offer(0, 6), offer(0, 2)], 1: [offer(0, 5, "green"), offer(0, 2, "green"), offer(0, 1)]})
    table.accepts(0)
    assert table.state.agreements == (agreed(1, 5, "green"), agreed(1, 1), agreed(2, 2))
    assert table.fizzled == [0, 0]


def test_B4_5_open_offers_naming_a_promised_card_end() -> None:
    table = pair(hands={1: "clan red"}).open()
    table.offers({1: [offer(0, 3, "green"), offer(0, 5, "green", "red"), offer(0, 1, clans="red")]})
    table.accepts().plays().go_on().agree(1, 2, "green")
    assert table.open_offers(1) == (offer(0, 1, clans="red"),)


def test_B4_5_a_clan_card_offered_twice_is_promised_once() -> None:
    table = pair(hands={2: "clan green"}).open()
    table.offers({2: [offer(0, 3, clans="green"), offer(0, 2, clans="green")]}).accepts(0)
    assert table.state.agreements == (agreed(2, 3, clans="green"),)
    assert (table.fizzled, table.open_offers(2)) == ([0], ())


def test_B4_5_two_clan_cards_of_a_family_can_be_promised_one_by_one() -> None:
    table = pair(hands={2: "2 clan green"}).open().agree(2, 3, clans="green").plays().go_on()
    table.agree(2, 2, clans="green").plays().go_on()
    assert table.laid(2) == families("green green")
    assert table.refused(Offers((offer(0, 1, clans="green"),)), 2) == "B4.5"


def test_B4_5_side_promises_beyond_the_proceeds_fizzle() -> None:
    table = pair().open().offers({0: [offer(1, 4), offer(2, 3), offer(3, 2)]}).accepts(1, 2, 3)
    assert table.state.agreements == (agreed(1, 4), agreed(3, 2))
    assert table.fizzled == [2]


def test_B4_5_side_promises_can_be_forbidden() -> None:
    table = pair(side_promises=False).open()
    assert table.refused(Offers((offer(0, 3),)), 1) == "B4.4"
    assert not any(isinstance(move, Offers) and move.offers and not move.offers[0].placards for move in table.legal(1))


# B4.5 phase 3: plays


def test_B4_5_plays_take_effect_in_the_order_of_initiative() -> None:
    hands = {1: "travel orange", 2: "travel orange"}
    for initiative, first in ((lambda tick: (0, 1, 2, 3), 1), (lambda tick: (3, 2, 1, 0), 2)):
        table = pair(hands=hands, initiative=initiative).open().offers()
        table.plays({1: travel("orange"), 2: travel("orange")})
        assert table.state.play == (first, travel("orange"))


def test_B4_5_a_play_that_has_become_impossible_fizzles_and_costs_nothing() -> None:
    table = pair(hands={1: "travel orange", 2: "travel orange"}).open().offers()
    table.plays({1: travel("orange"), 2: travel("orange")}).stops()
    assert (table.asked, table.fizzled) == ("close", [2])
    assert table.hand(2) == cards("travel orange")


def test_B4_5_after_a_stop_the_same_play_of_another_seat_takes_effect() -> None:
    table = pair(hands={0: "stop", 1: "travel orange", 2: "travel orange"}).open().offers()
    table.plays({1: travel("orange"), 2: travel("orange")}).stops(0).stops()
    assert table.travels("orange")
    assert table.discards == cards("travel orange, stop")


def test_B4_5_a_placard_that_changed_hands_is_still_the_target() -> None:
    hands = {1: "3 recruitment", 2: "3 recruitment", 3: "travel red"}
    table = Scenario(placards=("red", "yellow blue", "magenta orange", "green"), hands=hands).open().offers()
    table.plays({1: Recruit(Family.RED), 2: Recruit(Family.RED), 3: travel("red")}).stops().stops().stops()
    assert (table.owner("red"), table.travels("red"), table.fizzled) == (2, True, [])


def test_B4_5_a_recruitment_of_what_became_ones_own_fizzles() -> None:
    table = Scenario(hands={1: "3 recruitment", 2: "3 recruitment"}).open().offers()
    table.plays({1: Recruit(Family.ORANGE), 2: Recruit(Family.ORANGE)}).stops()
    assert (table.owner("orange"), table.fizzled) == (1, [2])  # green still lies aside
    assert table.hand(2) == cards("3 recruitment")


def test_B4_5_fizzles_and_initiative_are_in_nobodys_view() -> None:
    table = pair(hands={1: "travel orange", 2: "travel orange"}).open().offers()
    table.plays({1: travel("orange"), 2: travel("orange")}).stops()
    hidden = [event for event in table.log if isinstance(event, Fizzled | Chanced)]
    assert {type(event) for event in hidden} == {Fizzled, Chanced}
    assert all(event.seen_by(seat) is None for event in hidden for seat in range(4))


# B4.5 phase 4: closing


def test_B4_5_only_the_boss_is_asked_to_close() -> None:
    table = pair().open().agree(1, 2, "green").plays()
    assert (table.asked, table.seats_asked) == ("close", (0,))
    assert set(table.legal()) == {GoOn(), GiveUp(), close("orange", "", agreed(1, 2, "green"))}


def test_B4_5_nobody_closes_in_a_tick_in_which_the_boss_changed() -> None:
    table = pair(hands={1: "boss"}).open().agree(1, 2, "green").plays({1: TAKE_OVER}).stops()
    assert (table.asked, table.state.tick, table.state.boss) == ("offer", 2, 1)


def test_B4_5_an_open_offer_to_the_boss_is_accepted_by_closing_with_it() -> None:
    table = pair().open().offers({1: [offer(0, 5, "green"), offer(0, 4, "green")]}).accepts().plays()
    table.play(close("orange", "", agreed(1, 4, "green")))
    assert table.state.money == [2, 4, 0, 0]


def test_B4_5_clan_cards_in_hand_can_be_named_and_are_laid() -> None:
    table = pair(hands={0: "clan green"}).open().offers().plays().play(close("orange", "green"))
    assert table.said(Laid) == [Laid(0, families("green"))]
    assert (table.hand(0), table.discards) == ((), cards("clan green"))


def test_B4_5_an_agreement_with_several_cards_is_used_whole_or_not_at_all() -> None:
    table = Scenario(
        placards=("red yellow blue", "orange green", "magenta"),
        hands={0: "clan orange, clan green"},
    ).open()
    table.agree(1, 5, "orange green").plays()
    whole = agreed(1, 5, "orange green")
    assert table.refused(close("red yellow blue", "orange", agreed(1, 5, "green"))) == "B4.5"
    assert table.refused(close("red yellow blue", "orange", whole)) == "B4.2"
    assert {move for move in table.legal() if isinstance(move, Close)} == {
        close("red yellow blue", "", whole),
        close("red yellow blue", "orange green"),
    }
    assert table.play(close("red yellow blue", "", whole)).state.money == [7, 5, 0]


def test_B4_5_an_agreement_that_is_not_used_costs_nothing() -> None:
    table = pair(hands={2: "clan green"}).open().offers({0: [offer(1, 3, "green"), offer(2, 1, clans="green")]})
    table.accepts(1, 2).plays().play(close("orange", "", agreed(2, 1, clans="green")))
    assert table.state.money == [5, 0, 1, 0]


def test_B4_5_under_the_stricter_reading_all_standing_agreements_are_paid() -> None:
    table = pair(hands={2: "clan green"}, pay_all_agreements=True).open()
    table.offers({0: [offer(1, 3, "green"), offer(2, 1, clans="green")]})
    table.accepts(1, 2).plays().play(close("orange", "", agreed(2, 1, clans="green")))
    assert table.state.money == [2, 3, 1, 0]


def test_B4_5_an_agreed_side_promise_is_always_paid() -> None:
    table = pair(hands={0: "clan green"}).open().agree(3, 2).plays().play(close("orange", "green"))
    assert table.state.money == [4, 0, 0, 2]


def test_B4_5_a_side_promise_fills_no_need_and_is_not_named() -> None:
    table = pair(hands={0: "clan green"}).open().agree(3, 2).plays()
    assert table.refused(close("orange", "green", agreed(3, 2))) == "B4.5"


def test_B4_5_the_boss_goes_on_or_gives_up() -> None:
    table = pair().open().offers().plays().play(GO_ON)
    assert (table.asked, table.state.tick) == ("offer", 2)
    table.offers().plays().play(GIVE_UP)
    assert table.said(Failed) == [Failed(0, True)]
    assert (table.asked, table.seats_asked) == ("turn", (1,))


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


# B4.8: agreements and open offers fall


def test_B4_8_agreements_and_offers_fall_when_the_boss_changes() -> None:
    table = pair(hands={2: "boss"}).open()
    table.offers({0: [offer(1, 2, "green")], 3: [offer(0, 1, "yellow")]}).accepts(1).plays({2: TAKE_OVER}).stops()
    assert (table.state.agreements, table.state.offers) == ((), ((),) * 4)


def test_B4_8_they_do_not_revive_when_the_boss_changes_back() -> None:
    table = pair(hands={2: "boss", 0: "boss"}).open().agree(1, 2, "green").plays({2: TAKE_OVER}).stops()
    table.offers().plays({0: TAKE_OVER}).stops()
    assert (table.state.boss, table.state.agreements) == (0, ())
    table.offers({0: [offer(1, 2, "green")]})
    assert table.questions == [(1, 0, offer(1, 2, "green"))]  # new again


def test_B4_8_a_stopped_boss_card_changes_nothing() -> None:
    table = pair(hands={2: "boss", 3: "stop"}).open().agree(1, 2, "green").plays({2: TAKE_OVER}).stops(3)
    assert (table.state.boss, table.state.agreements, table.asked) == (0, (agreed(1, 2, "green"),), "close")


def test_B4_8_an_agreement_falls_when_its_placard_travels() -> None:
    table = pair(hands={2: "travel green"}).open().agree(1, 2, "green").plays({2: travel("green")}).stops()
    assert table.state.agreements == ()
    assert table.said(AgreementFell) == [AgreementFell(agreed(1, 2, "green"))]


def test_B4_8_an_agreement_falls_when_its_placard_changes_hands() -> None:
    table = pair(hands={2: "3 recruitment"}).open()
    table.offers({0: [offer(1, 2, "green")], 3: [offer(0, 1, "yellow")]}).accepts(1)
    table.plays({2: Recruit(Family.GREEN)}).stops()
    assert table.state.agreements == ()
    assert table.open_offers(3) == (offer(0, 1, "yellow"),)


def test_B4_8_an_agreement_falls_when_its_clan_card_travels() -> None:
    table = pair(hands={1: "clan green", 2: "travel green"}).open().agree(1, 2, clans="green")
    table.plays({2: travel("green", 1)}).stops()
    assert (table.state.agreements, table.laid(1)) == ((), ())


def test_B4_8_while_another_clan_card_of_the_family_lies_there_the_agreement_stands() -> None:
    table = pair(hands={1: "2 clan green", 2: "2 travel green"}).open()
    table.offers().plays({1: lay("green green")}).go_on().agree(1, 2, clans="green")
    table.plays({2: travel("green", 1)}).stops()
    assert table.state.agreements == (agreed(1, 2, clans="green"),)
    table.go_on().offers().plays({2: travel("green", 1)}).stops()
    assert table.state.agreements == ()


def test_B4_8_open_offers_fall_likewise() -> None:
    hands = {1: "clan red", 2: "travel green, travel red, travel orange"}
    table = (
        pair(hands=hands).open().offers({1: [offer(0, 2, "green"), offer(0, 2, clans="red"), offer(0, 1)]}).accepts()
    )
    table.plays({2: travel("green")}).stops()
    assert table.open_offers(1) == (offer(0, 2, clans="red"), offer(0, 1))
    table.go_on().offers().plays({2: travel("red", 1)}).stops()
    assert table.open_offers(1) == (offer(0, 1),)


# B4.9: running out of time


def test_B4_9_two_ticks_without_anything_new_end_the_negotiation() -> None:
    table = pair().open().idle_tick()
    assert (table.asked, table.view(0).quiet) == ("offer", 1)
    table.idle_tick()
    assert (table.said(Failed), table.asked, table.seats_asked) == ([Failed(0)], "turn", (1,))


def something_new() -> dict[str, Scenario]:
    """A first quiet tick, then a tick in which one new thing happened."""
    found = {}
    hands = {0: "clan green, stop", 1: "travel red, boss, clan red, 3 recruitment"}

    def quiet(name: str = "eagle-gryphon") -> Scenario:
        return pair(name, hands=hands).open().idle_tick()

    found["offer"] = quiet().offers({1: [offer(0, 2, "green")]}).accepts().plays().go_on()
    found["agreement"] = quiet().agree(1, 2, "green").plays().go_on()
    found["card laid"] = quiet().offers().plays({1: lay("red")}).go_on()
    found["play"] = quiet().offers().plays({1: travel("red")}).stops().go_on()
    found["stopped play"] = quiet().offers().plays({1: travel("red")}).stops(0).go_on()
    found["boss card"] = quiet().offers().plays({1: TAKE_OVER}).stops()
    named = quiet("face2face-2003").offers().plays().play(close("orange", "green"))
    found["named closing"] = named.plays({1: Recruit(Family.ORANGE)}).stops()
    return found


@pytest.mark.parametrize("what", list(something_new()))
def test_B4_9_whatever_is_new_starts_the_count_again(what: str) -> None:
    table = something_new()[what]
    assert (table.asked, table.state.tick, table.state.quiet) == ("offer", 3, 0)


def test_B4_9_withdrawals_and_offers_sent_again_are_not_new() -> None:
    table = pair().open().offers({1: [offer(0, 2, "green")]}).accepts().plays().go_on()
    table.offers({1: []}).plays().go_on()
    table.offers({1: [offer(0, 2, "green")]}).plays().go_on()
    assert table.said(Failed) == [Failed(0)]


def test_B4_9_under_a_new_boss_everything_is_new_again() -> None:
    table = pair(hands={2: "boss"}).open()
    table.offers({1: [offer(0, 2, "green")]}).accepts().plays({2: TAKE_OVER}).stops()
    table.offers({1: [offer(2, 2, "green")]})
    assert table.questions == [(2, 1, offer(2, 2, "green"))]


def test_B4_9_sixteen_ticks_are_the_end_however_busy() -> None:
    table = pair(deal=10).open()
    for tick in range(1, 17):
        assert table.state.tick == tick
        table.offers({1: [offer(0, tick - 1, "green")]})
        if table.asked == "accept":
            table.accepts()
        table.plays().go_on()
    assert (table.said(Failed), table.asked) == ([Failed(0)], "turn")


def test_B4_9_a_space_may_be_reopened_unless_a_key_forbids_it() -> None:
    def failed(**keys: bool) -> Scenario:
        return pair(die=1, **keys).open().offers().plays().give_up()

    assert failed().open().state.boss == 1
    table = failed(reopen_failed=False)
    assert table.refused(Open()) == "B4.9"
    table.play(ROLL)
    assert table.open().state.boss == 1


def test_B4_5_unchanged_and_yes_are_the_moves_of_their_hooks_alone() -> None:
    table = pair().open()
    assert table.refused(Yes(), 0) == "B4.5"
    table.offers().plays()
    assert table.refused(Unchanged()) == "B4.5"
