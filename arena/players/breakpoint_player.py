"""What bots in this process print, shown where and when they do, below a line that says who is asked what."""

from __future__ import annotations

import io
from typing import Any, TextIO


class TerminalStream(io.TextIOBase):
    """Stands for standard output and standard error while bots play: what is written goes ``to`` the terminal, and in
    front of the first of it at each ask goes the heading of that ask; nothing while it is ``silent``."""

    def __init__(self, to: TextIO) -> None:
        self.to = to
        self._heading = ""
        self.silent = False
        self._shown = self._unfinished = False

    def begin(self, heading: str) -> None:
        """A bot is asked: what is written from now on stands below ``heading``."""
        self._heading, self._shown = heading, False

    def end(self) -> None:
        """It has answered."""
        self._heading, self._shown = "", False
        self.end_line()

    def end_line(self) -> None:
        """Begin a new line, if that is not done, for what others write."""
        if self._unfinished:
            self.to.write("\n")
            self._unfinished = False
        self.to.flush()

    def write(self, text: str) -> int:
        """Write, below the heading."""
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
        """For bytes."""
        self._show_heading()
        self.to.flush()
        return self.to.buffer

    def flush(self) -> None:
        """Write what is held back."""
        self.to.flush()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.to.isatty()

    def fileno(self) -> int:
        """Its descriptor."""
        return self.to.fileno()

    def writable(self) -> bool:
        """Always."""
        return True
