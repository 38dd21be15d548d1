"""Ctrl-C at a moment of our choosing: wherever it is raised it could leave a lock of the pool taken for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deferred() -> Iterator[threading.Event]:
    """While inside, Ctrl-C raises nothing: it sets the event, for whoever looks. Only the main thread can do so, and
    where SIGINT is ignored or not Python's it stays as it is."""
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
