"""Summarises what each seat did in a match, in few numbers and in the game's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class FigureUnit(StrEnum):
    """The unit of a figure."""

    TIMES = "times"
    """How often something happened."""

    MONEY = "money"
    """Money, in the unit of the game."""

    SHARE = "share"
    """A part of something, 0…1."""


class SummaryFigure(NamedTuple):
    """One line of a summary: its words (``told``), and its value: the sum of the counts ``of`` divided by the sum of
    the counts ``per`` ("": by the number of matches). ``below``: it is a detail of the line above it."""

    told: str
    of: str
    per: str = ""
    unit: FigureUnit = FigureUnit.TIMES
    below: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """How a game sums up matches.

    ``counts`` are the names of whole numbers that are counted for each seat and may be added up over matches;
    ``count(events, players)`` computes them for one match from the game's events alone, quickly: by seat, each in the
    order of ``counts``. ``figures`` are the lines made from the sums and shown to people.
    """

    counts: tuple[str, ...]
    figures: tuple[SummaryFigure, ...]
    count: Callable[[Iterable[Any], int], Sequence[Sequence[int]]]


def value_of(figure: SummaryFigure, sums: dict[str, int], matches: int) -> float | None:
    """The figure's value from ``sums``, the counts by name over ``matches`` matches; None if it divides by 0."""
    of = sums[figure.per] if figure.per else matches
    return sums[figure.of] / of if of else None
