"""The CPU time of each answer is read where it is wanted: of a bot here, and of one in a process of its own."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from arena.finding.reference import find_file, refer_file
from arena.match.refereeing.cpu_player import CpuTimedPlayer, SeatCpuTime
from arena.match.runner import Runner
from arena.match.work import SeatTiming, Timing, Work
from arena.players.player import TimedAnswer
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, Isolation, strictest_isolation
from tests.conftest import small, spec_of

SLEEPS_AND_THINKS = """
def turn(self, view):
    time.sleep(0.1)
    until = time.thread_time() + 0.02
    while time.thread_time() < until:
        pass
    return self.choose(view)
"""
ALL = msgspec.structs.replace(strictest_isolation(), isolate_all=True)


class Answering:
    """Stands for a player that answers at once."""

    def take(self, limit: float) -> TimedAnswer:
        return TimedAnswer(None, None, 0.0)

    def start(self, start: object) -> TimedAnswer:
        return TimedAnswer(None, None, 0.0)


def answers(*readings: float | None, apart: bool) -> SeatCpuTime | None:
    """What two answers took, after a start, by a clock with these readings."""
    left = iter(readings)

    def clock() -> float | None:
        found = next(left)
        if found is None:
            raise ProcessLookupError
        return found

    player = CpuTimedPlayer(Answering(), clock, apart)  # type: ignore[arg-type]
    player.start(None)  # type: ignore[arg-type]
    player.take(1.0)
    player.take(1.0)
    return player.cpu_time


def test_a_process_is_charged_with_all_that_it_computed_between_its_answers() -> None:
    assert answers(1.0, 1.5, 3.5, apart=True) == SeatCpuTime(2.5, 1.25, 2.0)


def test_a_bot_that_shares_a_thread_is_charged_with_its_own_answers_only() -> None:
    assert answers(1.0, 5.0, 5.5, 9.0, 9.25, apart=False) == SeatCpuTime(0.75, 0.375, 0.5)


def test_a_process_that_has_ended_has_no_clock_any_more() -> None:
    assert answers(1.0, 1.5, None, apart=True) == SeatCpuTime(0.5, 0.5, 0.5)
    assert answers(None, None, None, apart=True) is None


@pytest.mark.parametrize("isolation", [TRUSTED_ISOLATION, strictest_isolation(), ALL], ids=["here", "mixed", "apart"])
def test_sleeping_takes_no_cpu_time(isolation: Isolation, write_bot: Any) -> None:
    bots = refer_file(str(write_bot(SLEEPS_AND_THINKS)), None), find_file("greedy")
    spec = spec_of(bots, small(turns=3))
    runner = Runner()
    try:
        slow, other = runner.play(Work(spec=spec, bots=bots, demand=isolation.demand, timed=True)).timing.seats
        untimed = runner.play(Work(spec=spec, bots=bots, demand=isolation.demand)).timing
    finally:
        runner.close()
    assert isinstance(slow.computed, SeatCpuTime)
    assert isinstance(other.computed, SeatCpuTime)
    turns = slow.hooks["turn"]
    assert 0.02 * turns < slow.computed.total < 0.08 * turns
    assert slow.computed.worst > 0.02
    assert other.computed.worst < 0.02
    assert {seat.computed for seat in untimed.seats} == {UNSET}


def test_the_line_of_a_match_that_was_not_timed_says_nothing_of_it() -> None:
    line = msgspec.json.encode(Timing("a", 1.0, (SeatTiming("b", 1, 0.1, 0.1, {}),)))
    assert b"computed" not in line
