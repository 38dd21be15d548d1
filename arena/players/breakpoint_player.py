"""The output of bots in this process, shown where and when they print it, below a heading that says who is asked
what."""

from __future__ import annotations

import io
from typing import Any, TextIO


class TerminalStream(io.TextIOBase):
    """Replaces standard output and standard error while bots play: output goes ``to`` the terminal, and the first
    output at each ask is preceded by that ask's heading; nothing is shown while it is ``silent``."""

    def __init__(self, to: TextIO) -> None:
        self.to = to
        self._heading = ""
        self.silent = False
        self._shown = self._unfinished = False

    def begin(self, heading: str) -> None:
        """Begin an ask: output from now on stands below ``heading``."""
        self._heading, self._shown = heading, False

    def end(self) -> None:
        """End the ask, because the bot has answered."""
        self._heading, self._shown = "", False
        self.end_line()

    def end_line(self) -> None:
        """Begin a new line for the output of others, unless the cursor is at the beginning of one."""
        if self._unfinished:
            self.to.write("\n")
            self._unfinished = False
        self.to.flush()

    def write(self, text: str) -> int:
        """Write text below the heading."""
        if text and not self.silent:
            self._show_heading()
            self.to.write(text)
            self._unfinished = not text.endswith("\n")
        return len(text)

    def _show_heading(self) -> None:
        if self._heading and not self._shown:
            self._shown = True
            self.to.write(f"{self._heading}\n")

    @property
    def buffer(self) -> Any:
        """The stream for bytes."""
        self._show_heading()
        self.to.flush()
        return self.to.buffer

    def flush(self) -> None:
        """Write the buffered output."""
        self.to.flush()

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self.to.isatty()

    def fileno(self) -> int:
        """The stream's file descriptor."""
        return self.to.fileno()

    def writable(self) -> bool:
        """True."""
        return True
