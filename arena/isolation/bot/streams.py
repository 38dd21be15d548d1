"""Standard output and standard error of a bot's process: both go to its log.

After the output of an ask, and before its answer, the session writes :data:`arena.isolation.wire.requests.LOG_MARK`
into the log: so the worker can assign output to the asks that were pending at once. Output that bypasses these two
streams, as from code in C, is not marked.
"""

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
        """Write the text."""
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
    """Create the streams of this process, and of those forked from it, on descriptors 1 and 2."""
    _streams[:] = _open_stream(1, "stdout"), _open_stream(2, "stderr")


def end_ask() -> None:
    """End the output of an ask: write the buffered output, and the mark."""
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
