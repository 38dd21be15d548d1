"""C5: what a deal is worth, and who receives or pays what."""

from __future__ import annotations

import pytest

from arena.games.cards.events import Settled

from .scenario import Scenario, settled

# the worked values of C5.4


def test_C5_4_the_first_worked_value() -> None:
    centre = "blue +3, 2 blue +4, blue -2"
    assert settled(centre, exes=2) == (180, (180, 0, 0, 0))
    assert settled(centre, exes=2, players=3) == (150, (150, 0, 0))


def test_C5_4_the_second_worked_value() -> None:
    assert settled("blue +2, blue -4, blue -5", exes=1) == (-105, (-105, 0, 0, 0))


def test_C5_4_shares_of_40() -> None:
    value, amounts = settled("2 blue +2", {0: "blue pota", 1: "blue pota, wild pota"}, cousins=(1,))
    assert (value, amounts) == (40, (80, 120, 0, 0))


@pytest.mark.parametrize(("reverses", "amount"), [(0, -75), (1, 75), (2, -75), (3, 75), (4, -75)])
def test_C5_4_reverse_cards_at_minus_75(reverses: int, amount: int) -> None:
    front = {2: f"blue pota, {reverses} blue reverse"} if reverses else {2: "blue pota"}
    assert settled("blue -5", front, exes=1) == (-75, (-75, 0, amount, 0))


# values


@pytest.mark.parametrize(("exes", "value"), [(0, 30), (1, 45), (2, 60), (3, 75)])
def test_C5_1_the_multiplier_is_two_and_one_for_each_open_x(exes: int, value: int) -> None:
    assert settled("blue +3", exes=exes)[0] == value


@pytest.mark.parametrize(("players", "limit"), [(3, 150), (4, 200), (5, 250), (6, 250)])
def test_C5_1_the_value_is_cut_to_the_limit_above_and_below(players: int, limit: int) -> None:
    more, less = "2 blue +4, 3 blue +3, 2 blue +2", "blue -5, blue -4, blue -3, blue -2"
    assert settled(more, exes=3, players=players)[0] == limit
    assert settled(less, exes=3, players=players)[0] == -limit
    assert settled(more, {1: "blue pota"}, exes=3, players=players)[1][:2] == (limit, limit)


def test_C5_1_without_a_limit_nothing_is_cut() -> None:
    more, less = "2 blue +4, 3 blue +3, 3 blue +2, 2 blue +1", "blue -5, blue -4, blue -3, blue -2"
    assert settled(more, None, "no-limit", exes=3)[0] == 25 * 25
    assert settled(less, None, "no-limit", exes=3)[0] == 25 * -14


def test_C5_1_an_empty_centre_is_worth_nothing() -> None:
    assert settled("", {1: "blue pota, blue reverse"}) == (0, (0, 0, 0, 0))


def test_C5_1_the_view_shows_what_a_share_is_worth_now() -> None:
    table = Scenario({1: "blue +4"}, color="blue", centre="blue +1", exes=1)
    assert (table.view().multiplier, table.view().value) == (3, 15)
    table.plays("blue +4")
    assert table.view().value == 75


# shares


def test_C5_2_shares_add_up() -> None:
    fronts = {0: "wild pota", 1: "2 blue pota", 3: "blue pota"}
    assert settled("blue +1", fronts, cousins=(1, 2))[1] == (20, 30, 10, 10)


def test_C5_2_a_reverse_turns_all_shares_of_a_seat_and_no_others() -> None:
    fronts = {0: "blue pota, blue reverse", 1: "2 blue pota, blue reverse", 3: "blue reverse"}
    assert settled("blue +1", fronts, cousins=(1,))[1] == (-20, -30, 0, 0)


def test_C5_2_seats_that_are_out_keep_their_shares() -> None:
    table = Scenario(
        {}, color="blue", centre="blue +1", fronts={2: "blue pota"}, cousins=(3,), passes={0: 2, 1: 1, 2: 2, 3: 2}
    )
    table.passes(1)
    assert table.state.ledger[-1].amounts == (10, 0, 10, 10)


# paying


def test_C5_3_nobody_goes_below_0() -> None:
    table = Scenario({}, color="blue", centre="blue -5", fronts={1: "blue pota"}, money={0: 20, 1: 50, 2: 0}).all_out()
    assert table.state.money == [0, 0, 0, 50]
    assert table.said(Settled) == [Settled(1, 0, -50, (-20, -50, 0, 0))]


def test_C5_3_who_has_nothing_pays_nothing() -> None:
    table = Scenario({}, color="blue", centre="blue -5", fronts={1: "blue pota"}, money={0: 0, 1: 0}).all_out()
    assert table.said(Settled)[0].amounts == (0, 0, 0, 0)


def test_C5_3_amounts_are_public_and_what_was_really_paid() -> None:
    table = Scenario({}, color="blue", centre="blue -5", fronts={1: "blue pota"}, money={0: 20}).all_out()
    (event,) = table.said(Settled)
    assert [event.seen_by(seat) for seat in range(4)] == [event] * 4
    (deal,) = table.view(2).ledger
    assert (deal.round, deal.boss, deal.color, deal.value, deal.amounts) == (1, 0, "blue", -50, (-20, -50, 0, 0))


def test_C5_3_money_is_secret() -> None:
    table = Scenario({}, color="blue", money={1: 70, 2: 90})
    assert table.view().money == 70
    table.state.money[2] = 1000
    assert table.view().money == 70


def test_C5_3_the_bank_never_runs_out() -> None:
    fronts = dict.fromkeys(range(4), "blue pota")
    assert settled("2 blue +4, 3 blue +3, 3 blue +2", fronts, exes=3)[1] == (400, 200, 200, 200)
