"""The output of a bot's process, ask by ask."""

from __future__ import annotations

from typing import NamedTuple

from arena.isolation.wire.requests import LOG_MARK


class PrintedText(NamedTuple):
    """The ``text`` printed at the ask ``number`` of the match, which was of ``hook``; at the start (0), or after the
    last answer (None)."""

    number: int | None
    hook: str
    text: bytes


class PrintedAsks:
    """Cuts a growing ``log`` into the output of each ask. The caller reports each answer as soon as it is taken: output
    that is new in the log then was printed at that ask, or between it and the one before.

    Where more asks are pending, the bot may already be at the next one; then only the output before the bot's own mark
    belongs to the ask. So a bot that forges marks can only move its output among the asks of one phase.
    """

    def __init__(self, log: bytearray) -> None:
        self.log, self.end = log, 0
        self.parts: list[PrintedText] = []

    def close_ask(self, number: int | None, hook: str, more: bool = False) -> None:
        """End the output of an ask, because it has been answered, or cannot be any more; ``more`` asks are pending,
        between which the bot writes marks."""
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
