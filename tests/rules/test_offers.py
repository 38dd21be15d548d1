"""B4.5, phases offer and accept.

Space 1 needs orange and green and pays 6 under deal card 1.
"""

from __future__ import annotations

import pytest

from arena.games.board.events import (
    Agreed,
    Laid,
)
from arena.games.board.moves import Offers
from arena.games.contract import YES

from .scenario import Scenario, agreed, cards, families, lay, offer, pair, travel

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


def _reason(table: Scenario, move: object, seat: int) -> str:
    refusal = table.state.refusal(seat, move)  # type: ignore[arg-type]
    assert refusal is not None
    return refusal.reason


def test_B4_5_a_refusal_names_the_one_cause_that_holds() -> None:
    green = Offers((offer(0, 1, "green"),))
    assert _reason(pair().open(), Offers((offer(2, 1, "green"),)), 0) == "the green placard is not seat 2's"
    table = pair(hands={3: "travel green"}).open().offers().plays({3: travel("green")}).stops().go_on()
    assert _reason(table, green, 1) == "the green placard travels"
    table = pair().open().offers({1: [offer(0, 1, "green")]}).accepts(0).plays().go_on()
    assert _reason(table, green, 1) == "the green placard is promised already"
    clan = Offers((offer(0, 1, clans="green"),))
    assert _reason(pair().open(), clan, 1) == "this seat has no green clan card"
    table = pair(hands={1: "clan green"}).open().offers({1: [offer(0, 1, clans="green")]}).accepts(0).plays().go_on()
    assert _reason(table, clan, 1) == "every green clan card of this seat is promised already"
