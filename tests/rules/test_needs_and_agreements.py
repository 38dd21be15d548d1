"""B4.1 to B4.4: who is Boss, what a space needs, what an agreement is.

Space 1 needs orange and green and pays 6 under deal card 1.
"""

from __future__ import annotations

from arena.games.board.moves import (
    Close,
    GiveUp,
    GoOn,
    Offers,
)

from .scenario import Scenario, agreed, cards, close, families, offer, pair, travel

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
