"""Ratings over time: a line for each version, a point for each round, and what happened meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.ratings.rate import Basis


class HistoryAxis(StrEnum):
    """What time is measured in."""

    MATCHES = "matches"
    """Matches of the season that were finished."""

    DATE = "date"
    """When rounds were closed."""


@dataclass(frozen=True, slots=True)
class HistoryMoment:
    """When a round was closed: its number, so many ``matches`` of the season were finished then, and ``at`` which
    time, which is so many ``seconds`` after some other."""

    round: int
    matches: int
    at: str
    seconds: float

    def on(self, axis: HistoryAxis) -> float:
        """Where it is on the axis: matches, or seconds."""
        return float(self.matches) if axis is HistoryAxis.MATCHES else self.seconds


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """How a version stood when a round was closed; None where the value or its 95 % interval is unknown."""

    when: HistoryMoment
    place: int
    tier: int
    value: float | None
    low: float | None
    high: float | None
    matches: int
    blocks: int


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """The points of a version, the first round first."""

    version: str
    bot: str
    author: str
    points: tuple[HistoryPoint, ...]

    @property
    def rated(self) -> list[tuple[HistoryPoint, float]]:
        """The points that have a value, with it."""
        return [(point, point.value) for point in self.points if point.value is not None]


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """What happened to a version ("": to the season): its new state or another word, and why."""

    at: str
    version: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class SeasonHistory:
    """The ``lines`` of a season of a ladder and what happened in it. ``rounds`` are closed; ``anchor`` has 0 ("": 0 is
    the mean of those who were rated); ``unit`` is that of money."""

    ladder: str
    season: int
    rated_by: Basis
    anchor: str
    unit: str
    rounds: int
    lines: tuple[HistoryLine, ...]
    events: tuple[HistoryEvent, ...]

    @property
    def measure(self) -> str:
        """What the values are, in words."""
        what = "points" if self.rated_by is Basis.ORDER else f"money a match ({self.unit})"
        return f"{what} relative to {self.anchor or 'the mean'}"


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The values that a picture shows, from ``low`` to ``high``, and the ``ticks`` between."""

    low: float
    high: float
    ticks: tuple[float, ...]


def range_of(values: Sequence[float], most: int = 6) -> ValueRange:
    """A range that holds these values, with at most so many ticks at round numbers."""
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    step = next(
        size for power in range(-6, 12) for base in (1, 2, 5) if (high - low) / (size := base * 10.0**power) <= most - 1
    )
    first, last = int(low // step), -int(-high // step)
    ticks = tuple(round(step * at, 9) + 0.0 for at in range(first, last + 1))
    return ValueRange(ticks[0], ticks[-1], ticks)


def history_data(history: SeasonHistory) -> dict[str, object]:
    """The history, ready for JSON; unknown values are null."""
    return {
        "ladder": history.ladder,
        "season": history.season,
        "rated_by": history.rated_by.value,
        "anchor": history.anchor or None,
        "unit": history.unit,
        "rounds": history.rounds,
        "versions": [
            {
                "version": line.version,
                "bot": line.bot,
                "author": line.author,
                "points": [_point_data(point) for point in line.points],
            }
            for line in history.lines
        ],
        "events": [
            {"at": each.at, "version": each.version or None, "what": each.what, "why": each.why}
            for each in history.events
        ],
    }


def _point_data(point: HistoryPoint) -> dict[str, object]:
    return {
        "round": point.when.round,
        "season_matches": point.when.matches,
        "closed": point.when.at,
        "place": point.place,
        "tier": point.tier,
        "value": point.value,
        "low": point.low,
        "high": point.high,
        "matches": point.matches,
        "blocks": point.blocks,
    }
