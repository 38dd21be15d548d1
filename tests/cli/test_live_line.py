"""The line that ``arena compare`` shows while it plays."""

from __future__ import annotations

import pytest

from arena.commands.compare.live_line import live_line
from arena.commands.compare.outlook import Outlook, differing_share_needed, look_ahead
from arena.sequential.sequential_test import SequentialState, SequentialTest
from arena.sequential.test_settings import Settings
from arena.tournament.inference.paired import PairedMeasure

SETTINGS = Settings(measure="beaten", bound=1)
AHEAD = Outlook(size=0.047, usual=30, most=60, undecided=0.0, seconds=3.0)


@pytest.fixture
def state() -> SequentialState:
    return SequentialTest(SETTINGS).feed([-0.25, 0.0, -0.5, 0.25, -0.25, -0.25] * 2)


def test_the_verdict_that_is_nearest_comes_first_and_stays_however_narrow_it_is(state: SequentialState) -> None:
    for width in (40, 60, 79, 99, 200):
        line = live_line(state, SETTINGS, PairedMeasure.BEATEN, AHEAD, width)
        assert len(line) <= width
        assert line.startswith("12 deals: -16.7 ±15.6 %; worse ")
        assert line.endswith(("%", "more (3m)"))


def test_with_room_it_says_how_long_it_may_take_and_what_holds_at_any_time(state: SequentialState) -> None:
    line = live_line(state, SETTINGS, PairedMeasure.BEATEN, AHEAD)
    assert ", better 0 %" in line
    assert "; usually 30 more (1m30s), likely at most 60 more (3m); looks for 4.7 %; at any time -" in line
    assert "more" not in live_line(state, SETTINGS, PairedMeasure.BEATEN, None)


def test_before_the_first_deal_it_says_so() -> None:
    assert (
        live_line(SequentialTest(SETTINGS).feed([]), SETTINGS, PairedMeasure.BEATEN, None) == "no deal is finished yet"
    )


def test_from_the_tenth_deal_on_it_is_known_how_many_more_there_may_be(state: SequentialState) -> None:
    before = SequentialTest(SETTINGS).feed([-0.25, 0.0, -0.5, 0.25, -0.25, -0.25, 0.0, 0.25, -0.5])
    assert look_ahead(before, SETTINGS, 500) is None
    ahead = look_ahead(state, SETTINGS, 500)
    assert ahead is not None
    assert ahead.size == pytest.approx(0.3 * state.deviation)
    assert 0 < ahead.usual < ahead.most <= 500
    assert "(" not in ahead.in_words()
    assert look_ahead(state, SETTINGS, 7) == Outlook(ahead.size, 7, 7, 1.0)
    assert Outlook(0.1, 7, 7, 1.0, 2.0).in_words() == "about 7 more (14s)"


@pytest.mark.parametrize("difference", [0.1, 0.3, 1.0])
def test_a_difference_cannot_exist_where_fewer_deals_differ_than_it_needs(difference: float) -> None:
    share = differing_share_needed(difference)
    mean, variance = share, share * (1 - share)  # all that differ do so by 1: no other distribution has a larger effect
    assert mean / variance**0.5 == pytest.approx(difference)
