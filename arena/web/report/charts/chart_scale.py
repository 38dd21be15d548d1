"""Scales of charts: the coordinates of values, and ticks at round numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from arena.tournament.tables.rounded_figures import fixed_decimals

TICK_POWERS = range(-9, 16)


@dataclass(frozen=True, slots=True)
class ChartScale:
    """Maps values from ``low`` to ``high`` to coordinates from ``start`` to ``end``, in powers of ten where it is
    ``logarithmic``. ``ticks`` are round values on it."""

    low: float
    high: float
    start: float
    end: float
    ticks: Sequence[float]
    logarithmic: bool = False

    def coordinate(self, value: float) -> float:
        """Return the coordinate of a value; a value beyond the scale gets the coordinate of the scale's end."""
        low, high, value = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithmic:
            low, high, value = log10(low), log10(high), log10(value)
        return self.start + (self.end - self.start) * (value - low) / (high - low)

    def tick_label(self, tick: float) -> str:
        """Format a tick with as many decimals as its neighbours need."""
        if self.logarithmic or len(self.ticks) < 2:
            return f"{tick:g}"
        step = abs(self.ticks[1] - self.ticks[0])
        return fixed_decimals(tick, max(0, -floor(log10(step) + 1e-9)))


def linear_scale(values: Iterable[float], start: float, end: float, most: int = 6) -> ChartScale:
    """Return a scale that holds these values, with at most ``most`` ticks, and with a tick at each end."""
    known = list(values)
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    step = next(
        size for power in TICK_POWERS for base in (1, 2, 5) if (high - low) / (size := base * 10.0**power) <= most - 1.5
    )
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = [round(at * step, 9) + 0.0 for at in range(first, last + 1)]
    return ChartScale(ticks[0], ticks[-1], start, end, ticks)


def whole_numbers(low: int, high: int, start: float, end: float, most: int = 16) -> ChartScale:
    """Return a scale from ``low`` to ``high`` with at most ``most`` ticks, at whole numbers."""
    high = max(high, low + 1)
    step = next(size for power in range(16) for base in (1, 2, 5) if (high - low) // (size := base * 10**power) < most)
    first = -(-low // step) * step
    return ChartScale(low, high, start, end, [float(each) for each in range(first, high + 1, step)])


def log_scale(values: Iterable[float], start: float, end: float) -> ChartScale:
    """Return a logarithmic scale that holds these positive values and ends at whole powers of ten."""
    known = [each for each in values if each > 0] or [1.0]
    first, last = floor(log10(min(known)) + 1e-9), ceil(log10(max(known)) - 1e-9)
    last = max(last, first + 1)
    ticks = [10.0**power for power in range(first, last + 1)]
    return ChartScale(ticks[0], ticks[-1], start, end, ticks, logarithmic=True)
