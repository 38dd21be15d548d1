"""A player whose CPU time is read with each of its answers.

Reading costs a system call for each ask, so it is done only where somebody wants to know. A bot's CPU time is that of
its process, or of the thread that calls it; what others on the machine do hardly changes it, and a bot that sleeps or
waits uses none.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from statistics import median
from time import thread_time

import msgspec

from arena.bot import Finish, Start
from arena.games.contract import Hook, View
from arena.players.player import Player, TimedAnswer

Clock = Callable[[], float | None]
"""Seconds of CPU time by now; None where the system does not tell."""


class SeatCpuTime(msgspec.Struct, frozen=True):
    """CPU time of a seat's answers in one match, in seconds: their sum, their median, the most for one of them."""

    total: float
    median: float
    worst: float


class CpuTimedPlayer:
    """Implements :class:`arena.players.player.Player` by another, whose CPU time ``clock`` tells. ``apart`` says that
    it has that clock to itself, and may work before its answer is taken."""

    def __init__(self, player: Player, clock: Clock = thread_time, apart: bool = False) -> None:
        self.player = player
        self._clock, self._apart = clock, apart
        self._before: float | None = None
        self._each: list[float] = []

    @property
    def hooks(self) -> frozenset[str]:
        """The other's."""
        return self.player.hooks

    @property
    def computed(self) -> SeatCpuTime | None:
        """What its answers took; None where there were none, or the system does not tell."""
        if not self._each:
            return None
        return SeatCpuTime(*(round(each, 6) for each in (sum(self._each), median(self._each), max(self._each))))

    def start(self, start: Start) -> TimedAnswer:
        """Tell it the start, which is not counted."""
        answered = self.player.start(start)
        self._before = self._read()
        return answered

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Ask it."""
        self.player.post(hook, view, limit, number)

    def take(self, limit: float) -> TimedAnswer:
        """Its answer."""
        before = self._before if self._apart else self._read()
        answered = self.player.take(limit)
        self._before = now = self._read()
        if before is not None and now is not None:
            self._each.append(max(0.0, now - before))
        return answered

    def finish(self, finish: Finish) -> None:
        """Tell it the end."""
        self.player.finish(finish)

    def close(self) -> None:
        """Close it."""
        self.player.close()

    def _read(self) -> float | None:
        with suppress(OSError):  # a process that has ended has no clock any more
            return self._clock()
        return None
