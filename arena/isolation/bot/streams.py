"""Standard output and standard error of a bot's process: both are its log.

Behind what was printed at an ask the session puts :data:`arena.isolation.wire.requests.LOG_MARK` into the log, before
it answers: so the worker can tell what was printed at which of the asks that were under way at once. What goes by other
ways than these two streams, as from code in C, is not marked."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from arena.isolation.wire.requests import LOG_MARK


class _Stream(io.TextIOWrapper):
    """A stream that knows whether it was ``used`` since the last mark, so that a bot that prints nothing costs nothing.
    It writes whole lines at once."""

    used = False

    def write(self, text: str) -> int:
        """Write."""
        self.used = True
        return super().write(text)


def _open_stream(descriptor: int, name: str) -> _Stream:
    raw = io.FileIO(descriptor, "w", closefd=False)
    stream = _Stream(io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True)
    setattr(sys, name, stream)
    setattr(sys, f"__{name}__", stream)
    return stream


_streams: list[_Stream] = []


def set_up_streams() -> None:
    """Make the streams of this process, and of those that are forked from it, on descriptors 1 and 2."""
    _streams[:] = _open_stream(1, "stdout"), _open_stream(2, "stderr")


def end_ask() -> None:
    """Whatever is printed from now on belongs to later asks: write what is held back, and the mark."""
    for stream in _streams:
        if stream.used:
            break
    else:
        return
    for stream in _streams:
        stream.used = False
        with suppress(OSError, ValueError):  # the bot may have closed it
            stream.flush()
    with suppress(OSError):
        os.write(1, LOG_MARK)
