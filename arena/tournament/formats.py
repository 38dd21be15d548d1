"""The formats of a tournament: which tables play in each block.

A format has a file of its own. To add one, implement :class:`Format`, and give it a name in :class:`Formats` and a line
in :func:`make_format`; schedule, resuming and verification then know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from arena.tournament.gauntlet import Gauntlet
from arena.tournament.round_robin import RoundRobin


class Formats(StrEnum):
    """The formats by name."""

    ROUND_ROBIN = "round-robin"
    """Every set of entrants that fills a table."""

    GAUNTLET = "gauntlet"
    """Tables of one challenger and others of the field."""


class Format(Protocol):
    """Says which tables play in each block. A table is a tuple of entrants' indices, as many as it has seats; the seat
    orders of a schedule then seat them. Every block has equally many tables of a size, so that a match is found by its
    number alone."""

    def check(self, seats: int, label: str) -> None:
        """Raise UserError where no table of so many ``seats`` can be filled, in the edition of this ``label``."""

    def count(self, seats: int) -> int:
        """How many tables of so many seats each block has."""

    def tables(self, seats: int, block: int) -> Sequence[tuple[int, ...]]:
        """The tables of a block (from 0), each different; nothing is held of them."""


def make_format(name: Formats, entrants: int, challengers: Sequence[int] = ()) -> Format:
    """The format of this name between so many entrants; ``challengers`` are indices of entrants, for a gauntlet."""
    match name:
        case Formats.ROUND_ROBIN:
            return RoundRobin(entrants)
        case Formats.GAUNTLET:
            return Gauntlet(entrants, challengers)
