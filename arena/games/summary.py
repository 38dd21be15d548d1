"""What each seat did in a match, in few numbers and in the game's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class FigureUnit(StrEnum):
    """What a figure is in."""

    TIMES = "times"
    """How often."""

    MONEY = "money"
    """In the unit of the game."""

    SHARE = "share"
    """A part of something, 0…1."""


class SummaryFigure(NamedTuple):
    """One line of a summary: ``told`` in the game's words, which is the sum of the counts ``of``, divided by that of
    the counts ``per`` ("" for the number of matches). One that belongs to the line above it is ``below`` it."""

    told: str
    of: str
    per: str = ""
    unit: FigureUnit = FigureUnit.TIMES
    below: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """How a game sums up matches.

    ``counts`` are the names of whole numbers that are counted for each seat and may be added up over matches;
    ``count(events, players)`` gives them for one match, by seat, each in the order of ``counts``; from the game's
    events alone, and fast. ``figures`` are what people are shown of the sums.
    """

    counts: tuple[str, ...]
    figures: tuple[SummaryFigure, ...]
    count: Callable[[Iterable[Any], int], Sequence[Sequence[int]]]


def value_of(figure: SummaryFigure, sums: dict[str, int], matches: int) -> float | None:
    """The value of a figure, from the ``sums`` of the counts by name over so many matches; None where it is a mean of
    nothing."""
    of = sums[figure.per] if figure.per else matches
    return sums[figure.of] / of if of else None
