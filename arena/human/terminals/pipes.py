"""Reads lines from a pipe or a file, and prints each one after its prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from arena.printable import printable_text


class PipedLines:
    """Implements :class:`arena.human.terminals.screen.TypedLines`. ``show`` prints each line that was read, so that the
    output reads like a conversation."""

    is_terminal = False

    def __init__(self, source: TextIO, show: Callable[[str], None]) -> None:
        self.source, self.show = source, show

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """The next line. Raises EOFError at the end of the input."""
        line = self.source.readline()
        if not line:
            raise EOFError
        text = line.rstrip("\r\n")
        self.show(prompt + printable_text(text))
        return text
