"""The formats of a tournament by name.

A format has a file of its own. To add one, implement :class:`arena.tournament.formats.format.Format`, and give it a
name in :class:`Formats` and a line in :func:`make_format`; schedule, resuming and verification then know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.tournament.formats.format import Format
from arena.tournament.formats.gauntlet_format import GauntletFormat
from arena.tournament.formats.knockout import Knockout
from arena.tournament.formats.list_format import ListFormat, ListTable
from arena.tournament.formats.mixtures_format import MixturesFormat
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.spread_tables.spread import SpreadFormat
from arena.tournament.formats.swiss import Swiss
from arena.tournament.formats.team_tables.teams import Teams, no_teams


class Formats(StrEnum):
    """The formats by name."""

    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody equally often."""

    GAUNTLET = "gauntlet"
    """Tables of one challenger and opponents from the field."""

    SWISS = "swiss"
    """Tables of entrants with similar results so far, round after round."""

    KNOCKOUT = "knockout"
    """Tables of the entrants who are still in: the best half of each table goes on."""

    LIST = "list"
    """The tables of a list."""

    MIXTURES = "mixtures"
    """Every mixture of bots that fills a table, copies of a bot too."""


LOOK_BACK = (Formats.SWISS, Formats.KNOCKOUT)
"""Formats whose tables follow from earlier results."""


class RoundRobinTables(StrEnum):
    """Which tables of a round robin play in a block."""

    SPREAD = "spread"
    """The fewest tables in which every entrant sits equally often."""

    ALL = "all"
    """Every set of entrants that fills a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What a format needs to know about a tournament: the number of its ``entrants``, their ``teams`` (None: there are
    none) and its ``seed``; for some formats also which ``tables`` play, which entrants are ``challengers``, the number
    of ``rounds``, the ``listed`` tables, or how many ``copies`` of each bot are entered."""

    entrants: int
    seed: str = ""
    challengers: tuple[int, ...] = ()
    tables: RoundRobinTables = RoundRobinTables.ALL
    teams: Teams | None = None
    rounds: int = 1
    listed: tuple[ListTable, ...] = ()
    copies: int = 1


def make_format(name: Formats, contest: Contest) -> Format:
    """The format of this name for such a tournament."""
    match name:
        case Formats.ROUND_ROBIN if contest.tables is RoundRobinTables.SPREAD:
            return SpreadFormat(contest.entrants, contest.teams)
        case Formats.ROUND_ROBIN:
            return RoundRobin(contest.entrants, contest.teams)
        case Formats.GAUNTLET:
            return GauntletFormat(contest.entrants, contest.challengers, contest.teams)
        case Formats.SWISS:
            return Swiss(contest.teams or no_teams(contest.entrants), contest.seed, contest.rounds)
        case Formats.KNOCKOUT:
            return Knockout(contest.teams or no_teams(contest.entrants), contest.seed)
        case Formats.LIST:
            return ListFormat(contest.listed)
        case Formats.MIXTURES:
            return MixturesFormat(contest.entrants, contest.copies)
