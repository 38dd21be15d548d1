"""A time limit for a bot in this process, enforced by a signal.

One interval timer ticks during a match; its handler looks whether the bot at work has overrun. So an ask
costs two readings of the clock, not two system calls. Code that never returns to the interpreter (a loop in C)
cannot be interrupted this way: the pool that runs the match reads the deadline, and ends the process.

Time in which this process was ready to run but had no core is not charged to the bot: each tick notes how much of that
there has been, and moves a deadline that has passed by what was added since the bot was asked.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_double
from math import inf
from types import FrameType
from typing import NamedTuple

from arena.clock import SYSTEM_CLOCK, Clock
from arena.core_wait import ProcessTimes, excused_seconds, read_own

TICK_SECONDS = 0.02
Deadline = c_double
"""When the bot at work must have answered, as ``time.perf_counter`` tells it; ``inf`` while no bot is. In a worker it
lies in memory that its parent can read."""


class Overrun(BaseException):
    """Raised inside a bot that has used up its time. Not an Exception, so that few bots catch it by accident; one that
    does meets it again at the next tick."""


class TimeSpent(NamedTuple):
    """What a bot has used for an answer: seconds, but for those in which it waited for a core; and seconds of CPU time,
    None where the system does not tell."""

    seconds: float
    computed: float | None


class Watch:
    """Interrupts the bot at work when its deadline has passed, by ``clock``. ``read`` tells what this process has
    waited and computed."""

    def __init__(
        self,
        deadline: Deadline | None = None,
        clock: Clock = SYSTEM_CLOCK,
        read: Callable[[Clock], ProcessTimes | None] = read_own,
    ) -> None:
        self.clock = clock
        self.deadline = deadline or Deadline(inf)
        self.suspended = False
        """Whether no time limit holds any more, because a person debugs the bot."""
        self._read = read
        self._last: ProcessTimes | None = None
        self._previous: ProcessTimes | None = None
        """What the last tick read, and the one before it."""
        self._idle = True
        """Whether no bot was at work at the last tick."""
        self._looking = False
        self._first = self._moved = inf
        """The deadline that the last tick found a bot at work with: as it was at first, and as it is now."""
        self._before: ProcessTimes | None = None
        """What was read last before that bot was asked."""

    def suspend(self) -> None:
        """Let the bot at work, and all after it, take as long as they want."""
        self.suspended = True
        self.deadline.value = inf
        signal.setitimer(signal.ITIMER_REAL, 0)

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Watch deadlines while inside. Only the main thread can; elsewhere overruns are seen after the fact."""
        self._last = self._previous = self._read(self.clock)
        self._first, self._moved, self._idle = inf, inf, True
        try:
            before = signal.signal(signal.SIGALRM, self._tick)
        except ValueError:
            yield
            return
        signal.setitimer(signal.ITIMER_REAL, TICK_SECONDS, TICK_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def spent(self, began: float, limit: float) -> TimeSpent:
        """What the bot at work has used of its ``limit`` since it ``began``; costs a reading."""
        before = self._before if self._first == began + limit else self._base()
        reading = self._read(self.clock)  # after that, because a tick may come in between
        if reading is None or before is None:
            return TimeSpent(self.clock.now() - began, None)
        return TimeSpent(
            max(0.0, reading.time - began - excused_seconds(before, reading)), reading.computed - before.computed
        )

    def _base(self) -> ProcessTimes | None:
        """What was read for certain before the bot at work was asked, which no tick has seen yet. A tick at which none
        was at work may have come when the clock had been read for the ask already."""
        return self._previous if self._idle else self._last

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self._looking:
            return  # a tick may come in the middle of one that had to wait for a core
        self._looking = True
        try:
            self._look()
        finally:
            self._looking = False

    def _look(self) -> None:
        """Interrupt the bot at work if its deadline has passed, or move that by what the bot has waited."""
        deadline, reading, now = self.deadline.value, self._read(self.clock), self.clock.now()
        if deadline not in (self._moved, inf):
            self._first, self._moved, self._before = deadline, deadline, self._base()
        self._previous, self._last, self._idle = self._last, reading, deadline == inf
        if reading is not None:
            now = reading.time
        if now > deadline:
            until = self._first + excused_seconds(self._before, reading)
            if now > until:
                raise Overrun
            self._moved = self.deadline.value = until
