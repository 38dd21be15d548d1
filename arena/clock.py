"""The clock for decisions, such as whether a bot is late. It is passed as an argument, so that tests can pass a fake.

Code that only measures times for people to read may use the system's clock directly.
"""

from __future__ import annotations

from time import perf_counter
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> float:
        """Seconds since some fixed moment; never less than before."""


class SystemClock:
    """The system's monotonic clock, which nobody can set."""

    now = staticmethod(perf_counter)


class FakeClock:
    """The shipped fake: its time passes only by :meth:`advance` and :meth:`advance_to`."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        """The current time of the fake clock."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        self._now += max(0.0, seconds)

    def advance_to(self, moment: float) -> None:
        """Move the clock forward to ``moment``, unless that has passed already."""
        self._now = max(self._now, moment)


SYSTEM_CLOCK = SystemClock()
