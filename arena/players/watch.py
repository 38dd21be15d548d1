"""A limit on how long a bot may think in this process, as far as a signal can tell.

One interval timer ticks during a match; its handler looks whether the bot at work has overrun. So an ask
costs two readings of the clock, not two system calls. Code that never returns to the interpreter (a loop in C)
cannot be interrupted this way: the pool that runs the match ends it.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter
from types import FrameType

TICK = 0.02


class Overrun(BaseException):
    """Raised inside a bot that has used up its time. Not an Exception, so that few bots catch it by accident; one that
    does meets it again at the next tick."""


class Watch:
    """The deadline of the bot at work, as ``time.perf_counter`` tells it; ``inf`` while no bot is."""

    def __init__(self) -> None:
        self.deadline = inf

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
        if perf_counter() > self.deadline:
            raise Overrun
