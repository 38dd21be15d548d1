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
    """The system's clock, which nobody can set."""

    now = staticmethod(perf_counter)


class FakeClock:
    """The shipped fake: its time passes only when it is told to."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        """The time it was last set to."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += max(0.0, seconds)

    def advance_to(self, moment: float) -> None:
        """Let time pass until ``moment``, if that is still to come."""
        self._now = max(self._now, moment)


SYSTEM_CLOCK = SystemClock()
