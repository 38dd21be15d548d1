"""Handles Ctrl-C and the signals that end a program at a safe moment: raised anywhere else they could leave a lock of
the pool held for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

SIGNALS: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C; what ``kill``, ``timeout`` and service managers send; a terminal that is closed."""


class RunStopped(KeyboardInterrupt):
    """Raised by one of :data:`SIGNALS`, whose ``number`` it keeps."""

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.number = number


def exit_code(stop: KeyboardInterrupt) -> int:
    """What a program that was stopped exits with, as a shell counts: 128 and the signal's number."""
    return 128 + (stop.number if isinstance(stop, RunStopped) else signal.SIGINT)


def signal_in_words(stop: KeyboardInterrupt) -> str:
    """By what a program was stopped: ``by Ctrl-C``, or by a signal of this name."""
    number = stop.number if isinstance(stop, RunStopped) else signal.SIGINT
    return f"by {'Ctrl-C' if number == signal.SIGINT else signal.Signals(number).name}"


class StopRequest:
    """Whether a stop has been asked for, and by which signal."""

    def __init__(self) -> None:
        self.number = 0

    def note(self, number: int, frame: FrameType | None) -> None:
        """Keep the first signal."""
        self.number = self.number or number

    def stop(self) -> None:
        """Raise Stopped if a signal came."""
        if self.number:
            raise RunStopped(self.number)


@contextmanager
def raise_on_stop() -> Iterator[None]:
    """Inside this context the signals that would end the program at once raise Stopped, as Ctrl-C does. One that is
    ignored, as ``nohup`` ignores SIGHUP, stays so."""
    before: dict[int, Any] = {}
    with suppress(ValueError):  # only the main thread can
        for number in SIGNALS[1:]:
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _raise_stopped)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise_stopped(number: int, frame: FrameType | None) -> NoReturn:
    raise RunStopped(number)


@contextmanager
def defer_stop() -> Iterator[StopRequest]:
    """Inside this context the signals raise nothing but are noted. Only the main thread can do so; one that is ignored
    or has a handler that is not Python's stays as it is."""
    asked = StopRequest()
    before: dict[int, Callable[[int, FrameType | None], Any]] = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                before[number] = handler
                signal.signal(number, asked.note)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ignore_all() -> None:
    """Ignore the signals from now on: who stops a program twice must not keep it from saying how to go on."""
    with suppress(ValueError):
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
