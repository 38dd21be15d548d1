"""What a bot's process printed, ask by ask."""

from __future__ import annotations

from typing import NamedTuple

from arena.isolation.wire.requests import LOG_MARK


class PrintedText(NamedTuple):
    """The ``text`` that was printed at the ask ``number`` of the match, which was of ``hook``; at the start (0), or
    after the last answer (None)."""

    number: int | None
    hook: str
    text: bytes


class PrintedAsks:
    """Cuts a growing ``log`` into what was printed at each ask. Whoever takes an answer says so at once: what the log
    holds then, and did not before, was printed at that ask, or between it and the one before.

    Where more asks are under way, the bot may have gone on already; then that part of it counts which is in front of
    the bot's own mark. So a bot that forges marks can only move what it printed among the asks of one phase."""

    def __init__(self, log: bytearray) -> None:
        self.log, self.end = log, 0
        self.parts: list[PrintedText] = []

    def cut(self, number: int | None, hook: str, more: bool = False) -> None:
        """An ask has been answered, or cannot be any more; ``more`` are under way that the bot puts marks between."""
        end = len(self.log)
        if more:
            end = self.log.find(LOG_MARK, self.end) + len(LOG_MARK)
            if end < len(LOG_MARK):
                return
        text, self.end = bytes(self.log[self.end : end]).replace(LOG_MARK, b""), end
        if self.parts and self.parts[-1][:2] == (number, hook):
            text = self.parts.pop().text + text
        if text:
            self.parts.append(PrintedText(number, hook, text))
