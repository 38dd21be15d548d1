"""What a human can answer to an ask: a move, or that it leaves the table."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from arena.games.contract import Move


class Leaving(StrEnum):
    """Why a human leaves the table before the end."""

    QUIT = "quit"
    INPUT_ENDED = "the input ended"
    HUNG_UP = "the terminal was closed"


class HumanAnswer(NamedTuple):
    """The human's answer to an ask: a ``move`` with its words, or the reason why the human leaves the table (``left``).
    ``skip``: play idle moves for this seat until the negotiation, or round, is over."""

    move: Move | None = None
    say: str = ""
    note: str = ""
    left: Leaving | None = None
    skip: bool = False


class TerminalClosed(BaseException):
    """The terminal was closed, so no human can answer any more. This is no subclass of Exception, so that no ``except
    Exception`` between the signal handler and :class:`arena.human.conversation.Conversation` catches it."""


class MatchStopped(KeyboardInterrupt):
    """The human ends the match at once, without a replay."""
