"""How long entrants thought when they were asked, from the timings of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol


class SeatTimes(Protocol):
    """What is needed of :class:`arena.match.work.SeatTiming`."""

    @property
    def entrant(self) -> str:
        """Who sat there."""

    @property
    def asks(self) -> int:
        """How often its bot was asked."""

    @property
    def total(self) -> float:
        """Seconds of all asks."""

    @property
    def worst(self) -> float:
        """Of the slowest."""

    @property
    def median(self) -> float:
        """Of the middle one."""

    @property
    def hooks(self) -> Mapping[str, int]:
        """Asks by hook."""

    @property
    def late(self) -> Sized:
        """The asks whose answer was late."""


@dataclass(slots=True)
class Thinking:
    """The thinking of an entrant in seconds: in how many ``matches``, of how many ``asks``, in all (``total``), the
    longest (``worst``), and the ``medians`` of its matches; how many asks were ``late``; asks by ``hooks``."""

    matches: int = 0
    asks: int = 0
    total: float = 0.0
    worst: float = 0.0
    late: int = 0
    medians: list[float] = field(default_factory=list)
    hooks: Counter[str] = field(default_factory=Counter)

    @property
    def mean(self) -> float | None:
        """Seconds an ask, in the mean over all asks."""
        return self.total / self.asks if self.asks else None

    @property
    def typical(self) -> float | None:
        """The median of the matches' medians."""
        return median(self.medians) if self.medians else None


def thinking_of(matches: Iterable[Sequence[SeatTimes]]) -> dict[str, Thinking]:
    """The thinking of each entrant that was asked at all, from the times of each match by seat. The matches must
    always come in the same order, because sums of seconds are rounded."""
    found: dict[str, Thinking] = {}
    for match in matches:
        for seat in match:
            if seat.asks:
                _add_seat(found.setdefault(seat.entrant, Thinking()), seat)
    return found


def _add_seat(to: Thinking, seat: SeatTimes) -> None:
    to.matches += 1
    to.asks += seat.asks
    to.total += seat.total
    to.worst = max(to.worst, seat.worst)
    to.late += len(seat.late)
    to.medians.append(seat.median)
    to.hooks.update(seat.hooks)
