"""Ratings over time: a line for each version, a point for each round, and what happened meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.ratings.rate import Basis


class HistoryAxis(StrEnum):
    """The unit of the time axis."""

    MATCHES = "matches"
    """Matches of the season that were finished."""

    DATE = "date"
    """The time when rounds were closed."""


@dataclass(frozen=True, slots=True)
class HistoryMoment:
    """The moment when a round was closed: its number, how many ``matches`` of the season were finished by then, the
    time ``at`` which it was closed, and the same in ``seconds`` since a fixed time."""

    round: int
    matches: int
    at: str
    seconds: float

    def axis_position(self, axis: HistoryAxis) -> float:
        """Return the coordinate on the axis: matches, or seconds."""
        return float(self.matches) if axis is HistoryAxis.MATCHES else self.seconds


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A version's place and rating when a round was closed; None where the value or its 95 % interval is unknown."""

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
    def rated_points(self) -> list[tuple[HistoryPoint, float]]:
        """The points that have a rating, each with the rating."""
        return [(point, point.value) for point in self.points if point.value is not None]


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """An event of a version ("": of the season): its new state or another word, and the reason."""

    at: str
    version: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class SeasonHistory:
    """The ``lines`` of a season of a ladder and its events. ``rounds`` is the number of closed rounds; ``anchor`` is
    the version with rating 0 ("": 0 is the mean of the rated versions); ``unit`` is that of money."""

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
    """Return a range that holds these values, with at most ``most`` ticks at round numbers."""
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
