"""Signs of life of a process that plays a match: each one sets the time by which the next must come.

The limits of a match bound what it does between two signs: start a bot, ask each seat once, tell each the end. A
process that is silent for longer is stuck, and no bot is to blame: the bots' limits would have ended a slow bot.
"""

from __future__ import annotations

from math import inf

from arena.bot import Limits
from arena.clock import SYSTEM_CLOCK, Clock
from arena.players.watch import Deadline

SLACK_SECONDS = 120.0
"""Seconds beyond the limits after which a match counts as stuck: for arena's own work, the start of a fork server, and
the time that bots are excused for in one step on an overloaded machine;
:data:`arena.system.core_wait.STARVED_LIMIT` is half of it."""


def longest_step(limits: Limits, seats: int) -> float:
    """The maximum time in seconds that bots can take between two signs of life."""
    return max(limits.start, seats * (limits.ask + limits.bank))


class LifeSignDeadline:
    """Keeps in ``due`` the time by which the next sign of life must come: ``inf`` while no match is played."""

    def __init__(self, due: Deadline | None = None, clock: Clock = SYSTEM_CLOCK) -> None:
        self._due = Deadline(inf) if due is None else due
        self._now = clock.now
        self._step = 0.0

    def begin(self, limits: Limits, seats: int) -> None:
        """Begin a match with this many seats."""
        self._step = longest_step(limits, seats) + SLACK_SECONDS
        self.sign_life()

    def sign_life(self) -> None:
        """Give a sign of life: the match has come one step further."""
        self._due.value = self._now() + self._step

    def end(self) -> None:
        """End the match: no sign of life is expected until the next one."""
        self._due.value = inf
