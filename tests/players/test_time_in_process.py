"""Time of bots in the referee's process, and what it costs their bank: exactly, with a fake clock."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Limits
from arena.clock import SYSTEM_CLOCK, Clock, FakeClock
from arena.config.editions import load_edition
from arena.finding.reference import find_file, refer_file
from arena.games import load_game
from arena.games.board import Roll
from arena.games.chance import Chance
from arena.match.refereeing.referee import Referee
from arena.match.runner import play_here
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.inprocess import InProcessPlayer
from arena.players.player import TimedAnswer
from arena.players.scripted import ScriptedPlayer
from arena.players.watch import TICK_SECONDS, Overrun, Watch
from arena.system.core_wait import ProcessTimes, read_own
from tests.conftest import small, spec_of
from tests.players.forked import in_a_fork

EDITION = load_edition("eagle-gryphon")
GAME = load_game(EDITION.game)
HAIR = 1e-6


def unknown(clock: Clock) -> None:
    """The reading of a system that does not tell."""


class Thinker:
    """A bot whose turn takes so many seconds."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        self.clock, self.seconds = clock, seconds

    def turn(self, view: Any) -> Roll:
        """Think."""
        self.clock.advance(self.seconds)
        return Roll()


def asked(seconds: float, limit: float) -> TimedAnswer:
    """What comes of asking a bot that thinks for so many seconds, on a system that does not tell of waiting."""
    clock = FakeClock()
    player = InProcessPlayer(find_file("silent"), Watch(clock=clock, read=unknown))
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
    watch = Watch(clock=clock, read=unknown)
    watch._tick(0, None)  # nobody is at work
    watch.deadline.value = 2.0
    clock.advance(2.0)
    watch._tick(0, None)
    clock.advance(HAIR)
    with pytest.raises(Overrun):
        watch._tick(0, None)


class Machine:
    """A clock, and what the kernel tells of this process: of what time passes it waits for a core, computes or sleeps.
    The watch ticks whenever it has a core or sleeps, and at last when it has waited."""

    def __init__(self) -> None:
        self.clock, self.waited, self.computed = FakeClock(1000.0), 0.0, 0.0
        self.watch = Watch(
            clock=self.clock, read=lambda clock: ProcessTimes(clock.now(), self.waited, self.computed, True)
        )
        for _ in range(2):
            self.watch._tick(0, None)

    def wait(self, seconds: float) -> None:
        """Have no core for so long: the tick comes when that is over."""
        self.waited += seconds
        self.clock.advance(seconds)
        self.watch._tick(0, None)

    def compute(self, seconds: float) -> None:
        """Compute for so long."""
        for _ in range(round(seconds / TICK_SECONDS)):
            self.computed += TICK_SECONDS
            self.clock.advance(TICK_SECONDS)
            self.watch._tick(0, None)

    def sleep(self, seconds: float) -> None:
        """Sleep for so long."""
        for _ in range(round(seconds / TICK_SECONDS)):
            self.clock.advance(TICK_SECONDS)
            self.watch._tick(0, None)

    def ask(self, steps: Iterable[tuple[str, float]], limit: float = 2.0) -> TimedAnswer:
        """What comes of asking a bot that does this."""
        machine = self

        class Doer:
            def turn(self, view: Any) -> Roll:
                for what, seconds in steps:
                    getattr(machine, what)(seconds)
                return Roll()

        player = InProcessPlayer(find_file("silent"), self.watch)
        player.limits = Limits(5.0, 1.0, 1.0)
        player.bot = Doer()  # type: ignore[assignment]
        player.post(GAME.hooks["turn"], GAME.start(EDITION.rules, 3, Chance("1"), []).view(0), limit)
        return player.take(limit)


@pytest.mark.parametrize(
    ("steps", "seconds"),
    [
        ([("wait", 50.0)], 0.0),
        ([("wait", 0.5), ("compute", 0.2)], 0.2),
        ([("wait", 50.0), ("compute", 1.9)], 1.9),
        ([("compute", 1.0), ("wait", 50.0), ("compute", 0.9)], 1.9),
        ([("sleep", 1.0), ("wait", 1.5), ("sleep", 0.5), ("wait", 1.5), ("sleep", 0.4)], 1.9),
    ],
)
def test_waiting_for_a_core_is_not_charged_to_a_bot_in_this_process(
    steps: list[tuple[str, float]], seconds: float
) -> None:
    answered = Machine().ask(steps)
    assert answered.fault is None
    assert answered.seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("steps", "waited", "computed"),
    [
        ([("sleep", 60.0)], 0.0, 0.0),
        ([("compute", 60.0)], 0.0, 2.02),
        ([("wait", 50.0), ("sleep", 60.0)], 50.0, 0.0),
        ([("compute", 1.0), ("wait", 50.0), ("compute", 1.5)], 50.0, 2.02),
    ],
)
def test_sleeping_and_computing_are_charged_and_waiting_buys_no_more_than_itself(
    steps: list[tuple[str, float]], waited: float, computed: float
) -> None:
    machine = Machine()
    late = machine.ask(steps)
    assert late.fault == Fault(FaultKind.LATE, "no reply in time")
    assert late.seconds == pytest.approx(2.0, abs=1.5 * TICK_SECONDS)
    assert machine.clock.now() - 1000.0 == pytest.approx(2.0 + waited, abs=1.5 * TICK_SECONDS)
    assert late.computed == pytest.approx(computed)


def test_what_was_waited_for_one_ask_is_no_excuse_in_the_next() -> None:
    machine = Machine()
    assert machine.ask([("wait", 50.0)]).fault is None
    late = machine.ask([("sleep", 3.0)])
    assert late.fault is not None
    assert late.seconds == pytest.approx(2.0, abs=1.5 * TICK_SECONDS)


def test_a_wait_between_the_look_at_the_clock_and_the_deadline_is_not_charged() -> None:
    machine = Machine()
    machine.compute(5 * TICK_SECONDS)
    began = machine.clock.now()
    machine.wait(50.0)  # the tick after it finds no deadline yet
    machine.watch.deadline.value = began + 2.0
    machine.watch._tick(0, None)
    assert machine.watch.deadline.value == pytest.approx(began + 52.0)


def test_a_tick_in_the_middle_of_another_that_waits_changes_nothing() -> None:
    machine = Machine()

    waits = [50.0]

    def read(clock: Clock) -> ProcessTimes:
        if machine.watch.deadline.value != inf and waits:
            machine.wait(waits.pop())
        return ProcessTimes(clock.now(), machine.waited, machine.computed, True)

    machine.watch = Watch(clock=machine.clock, read=read)
    machine.compute(5 * TICK_SECONDS)
    machine.watch.deadline.value = machine.clock.now() + 2.0
    for _ in range(3):
        machine.watch._tick(0, None)
    assert machine.watch.deadline.value == pytest.approx(1000.0 + 5 * TICK_SECONDS + 52.0)


def test_whoever_can_end_this_process_sees_the_deadline_move() -> None:
    machine = Machine()
    machine.watch.deadline.value = 1002.0
    machine.wait(50.0)
    assert machine.watch.deadline.value == pytest.approx(1052.0)


def test_threads_of_a_bot_that_keep_each_other_waiting_buy_no_time() -> None:
    machine = Machine()
    machine.watch.deadline.value = 1002.0
    machine.computed += 5.0
    with pytest.raises(Overrun):
        machine.wait(5.0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_system_tells_of_this_thread() -> None:
    before = read_own(SYSTEM_CLOCK)
    until = time.process_time() + 0.02
    while time.process_time() < until:
        pass
    after = read_own(SYSTEM_CLOCK)
    assert before is not None
    assert after is not None
    assert after.computed - before.computed >= 0.02
    assert after.waited >= before.waited >= 0.0


def play_in_a_crowd(bot: Path) -> list[Any]:
    """The faults of a bot that shares its core with three processes that never rest, and the seconds that its worst
    answer and its start took."""
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    crowd = []
    for _ in range(3):
        crowd.append(os.fork())
        if not crowd[-1]:
            while os.getppid() > 1:
                pass
            os._exit(0)
    os.nice(7)
    refs = refer_file(str(bot), None), find_file("silent")
    try:
        result = play_here(spec_of(refs, edition=small(turns=1), limits=Limits(0.3, 0.2, 0.0)), refs)
    finally:
        for each in crowd:
            os.kill(each, signal.SIGKILL)
    return [result.seats[0].faults, result.times[0].worst, result.times[0].start]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes cannot be kept to a core here")
def test_a_bot_that_shares_its_core_with_a_crowd_is_not_late(write_bot: Any) -> None:
    # it computes for 0.03 s; with a fifteenth of a core that takes far longer than the 0.2 s or 0.3 s it is allowed
    bot = write_bot(
        """
        def start(self, start):
            until = time.process_time() + 0.03
            while time.process_time() < until: pass
        def turn(self, view):
            until = time.process_time() + 0.03
            while time.process_time() < until: pass
            return self.play_on(view)
        """
    )
    faults, worst, start = in_a_fork(lambda: play_in_a_crowd(bot))
    assert faults == {}
    assert worst <= 0.2
    assert start <= 0.3


def test_what_an_ask_takes_beyond_its_limit_is_taken_from_the_bank_until_that_is_used_up() -> None:
    spec = spec_of([find_file("silent")] * 3, limits=Limits(5.0, 1.0, 2.5))
    referee = Referee(spec, [ScriptedPlayer({}) for _ in range(3)])
    banks = []
    for seconds in (1.0, 2.0, 0.5, 2.0, 2.0):
        referee.bots[1].charge(seconds)
        banks.append(referee.bots[1].allowance.bank)
    assert banks == [2.5, 1.5, 1.5, 0.5, 0.0]
    assert referee.bots[0].allowance.bank == 2.5
    assert referee.bots[1].time.total == 7.5
    assert referee.bots[1].time.worst == 2.0


def test_the_evidence_of_a_late_answer_is_beside_the_replay_and_not_in_it() -> None:
    fault = Fault(FaultKind.LATE, "no reply in time")
    players = [
        ScriptedPlayer({"turn": [Roll(), fault]}, seconds=1.25),
        ScriptedPlayer({"turn": [Roll()]}),
        ScriptedPlayer({}),
    ]
    spec = spec_of([find_file("silent")] * 3, limits=Limits(5.0, 1.0, 0.5), strikes=3)
    result = Referee(spec, players).play()
    late = result.times[0].late
    assert [each.hook for each in late] == ["turn"] * 3
    assert [(each.seconds, each.limit) for each in late] == [(1.25, 1.0)] * 3
    assert [each.bank for each in late] == [0.25, 0.0, 0.0]  # the first turn was in time, and took from the bank
    assert [time.late for time in result.times[1:]] == [[], []]
    faults = [line for line in map(json.loads, result.replay.splitlines()) if line["event"] == "fault"]
    assert [line["ask"] for line in faults if line["seat"] == 0] == [each.ask for each in late]
    assert b"1.25" not in result.replay
