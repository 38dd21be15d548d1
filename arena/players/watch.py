"""A time limit for a bot in this process, enforced by a signal.

One interval timer ticks during a match; its handler checks whether the running bot has overrun. So an ask costs two
clock readings instead of two system calls. Code that never returns to the interpreter (a loop in C) cannot be
interrupted this way: the pool that runs the match reads the deadline, and ends the process.

Time in which this process was ready to run but had no core is not charged to the bot: each tick reads how much of it
there has been, and moves a deadline that has passed by the amount since the bot was asked.
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
from arena.system.core_wait import ProcessTimes, excused_seconds, read_own

TICK_SECONDS = 0.02
Deadline = c_double
"""The time by which the running bot must have answered, by ``time.perf_counter``; ``inf`` while no bot runs. In a
worker it lies in memory that its parent can read."""


class Overrun(BaseException):
    """Raised inside a bot that has used up its time. It is not an Exception, so that few bots catch it by accident; a
    bot that does gets it again at the next tick."""


class TimeSpent(NamedTuple):
    """The time a bot has used for an answer: seconds without those in which it waited for a core; and seconds of CPU
    time, None where the system does not tell."""

    seconds: float
    computed: float | None


class Watch:
    """Interrupts the running bot when its deadline has passed, by ``clock``. ``read`` returns this process's waiting
    and CPU time."""

    def __init__(
        self,
        deadline: Deadline | None = None,
        clock: Clock = SYSTEM_CLOCK,
        read: Callable[[Clock], ProcessTimes | None] = read_own,
    ) -> None:
        self.clock = clock
        self.deadline = deadline or Deadline(inf)
        self.suspended = False
        """Whether time limits are off, because a person debugs the bot."""
        self._read = read
        self._last: ProcessTimes | None = None
        self._previous: ProcessTimes | None = None
        """The readings of the last two ticks."""
        self._idle = True
        """Whether no bot was running at the last tick."""
        self._looking = False
        self._first = self._moved = inf
        """The deadline of the bot that the last tick found running: the original one, and the present one."""
        self._before: ProcessTimes | None = None
        """The last reading before that bot was asked."""

    def suspend(self) -> None:
        """Remove the time limit for the running bot and all later ones."""
        self.suspended = True
        self.deadline.value = inf
        signal.setitimer(signal.ITIMER_REAL, 0)

    @contextmanager
    def watch_deadlines(self) -> Iterator[None]:
        """Watch deadlines inside this context. Only the main thread can do this; in other threads overruns are noticed
        afterwards."""
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

    def time_spent(self, began: float, limit: float) -> TimeSpent:
        """The time that the running bot has used of its ``limit`` since it ``began``; takes a reading."""
        before = self._before if self._first == began + limit else self._base()
        reading = self._read(self.clock)  # after that, because a tick may come in between
        if reading is None or before is None:
            return TimeSpent(self.clock.now() - began, None)
        return TimeSpent(
            max(0.0, reading.time - began - excused_seconds(before, reading)), reading.computed - before.computed
        )

    def _base(self) -> ProcessTimes | None:
        """The last reading that certainly precedes the ask of the running bot, for a bot that no tick has seen yet. A
        tick that found no bot running may have come after the clock had been read for the ask."""
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
        """Interrupt the running bot if its deadline has passed, or extend the deadline by the time the bot has waited
        for a core."""
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
