"""Input and output of the conversation: a terminal, pipes, or the script of a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from arena.human.terminals.ink import Ink


class TypedLines(Protocol):
    """A source of typed lines."""

    @property
    def is_terminal(self) -> bool:
        """Whether the lines come from a person at a terminal, who can correct a line."""

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """The next line, without its line break; ``words`` are offered for completion. Raises EOFError at the end of
        input and KeyboardInterrupt for Ctrl-C."""


class Screen:
    """Where the table is drawn: ``lines`` reads typed lines, ``show`` prints one line."""

    def __init__(self, lines: TypedLines, show: Callable[[str], None], width: Callable[[], int], ink: Ink) -> None:
        self.lines, self.show, self.ink = lines, show, ink
        self._width = width

    @property
    def width(self) -> int:
        """The width to draw in, in columns: that of the terminal, but at least 60 and at most 100."""
        return max(60, min(100, self._width()))

    def say(self, lines: Sequence[str]) -> None:
        """Print lines."""
        for line in lines:
            self.show(line)
