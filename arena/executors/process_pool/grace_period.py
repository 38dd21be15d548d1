"""The grace period after which the pool ends a worker whose bot has exceeded its time.

The signal in the worker comes first: it interrupts the bot, or moves the deadline if the worker waited for a core. A
worker that has had no core since then has not received the signal yet, and is not ended.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from arena.clock import Clock
from arena.system.core_wait import STARVED_LIMIT, ProcessTimes, excused_seconds, had_no_core


class GracePeriod:
    """The grace period of one worker. ``read`` returns the time that the worker's process has waited for a core and
    computed."""

    def __init__(self, clock: Clock, read: Callable[[], ProcessTimes | None]) -> None:
        self._clock, self._read = clock, read
        self._deadline = self._since = inf
        """The deadline that was last seen to have passed, and the time of that look."""
        self._first: ProcessTimes | None = None
        self._last: ProcessTimes | None = None

    def is_over(self, deadline: float, grace: float) -> bool:
        """Whether the worker has had ``grace`` seconds since its ``deadline`` was first seen to have passed, not
        counting the time in which it waited for a core, up to :data:`arena.system.core_wait.STARVED_LIMIT`."""
        now = self._clock.now()
        if now <= deadline:
            return False
        reading, last = self._read(), self._last
        self._last = reading
        if deadline != self._deadline:
            self._deadline, self._since, self._first, last = deadline, now, reading, reading
        if had_no_core(last, reading):
            return now > self._since + STARVED_LIMIT
        return now > self._since + min(grace + excused_seconds(self._first, reading), STARVED_LIMIT)
