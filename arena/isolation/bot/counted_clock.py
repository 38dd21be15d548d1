"""Importing this gives a process a clock that counts: each time it is read, a millisecond has passed.

So a bot that decides by the clock, and by nothing else that changes, gives the same answers each time it is asked the
same; and one that waits until some time has passed does not wait for ever. A fork server imports it where bots are to
be tried with such a clock (``preload``); each process that it forks begins to count anew. Clocks that other libraries
ask the system for do not count.
"""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Callable
from typing import Any

BEGINNING_NANOSECONDS = 1_767_225_600_000_000_000
"""What the clock says at first, in nanoseconds since 1970: the beginning of 2026."""
STEP_NANOSECONDS = 1_000_000
_now = BEGINNING_NANOSECONDS


def _count_nanoseconds(*_: object) -> int:
    global _now
    _now += STEP_NANOSECONDS
    return _now


def _count_seconds(*_: object) -> float:
    return _count_nanoseconds() / 1e9


def _begin_anew() -> None:
    global _now
    _now = BEGINNING_NANOSECONDS


def _from_now(real: Callable[..., Any], given: int) -> Callable[..., Any]:
    """A function of time whose last argument, the first being number 0, is ``given`` or else the time it is now."""

    def told(*args: Any) -> Any:
        if len(args) > given and args[given] is not None:
            return real(*args)
        before = args[:given]
        return real(*before, time.localtime()) if real is _strftime else real(*before, _count_seconds())

    return told


_strftime = time.strftime


class _Date(datetime.date):
    @classmethod
    def today(cls) -> _Date:
        """The day that the clock says."""
        return cls.fromtimestamp(_count_seconds())


class _DateTime(datetime.datetime):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> _DateTime:
        """The time that the clock says."""
        return cls.fromtimestamp(_count_seconds(), tz)

    @classmethod
    def today(cls) -> _DateTime:
        """The same."""
        return cls.now()

    @classmethod
    def utcnow(cls) -> _DateTime:
        """The same, in UTC, without saying so."""
        return cls.fromtimestamp(_count_seconds(), datetime.UTC).replace(tzinfo=None)


def _replace_clocks() -> None:
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"):
        if hasattr(time, name):
            setattr(time, name, _count_seconds)
        if hasattr(time, f"{name}_ns"):
            setattr(time, f"{name}_ns", _count_nanoseconds)
    for name, given in (("localtime", 0), ("gmtime", 0), ("ctime", 0), ("strftime", 1)):
        setattr(time, name, _from_now(getattr(time, name), given))
    datetime.date = _Date  # type: ignore[misc]
    datetime.datetime = _DateTime  # type: ignore[misc]
    os.register_at_fork(after_in_child=_begin_anew)


_replace_clocks()
