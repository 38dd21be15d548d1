"""What the conversation reads from and writes to: a terminal, pipes, or the script of a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from arena.human.terminals.ink import Ink


class TypedLines(Protocol):
    """Where typed lines come from."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person sits there, who can be asked again."""

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """The next line, without its line break; ``words`` are offered for completion. Raises EOFError at the end of
        input and KeyboardInterrupt for Ctrl-C."""


class Screen:
    """Where the table is drawn: ``show`` prints a line, ``width`` tells how wide one may be now."""

    def __init__(self, lines: TypedLines, show: Callable[[str], None], width: Callable[[], int], ink: Ink) -> None:
        self.lines, self.show, self.ink = lines, show, ink
        self._width = width

    @property
    def width(self) -> int:
        """Columns: between 60 and 100, whatever the terminal has."""
        return max(60, min(100, self._width()))

    def say(self, lines: Sequence[str]) -> None:
        """Print lines."""
        for line in lines:
            self.show(line)
