"""The options that are tuned: numbers in a range, and values of a list; each value has a place from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import exp, floor, log, log10

Scalar = str | int | float | bool
OptionValues = dict[str, Scalar]
"""Values by the name of their option."""

FLOAT_DIGITS = 3
"""How many decimal digits of its range a number has: 0.5:1.5 is tried in steps of 0.001."""
LOG_DIGITS = 4
"""How many significant digits a number on a logarithmic scale has."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Numbers from ``low`` to ``high``: multiples of the ``step`` above ``low``, or any where that is 0. ``whole``
    numbers are integers. With ``log`` equal factors are equally far from each other."""

    name: str
    low: Decimal
    high: Decimal
    step: Decimal = Decimal(0)
    whole: bool = False
    log: bool = False

    @property
    def grain(self) -> float:
        """How far a place has to move at least so that the value always changes: half of a step, on a logarithmic scale
        that of the lowest values, where it is longest."""
        if not self.step:
            return 0.0
        if not self.log:
            return float(self.step / (self.high - self.low)) / 2
        return log(float((self.low + self.step) / self.low)) / log(float(self.high / self.low)) / 2

    def value_at(self, place: float) -> Scalar:
        """The value nearest to this place."""
        low, high = float(self.low), float(self.high)
        at = low * exp(place * log(high / low)) if self.log else low + place * (high - low)
        if self.step:
            steps = min(floor((at - low) / float(self.step) + 0.5), int((self.high - self.low) / self.step))
            found = self.low + steps * self.step
        elif place <= 0 or place >= 1:
            found = self.low if place <= 0 else self.high
        else:
            size = floor(log10(at if self.log else high - low)) + 1
            digits = (LOG_DIGITS if self.log else FLOAT_DIGITS + 1) - size
            found = min(max(Decimal(repr(round(at, digits))), self.low), self.high)
        return int(found) if self.whole else float(found)

    def place_of(self, value: Scalar) -> float:
        """The place of a value; 0 or 1 for one outside the range, the middle for one that is no number."""
        if isinstance(value, str):
            return 0.5
        low, high, at = float(self.low), float(self.high), float(value)
        if at <= low:
            return 0.0
        return min(1.0, log(at / low) / log(high / low) if self.log else (at - low) / (high - low))

    def __str__(self) -> str:
        middle = f":{self.step}" if (self.step and not self.whole) or self.step > 1 else ""
        return f"{self.low}:{self.high}{middle}{':log' if self.log else ''}"


@dataclass(frozen=True, slots=True)
class NamedValues:
    """The ``values`` of a list, which have no order; the places 0 to 1 are divided evenly among them."""

    name: str
    values: tuple[Scalar, ...]

    def value_at(self, place: float) -> Scalar:
        """The value to which this place belongs."""
        return self.values[min(int(place * len(self.values)), len(self.values) - 1)]

    def place_of(self, value: Scalar) -> float:
        """The middle of the places of a value; that of the first one for a value that is not in the list."""
        told = [(type(each), each) for each in self.values]
        at = told.index((type(value), value)) if (type(value), value) in told else 0
        return (at + 0.5) / len(self.values)

    def __str__(self) -> str:
        return ",".join(str(value).lower() if isinstance(value, bool) else str(value) for value in self.values)


OptionRange = NumberRange | NamedValues


@dataclass(frozen=True, slots=True)
class OptionSpace:
    """All options that are tuned together, in their order on the command line."""

    ranges: tuple[OptionRange, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the options."""
        return tuple(each.name for each in self.ranges)

    def values_at(self, places: Sequence[float]) -> OptionValues:
        """The values at these places, one place for each option."""
        return {each.name: each.value_at(place) for each, place in zip(self.ranges, places, strict=True)}

    def places_of(self, values: Mapping[str, Scalar]) -> list[float]:
        """The places of these values. An option without a value is in the middle of its range; a list of values begins
        with its first."""
        return [
            each.place_of(values[each.name])
            if each.name in values
            else (0.5 if isinstance(each, NumberRange) else each.place_of(each.values[0]))
            for each in self.ranges
        ]
