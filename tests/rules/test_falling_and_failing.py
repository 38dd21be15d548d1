"""B4.8 what ends agreements and offers, B4.9 what ends a negotiation.

Space 1 needs orange and green and pays 6 under deal card 1.
"""

from __future__ import annotations

import pytest

from arena.games.board.cards import Family
from arena.games.board.events import (
    AgreementFell,
    Failed,
)
from arena.games.board.moves import ROLL, TAKE_OVER, Open, Recruit, Unchanged
from arena.games.contract import Yes

from .scenario import Scenario, agreed, close, lay, offer, pair, travel

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
