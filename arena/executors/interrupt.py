"""Handles Ctrl-C and the signals that end a program at a safe moment: an exception at any other moment could leave a
lock of the pool locked forever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

SIGNALS: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The handled signals: Ctrl-C; the one that ``kill``, ``timeout`` and service managers send; the one of a closed
terminal."""


class RunStopped(KeyboardInterrupt):
    """Raised by one of :data:`SIGNALS`, whose ``number`` it keeps."""

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.number = number


def exit_code(stop: KeyboardInterrupt) -> int:
    """The exit code of a program that was stopped, as shells define it: 128 plus the signal's number."""
    return 128 + (stop.number if isinstance(stop, RunStopped) else signal.SIGINT)


def signal_in_words(stop: KeyboardInterrupt) -> str:
    """What stopped a program, in words: ``by Ctrl-C``, or by a signal, with its name."""
    number = stop.number if isinstance(stop, RunStopped) else signal.SIGINT
    return f"by {'Ctrl-C' if number == signal.SIGINT else signal.Signals(number).name}"


class StopRequest:
    """Whether a stop has been asked for, and by which signal."""

    def __init__(self) -> None:
        self.number = 0

    def keep_signal(self, number: int, frame: FrameType | None) -> None:
        """A signal handler: keep the first signal."""
        self.number = self.number or number

    def stop(self) -> None:
        """Raise Stopped if a signal has come."""
        if self.number:
            raise RunStopped(self.number)


@contextmanager
def raise_on_stop() -> Iterator[None]:
    """Inside this context the signals that would end the program at once raise Stopped, as Ctrl-C does. An ignored
    signal stays ignored, as when ``nohup`` ignores SIGHUP."""
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
    """Inside this context signals are only noted and raise nothing. Only the main thread can do this; a signal that is
    ignored or has a handler from outside Python stays as it is."""
    asked = StopRequest()
    before: dict[int, Callable[[int, FrameType | None], Any]] = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                before[number] = handler
                signal.signal(number, asked.keep_signal)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ignore_all() -> None:
    """Ignore the signals from now on, so that stopping a program twice does not keep it from printing how to resume."""
    with suppress(ValueError):
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
