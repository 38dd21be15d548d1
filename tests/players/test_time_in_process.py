"""Time of bots in the referee's process, and what it costs their bank: exactly, with a fake clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.bot import Limits
from arena.clock import FakeClock
from arena.config.editions import load_edition
from arena.finding.reference import find_file
from arena.games import load_game
from arena.games.board import Roll
from arena.games.chance import Chance
from arena.match.referee import Referee
from arena.players.faults import Fault, FaultKind
from arena.players.inprocess import InProcess
from arena.players.player import TimedAnswer
from arena.players.scripted import Scripted
from arena.players.watch import Overrun, Watch
from tests.conftest import spec_of

EDITION = load_edition("eagle-gryphon")
GAME = load_game(EDITION.game)
HAIR = 1e-6


class Thinker:
    """A bot whose turn takes so many seconds."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        self.clock, self.seconds = clock, seconds

    def turn(self, view: Any) -> Roll:
        """Think."""
        self.clock.advance(self.seconds)
        return Roll()


def asked(seconds: float, limit: float, watch: Callable[..., Watch] = Watch) -> TimedAnswer:
    """What comes of asking a bot that thinks for so many seconds."""
    clock = FakeClock()
    player = InProcess(find_file("silent"), watch(clock=clock))
    player.bot = Thinker(clock, seconds)  # type: ignore[assignment]
    view = GAME.start(EDITION.rules, 3, Chance("1"), []).view(0)
    player.post(GAME.hooks["turn"], view, limit)
    return player.take(limit)


def test_the_limit_itself_is_in_time_and_a_hair_more_is_late() -> None:
    assert asked(2.0, 2.0) == TimedAnswer(Roll(), None, 2.0)
    late = asked(2.0 + HAIR, 2.0)
    assert late.fault == Fault(FaultKind.LATE, "no reply in time")
    assert late.seconds == pytest.approx(2.0 + HAIR)


def test_a_tick_interrupts_a_bot_only_after_its_deadline() -> None:
    clock = FakeClock()
    watch = Watch(clock=clock)
    watch._tick(0, None)  # nobody is at work
    watch.deadline.value = 2.0
    clock.advance(2.0)
    watch._tick(0, None)
    clock.advance(HAIR)
    with pytest.raises(Overrun):
        watch._tick(0, None)


def test_what_an_ask_takes_beyond_its_limit_is_taken_from_the_bank_until_that_is_used_up() -> None:
    spec = spec_of([find_file("silent")] * 3, limits=Limits(5.0, 1.0, 2.5))
    referee = Referee(spec, [Scripted({}) for _ in range(3)])
    banks = []
    for seconds in (1.0, 2.0, 0.5, 2.0, 2.0):
        referee.charge(1, seconds)
        banks.append(referee.bank[1])
    assert banks == [2.5, 1.5, 1.5, 0.5, 0.0]
    assert referee.bank[0] == 2.5
    assert referee.times[1].total == 7.5
    assert referee.times[1].worst == 2.0
