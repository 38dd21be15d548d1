"""Handles Ctrl-C at a safe moment: raised anywhere else it could leave a lock of the pool held for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deferred() -> Iterator[threading.Event]:
    """Inside this context Ctrl-C raises nothing but sets the event. Only the main thread can do so; where SIGINT is
    ignored or has a handler that is not Python's, it stays as it is."""
    asked = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield asked
        return
    signal.signal(signal.SIGINT, lambda number, frame: asked.set())
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
