"""A time limit for a bot in this process, enforced by a signal.

One interval timer ticks during a match; its handler looks whether the bot at work has overrun. So an ask
costs two readings of the clock, not two system calls. Code that never returns to the interpreter (a loop in C)
cannot be interrupted this way: the pool that runs the match reads the deadline, and ends the process.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_double
from math import inf
from types import FrameType

from arena.clock import SYSTEM, Clock

TICK = 0.02
Deadline = c_double
"""When the bot at work must have answered, as ``time.perf_counter`` tells it; ``inf`` while no bot is. In a worker it
lies in memory that its parent can read."""


class Overrun(BaseException):
    """Raised inside a bot that has used up its time. Not an Exception, so that few bots catch it by accident; one that
    does meets it again at the next tick."""


class Watch:
    """Interrupts the bot at work when its deadline has passed, by ``clock``."""

    def __init__(self, deadline: Deadline | None = None, clock: Clock = SYSTEM) -> None:
        self.clock = clock
        self.deadline = deadline or Deadline(inf)
        self.suspended = False
        """Whether no time limit holds any more, because a person debugs the bot."""

    def suspend(self) -> None:
        """Let the bot at work, and all after it, take as long as they want."""
        self.suspended = True
        self.deadline.value = inf
        signal.setitimer(signal.ITIMER_REAL, 0)

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Watch deadlines while inside. Only the main thread can; elsewhere overruns are seen after the fact."""
        try:
            before = signal.signal(signal.SIGALRM, self._tick)
        except ValueError:
            yield
            return
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self.clock.now() > self.deadline.value:
            raise Overrun
