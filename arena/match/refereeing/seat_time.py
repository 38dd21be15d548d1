"""The time that the bot in a seat took, and the evidence of its late answers."""

from __future__ import annotations

import msgspec


class LateAsk(msgspec.Struct, frozen=True):
    """The evidence of a fault ``late`` or ``overtime``: the number of the ask (0: the start), its hook, the ``seconds``
    charged to the bot, how many of these it ``computed`` (CPU time; None where the system does not tell), and what it
    was allowed: the ``limit`` of the ask, the rest of its ``bank``, and of its total time for the ``match`` (None where
    there is no limit)."""

    ask: int
    hook: str
    seconds: float
    computed: float | None
    limit: float
    bank: float
    match: float | None

    @property
    def of_match(self) -> bool:
        """Whether the bot was late because its total time for the match was used up."""
        return self.match is not None and self.match <= self.limit + self.bank


class SeatTime(msgspec.Struct):
    """The thinking time of one seat, in seconds: the number of asks put to its bot, their sum, the slowest, each of
    them; its start; and the late ones."""

    asks: int = 0
    total: float = 0.0
    worst: float = 0.0
    each: list[float] = []
    start: float = 0.0
    late: list[LateAsk] = []

    def add(self, seconds: float) -> None:
        """Add the time of one ask."""
        self.asks += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)
        self.each.append(seconds)
