"""A player whose CPU time is measured for each answer.

Reading the clock costs a system call for each ask, so this player is used only on request. A bot's CPU time is that of
its process, or of the thread that calls it; other load on the machine hardly changes it, and a bot that sleeps or waits
uses none.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from statistics import median
from time import thread_time

import msgspec

from arena.bot import Finish, Start
from arena.games.contract import Hook, View
from arena.players.player import Player, TimedAnswer, thinks_last

Clock = Callable[[], float | None]
"""Returns the CPU time used so far, in seconds; None where the system does not tell."""


class SeatCpuTime(msgspec.Struct, frozen=True):
    """The CPU time of a seat's answers in one match, in seconds: sum, median and maximum."""

    total: float
    median: float
    worst: float


class CpuTimedPlayer:
    """Implements :class:`arena.players.player.Player` by delegating to another player, whose CPU time ``clock`` reads.
    ``apart`` says that the clock measures this player alone, which may work before its answer is taken."""

    def __init__(self, player: Player, clock: Clock = thread_time, apart: bool = False) -> None:
        self.player = player
        self._clock, self._apart = clock, apart
        self._before: float | None = None
        self._each: list[float] = []

    @property
    def thinks_last(self) -> bool:
        """Whether the answers of the other player are taken last."""
        return thinks_last(self.player)

    @property
    def hooks(self) -> frozenset[str]:
        """The hooks of the other player."""
        return self.player.hooks

    @property
    def cpu_time(self) -> SeatCpuTime | None:
        """The CPU time of the answers; None where there were none, or the system does not tell."""
        if not self._each:
            return None
        return SeatCpuTime(*(round(each, 6) for each in (sum(self._each), median(self._each), max(self._each))))

    def start(self, start: Start) -> TimedAnswer:
        """Tell the other player the start, which is not counted."""
        answered = self.player.start(start)
        self._before = self._read()
        return answered

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Ask the other player."""
        self.player.post(hook, view, limit, number)

    def take(self, limit: float) -> TimedAnswer:
        """The other player's answer, with its CPU time counted."""
        before = self._before if self._apart else self._read()
        answered = self.player.take(limit)
        self._before = now = self._read()
        if before is not None and now is not None:
            self._each.append(max(0.0, now - before))
        return answered

    def finish(self, finish: Finish) -> None:
        """Tell the other player the end."""
        self.player.finish(finish)

    def close(self) -> None:
        """Close the other player."""
        self.player.close()

    def _read(self) -> float | None:
        with suppress(OSError):  # a process that has ended has no clock any more
            return self._clock()
        return None
