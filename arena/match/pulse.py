"""Signs of life of whoever plays a match: each says by when the next one must come.

What a match does between two of them is bounded by its limits: starting a bot, asking each seat once, telling each the
end. Whoever is silent for longer than that is stuck, through no fault of a bot: its own limits would have ended it.
"""

from __future__ import annotations

from math import inf

from arena.bot import Limits
from arena.clock import SYSTEM_CLOCK, Clock
from arena.players.watch import Deadline

SLACK_SECONDS = 120.0
"""Seconds beyond the limits until a match counts as stuck: for arena's own work, the start of a fork server, and what
bots are excused in one step on a machine too busy, of which :data:`arena.core_wait.STARVED_LIMIT` is the half."""


def longest_step(limits: Limits, seats: int) -> float:
    """Seconds that bots can make a match take between two signs of life."""
    return max(limits.start, seats * (limits.ask + limits.bank))


class LifeSignDeadline:
    """Keeps in ``due`` when the next sign of life must have come: ``inf`` while no match is played."""

    def __init__(self, due: Deadline | None = None, clock: Clock = SYSTEM_CLOCK) -> None:
        self._due = Deadline(inf) if due is None else due
        self._now = clock.now
        self._step = 0.0

    def begin(self, limits: Limits, seats: int) -> None:
        """A match of so many seats begins."""
        self._step = longest_step(limits, seats) + SLACK_SECONDS
        self.beat()

    def beat(self) -> None:
        """A sign of life: the match has come one step further."""
        self._due.value = self._now() + self._step

    def end(self) -> None:
        """The match is over: nothing is expected until the next one."""
        self._due.value = inf
