"""How long entrants take to answer asks, from the timings of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol


class SeatTimes(Protocol):
    """The part of :class:`arena.match.work.SeatTiming` that is needed here."""

    @property
    def entrant(self) -> str:
        """The entrant that sat there."""

    @property
    def asks(self) -> int:
        """The number of asks of its bot."""

    @property
    def total(self) -> float:
        """The sum of all asks, in seconds."""

    @property
    def worst(self) -> float:
        """The slowest ask, in seconds."""

    @property
    def median(self) -> float:
        """The median of its asks, in seconds."""

    @property
    def hooks(self) -> Mapping[str, int]:
        """The number of asks by hook."""

    @property
    def late(self) -> Sized:
        """The asks whose answer was late."""


@dataclass(slots=True)
class Thinking:
    """An entrant's answering times in seconds: the number of ``matches`` and of ``asks``, the ``total``, the longest
    (``worst``), and the ``medians`` of its matches; how many asks were ``late``; how many there were by ``hooks``."""

    matches: int = 0
    asks: int = 0
    total: float = 0.0
    worst: float = 0.0
    late: int = 0
    medians: list[float] = field(default_factory=list)
    hooks: Counter[str] = field(default_factory=Counter)

    @property
    def mean(self) -> float | None:
        """Mean seconds per ask, over all asks."""
        return self.total / self.asks if self.asks else None

    @property
    def median_seconds(self) -> float | None:
        """The median of the matches' medians."""
        return median(self.medians) if self.medians else None


def thinking_of(matches: Iterable[Sequence[SeatTimes]]) -> dict[str, Thinking]:
    """Return the times of each entrant that was asked at all, from the timings of each match by seat. The order of the
    matches must be reproducible, because sums of seconds are rounded."""
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
