"""Messages and progress on standard error, which may be closed at any time."""

from __future__ import annotations

import io
import sys
from contextlib import suppress


class MessageStream(io.TextIOBase):
    """Standard error, for messages and progress. A closed standard error never raises an exception."""

    def write(self, text: str) -> int:
        """Write, if that is possible."""
        with suppress(OSError, ValueError):
            return sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if that is possible."""
        with suppress(OSError, ValueError):
            sys.stderr.flush()

    def close(self) -> None:
        """Leave standard error open. It is not this stream's, and at the end of the process, when Python closes what is
        left, the names of this module are gone."""

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return sys.stderr.isatty()

    def fileno(self) -> int:
        """The file descriptor of standard error."""
        return sys.stderr.fileno()


MESSAGE_STREAM = MessageStream()


def print_message(text: str) -> None:
    """Print a message to standard error, in one piece."""
    MESSAGE_STREAM.write(f"{text}\n")
    MESSAGE_STREAM.flush()
