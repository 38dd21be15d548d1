"""A bot as the referee sees it: one small interface, whatever runs behind it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from arena.bot import Finish, Start
from arena.games.contract import Hook, Move, View
from arena.players.faults import Fault


class TimedAnswer(NamedTuple):
    """What came back from an ask: a move of one of the hook's classes (None: do nothing) with its words, or a fault;
    and the thinking time in seconds. Whether the rules allow the move is the referee's to judge. ``gone`` says of a
    fault that the bot's process has ended with it, so that there is no bot to ask any more; ``computed`` of the fault
    ``late`` how many seconds of CPU time the bot used, None where the system does not tell."""

    move: Move | None
    fault: Fault | None
    seconds: float
    say: str = ""
    note: str = ""
    gone: bool = False
    computed: float | None = None


class Usage(NamedTuple):
    """What a bot's process used in a match: bytes of memory at most, bytes sent to it and received from it, and seconds
    of CPU time, those of its start among them."""

    memory: int
    sent: int
    received: int
    cpu: float = 0.0


class Player(Protocol):
    """One bot in one match. ``post`` sends an ask on its way, ``take`` gives the answers in the order of the posts, so
    that the asks of a phase can be under way at once."""

    @property
    def hooks(self) -> frozenset[str]:
        """The hooks the bot implements; it is never asked for others."""

    def start(self, start: Start) -> TimedAnswer:
        """Load and tell ``start``; the answer is empty, or a fault."""

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Ask; ``limit`` is the most seconds of thinking that :meth:`take` will allow, ``number`` that of the ask
        in the match (0: it is not told), for whoever says what was printed at it."""

    def take(self, limit: float) -> TimedAnswer:
        """The answer to the oldest ask not taken yet, or the fault ``late`` after ``limit`` seconds of thinking."""

    def finish(self, finish: Finish) -> None:
        """Tell the end; nothing can go wrong any more."""

    def close(self) -> None:
        """Release everything that the bot holds."""
