"""B4.5, phases interrupt and close.

Space 1 needs orange and green and pays 6 under deal card 1.
"""

from __future__ import annotations

from arena.games.board.cards import Family
from arena.games.board.events import (
    Failed,
    Fizzled,
    Laid,
)
from arena.games.board.moves import (
    GIVE_UP,
    GO_ON,
    TAKE_OVER,
    Close,
    GiveUp,
    GoOn,
    Recruit,
)
from arena.games.contract import Chanced

from .scenario import Scenario, agreed, cards, close, families, offer, pair, travel

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
