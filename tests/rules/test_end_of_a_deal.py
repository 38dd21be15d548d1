"""B7: payment, the next deal, the end of the match."""

from __future__ import annotations

import pytest

from arena.games.board.events import Closed, EndRolled, MarkerMoved
from arena.games.board.moves import ROLL, TAKE_OVER
from arena.games.board.views import ClosedDeal

from .scenario import Scenario, agreed, close, offer

ALL_BUT_ONE = ("orange green", "red blue", "yellow", "magenta")


def closing(name: str = "eagle-gryphon", *variants: str, **more: object) -> Scenario:
    """Space 1, whose two families the Boss has; closing it is the next thing to do."""
    settings = {"placards": ALL_BUT_ONE, "marker": 1, "last_call": False, **more}
    if name == "outline":
        settings["self_sufficient_close"] = False
    return Scenario(name, *variants, **settings).open().offers().plays()  # type: ignore[arg-type]


def test_B7_1_the_bank_pays_the_boss_who_pays_agreements_and_side_promises() -> None:
    table = Scenario(placards=("orange", "green", "red", "blue"), marker=1, deal=6).open()
    table.offers({0: [offer(1, 4, "green"), offer(2, 1)]}).accepts(1, 2).plays()
    table.play(close("orange", "", agreed(1, 4, "green")))
    assert table.said(Closed) == [Closed(6, 1, 0, 9, (0, 4, 1, 0))]
    assert table.state.money == [4, 4, 1, 0]
    assert table.view().ledger == (ClosedDeal(6, 1, 0, 9, (0, 4, 1, 0)),)


def test_B7_2_the_card_covers_the_space_and_the_marker_goes_to_the_next_free_one() -> None:
    table = closing(covered=[2, 3]).play(close("orange green"))
    assert table.view().uncovered == (0, *range(4, 16))
    assert (table.state.marker, table.view().deal) == (4, 2)
    assert table.said(MarkerMoved) == [MarkerMoved(4)]


@pytest.mark.parametrize(("deal", "faces"), [(10, 1), (11, 2), (12, 3), (13, 4), (14, 5)])
def test_B7_3_from_the_tenth_deal_on_a_face_on_the_card_ends_the_match(deal: int, faces: int) -> None:
    for face in range(1, 7):
        table = closing(deal=deal, end={deal: face}).play(close("orange green"))
        ends = face <= faces
        assert table.said(EndRolled) == [EndRolled(face, ends)]
        assert (table.asked == "over") == ends
        if ends:
            assert table.state.outcome is not None
            assert table.state.outcome.termination == "end roll"


def test_B7_3_before_that_nothing_is_rolled() -> None:
    assert closing(deal=9).play(close("orange green")).said(EndRolled) == []


def test_B7_3_after_the_last_deal_card_the_match_ends_without_a_roll() -> None:
    table = closing(deal=15).play(close("orange green"))
    assert (table.asked, table.said(EndRolled)) == ("over", [])
    assert table.state.outcome is not None
    assert table.state.outcome.termination == "last deal"


@pytest.mark.parametrize("name", ["eagle-gryphon", "face2face-2003", "outline", "schmidt-1994"])
def test_B7_4_the_left_neighbour_of_the_final_boss_is_next(name: str) -> None:
    table = Scenario(name, placards=ALL_BUT_ONE, marker=0, hands={2: "boss"}).open().offers()
    table.plays({2: TAKE_OVER}).stops().offers().plays().give_up()
    assert table.seats_asked == (3,)
    assert closing(name).play(close("orange green")).seats_asked == (1,)


def test_B7_4_after_a_failure_the_boss_does_nothing_more_and_the_marker_stays() -> None:
    table = closing(hands={0: "boss"}).give_up()
    assert (table.seats_asked, table.state.marker, table.state.covered, table.view().deal) == ((1,), 1, 0, 1)
    assert len(table.hand(0)) == 1
    assert not table.view().rolled


def test_B7_4_after_rolling_it_is_the_same() -> None:
    table = Scenario(placards=ALL_BUT_ONE, marker=0, die=1).play(ROLL).open().offers().plays().give_up()
    assert (table.seats_asked, table.state.marker) == ((1,), 1)


def test_B7_5_most_money_wins_and_equal_money_shares_the_rank() -> None:
    table = closing(deal=15)
    table.state.money = [5, 20, 3, 3]
    table.play(close("orange green"))
    assert table.state.outcome is not None
    assert table.state.outcome.money == (20, 20, 3, 3)
    assert table.state.outcome.ranks == (1, 1, 3, 3)
