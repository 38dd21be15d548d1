"""Standard output and standard error of a bot's process: both are its log, and it is known how much went through.

Behind what was printed at an ask the session puts :data:`arena.isolation.wire.requests.MARK` into the log, before it
answers: so the worker can tell what was printed at which of the asks that were under way at once. What reaches the
descriptors by other ways, as from code in C, is not marked.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any

from arena.isolation.wire.requests import MARK


class _Counted(io.FileIO):
    """A descriptor that adds up the bytes ``written`` to it."""

    written = 0

    def write(self, data: Any) -> int:
        """Write, and add it up."""
        written = super().write(data)
        self.written += written or 0
        return written


class LogStreams:
    """``sys.stdout`` and ``sys.stderr``, made anew on descriptors 1 and 2, which write whole lines at once."""

    def __init__(self) -> None:
        self._output, self._errors = self._opened(1, "stdout"), self._opened(2, "stderr")
        self._marked = 0

    @staticmethod
    def _opened(descriptor: int, name: str) -> tuple[_Counted, io.TextIOWrapper]:
        raw = _Counted(descriptor, "w", closefd=False)
        stream = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
        return raw, stream

    def end_ask(self) -> None:
        """Write what is held back; and the mark, if anything was printed since the last one."""
        (output, out), (errors, err) = self._output, self._errors
        with suppress(OSError, ValueError):  # the bot may have closed them
            out.flush()
            err.flush()
        written = output.written + errors.written
        if written != self._marked:
            self._marked = written
            with suppress(OSError):
                os.write(1, MARK)


_streams: LogStreams | None = None


def set_up_streams() -> None:
    """Make the streams of this process, and of those that are forked from it."""
    global _streams
    _streams = LogStreams()


def end_ask() -> None:
    """All that is printed from now on belongs to later asks."""
    if _streams is not None:
        _streams.end_ask()
