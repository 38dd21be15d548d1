"""Reads lines at a terminal, with completion of words and a history that is saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class TerminalLines:
    """Implements :class:`arena.human.terminals.screen.TypedLines` with prompt_toolkit. ``history`` is the file in which
    typed lines are saved (empty: none); ``more`` are further arguments for prompt_toolkit's session, such as another
    input."""

    is_terminal = True

    def __init__(self, history: str = "", **more: Any) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory, InMemoryHistory

        kept = FileHistory(history) if history else InMemoryHistory()
        self._session: PromptSession[str] = PromptSession(
            history=kept, complete_while_typing=False, reserve_space_for_menu=4, enable_suspend=True, **more
        )

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """The next line. Raises EOFError for Ctrl-D and KeyboardInterrupt for Ctrl-C."""
        from prompt_toolkit.completion import WordCompleter

        completer = WordCompleter(list(dict.fromkeys(words)), ignore_case=True)
        return self._session.prompt(prompt, completer=completer)
