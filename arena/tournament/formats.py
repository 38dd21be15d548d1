"""The formats of a tournament by name.

A format has a file of its own. To add one, implement :class:`arena.tournament.format.Format`, and give it a name in
:class:`Formats` and a line in :func:`make_format`; schedule, resuming and verification then know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.tournament.format import Format
from arena.tournament.gauntlet import Gauntlet
from arena.tournament.round_robin import RoundRobin


class Formats(StrEnum):
    """The formats by name."""

    ROUND_ROBIN = "round-robin"
    """Every set of entrants that fills a table."""

    GAUNTLET = "gauntlet"
    """Tables of one challenger and others of the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What formats need to know of a tournament: the number of its ``entrants``, its ``seed``, its ``blocks`` (None: as
    many as make up a cycle), and, for a gauntlet, which entrants are ``challengers``."""

    entrants: int
    seed: str = ""
    blocks: int | None = None
    challengers: tuple[int, ...] = ()


def make_format(name: Formats, contest: Contest) -> Format:
    """The format of this name for such a tournament."""
    match name:
        case Formats.ROUND_ROBIN:
            return RoundRobin(contest.entrants)
        case Formats.GAUNTLET:
            return Gauntlet(contest.entrants, contest.challengers)
