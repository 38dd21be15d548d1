"""The line that ``arena compare`` shows while it plays."""

from __future__ import annotations

import pytest

from arena.commands.compare.live_line import live_line
from arena.sequential.sequential_test import SequentialState, SequentialTest
from arena.sequential.test_settings import Settings
from arena.tournament.inference.paired import PairedMeasure

SETTINGS = Settings(measure="beaten", bound=1)


@pytest.fixture
def state() -> SequentialState:
    return SequentialTest(SETTINGS).feed([-0.25, 0.0, -0.5, 0.25, -0.25, -0.25] * 2)


def test_the_verdict_that_is_nearest_comes_first_and_stays_however_narrow_it_is(state: SequentialState) -> None:
    for width in (40, 60, 79, 99, 200):
        line = live_line(state, SETTINGS, PairedMeasure.BEATEN, 90.0, width)
        assert len(line) <= width
        assert line.startswith("12 deals: -16.7 ±15.6 %; worse ")
        assert line.endswith(("%", " left"))


def test_with_room_it_says_how_long_it_may_take_and_what_holds_at_any_time(state: SequentialState) -> None:
    line = live_line(state, SETTINGS, PairedMeasure.BEATEN, 90.0)
    assert ", better 0 %" in line
    assert "; about 1m30s left; at any time -" in line
    assert "left" not in live_line(state, SETTINGS, PairedMeasure.BEATEN, None)


def test_before_the_first_deal_it_says_so() -> None:
    assert (
        live_line(SequentialTest(SETTINGS).feed([]), SETTINGS, PairedMeasure.BEATEN, None) == "no deal is finished yet"
    )
