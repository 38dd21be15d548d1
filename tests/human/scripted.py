"""A conversation without a person: typed lines of a list, and all that was shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.human.terminals.ink import Ink
from arena.human.terminals.screen import Screen


class Script:
    """Implements :class:`arena.human.terminals.screen.TypedLines` by a list; an exception in it is raised. ``offered``
    keeps the words for completion of the last prompt, ``prompts`` all prompts."""

    def __init__(self, lines: Iterable[str | type[BaseException]], is_terminal: bool = True) -> None:
        self.lines, self.is_terminal = list(lines), is_terminal
        self.offered: Sequence[str] = ()
        self.prompts: list[str] = []

    def read(self, prompt: str, words: Sequence[str]) -> str:
        self.offered = words
        self.prompts.append(prompt)
        line = self.lines.pop(0) if self.lines else EOFError
        if isinstance(line, str):
            return line
        raise line


def scripted(
    lines: Iterable[str | type[BaseException]], width: int = 80, is_terminal: bool = True, color: bool = False
) -> tuple[Screen, list[str]]:
    """A screen on which these lines are typed, and the list of what it shows."""
    shown: list[str] = []
    return Screen(Script(lines, is_terminal), shown.append, lambda: width, Ink(color)), shown
