"""What comes of an ask that was put to a human."""

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
    """What the human answers: a ``move`` with words; or why it leaves the table (``left``); ``skip``: nothing more
    until the negotiation, or round, is over."""

    move: Move | None = None
    say: str = ""
    note: str = ""
    left: Leaving | None = None
    skip: bool = False


class TerminalClosed(BaseException):
    """The terminal was closed: nobody can be asked any more. It is no Exception, so that nothing between the signal and
    the talk about an ask takes it for its own."""


class MatchStopped(KeyboardInterrupt):
    """The human ends the match at once, without a replay."""
