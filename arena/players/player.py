"""A bot as the referee sees it: one small interface, whatever runs behind it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from arena.bot import Finish, Start
from arena.games.contract import Hook, Move, View
from arena.players.consult_desk import CallDigest
from arena.players.faults import Fault


class TimedAnswer(NamedTuple):
    """The answer to an ask: a move of one of the hook's classes (None: do nothing) with its words, or a fault; and the
    thinking time in seconds. The referee decides whether the rules allow the move. ``gone`` says of a fault that the
    bot's process has ended with it, so that there is no bot to ask any more; ``computed`` of the fault ``late`` how
    many seconds of CPU time the bot used, None where the system does not tell. ``calls`` are those of models that were
    made for this answer, in order."""

    move: Move | None
    fault: Fault | None
    seconds: float
    say: str = ""
    note: str = ""
    gone: bool = False
    computed: float | None = None
    calls: tuple[CallDigest, ...] = ()


class Usage(NamedTuple):
    """The resources used by a bot's process in a match: peak memory in bytes, bytes sent to it and received from it,
    and seconds of CPU time, including its start."""

    memory: int
    sent: int
    received: int
    cpu: float = 0.0


def thinks_last(player: Player) -> bool:
    """Whether the answers of this player are taken last in each phase."""
    return bool(getattr(player, "thinks_last", False))


class Player(Protocol):
    """One bot in one match. ``post`` sends an ask, ``take`` returns the answers in the order of the posts, so that the
    asks of a phase can be pending at once. Of a player with a true attribute ``thinks_last`` the answers of a phase are
    taken last, because it thinks only then, in the referee's process, while the time of others would go on."""

    @property
    def hooks(self) -> frozenset[str]:
        """The hooks the bot implements; it is never asked for others."""

    def start(self, start: Start) -> TimedAnswer:
        """Load the bot and tell it ``start``; the answer is empty, or a fault."""

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Send an ask. ``limit`` is the maximum thinking time in seconds that :meth:`take` will allow, ``number`` the
        ask's number in the match (0: unknown), with which output printed at this ask is labelled."""

    def take(self, limit: float) -> TimedAnswer:
        """The answer to the oldest ask not taken yet, or the fault ``late`` after ``limit`` seconds of thinking."""

    def finish(self, finish: Finish) -> None:
        """Tell the bot the end; faults no longer count."""

    def close(self) -> None:
        """Release everything that the bot holds."""
