"""Importing this module replaces the process's clock by one that counts: it advances by a millisecond each time it is
read.

So a bot whose decisions depend on the clock, and on nothing else that changes, gives the same answers each time it gets
the same asks; and a bot that waits until some time has passed does not wait forever. A fork server imports it
(``preload``) to try bots with such a clock; each process that it forks starts counting anew. Clocks that other
libraries request from the system are not replaced.
"""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Callable
from typing import Any

BEGINNING_NANOSECONDS = 1_767_225_600_000_000_000
"""The clock's first reading, in nanoseconds since 1970: the beginning of 2026."""
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
    """Wrap a function of time so that its argument number ``given`` (from 0), its last, defaults to the clock's current
    time."""

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
        """The clock's current day."""
        return cls.fromtimestamp(_count_seconds())


class _DateTime(datetime.datetime):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> _DateTime:
        """The clock's current time."""
        return cls.fromtimestamp(_count_seconds(), tz)

    @classmethod
    def today(cls) -> _DateTime:
        """The clock's current time."""
        return cls.now()

    @classmethod
    def utcnow(cls) -> _DateTime:
        """The clock's current time in UTC, without a time zone."""
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
