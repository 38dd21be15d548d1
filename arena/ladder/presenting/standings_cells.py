"""The cells of standings as text for people, in the terminal, in Markdown and in HTML."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from arena.drawing.measure import shorten_middle
from arena.ladder.rating.standing import LadderStandings, StandingChange, StandingsBasis, VersionStanding
from arena.printable import printable_text
from arena.ratings.rate import Basis
from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.tournament.tables.rounded_figures import NO_VALUE, estimate_text, fixed_decimals

NAME_LETTERS, AUTHOR_LETTERS = 30, 18
"""Longest names in a table, in letters; of longer ones the middle is left out."""
ACTIVE_STATE = "active"


class StandingsColumn(StrEnum):
    """The columns of the table of standings."""

    PLACE = "#"
    VERSION = "version"
    AUTHOR = "author"
    POINTS = "points"
    OWN = "own"
    CHANGE = "change"
    LEVEL = "level"
    BEATEN = "beaten"
    MONEY = "money"
    MATCHES = "matches"
    FAULTS = "faults"
    NOTES = "notes"
    LABEL = "label"


LEFT_COLUMNS = (StandingsColumn.VERSION, StandingsColumn.AUTHOR, StandingsColumn.NOTES, StandingsColumn.LABEL)
"""The left-aligned columns."""


def cells_of(standings: LadderStandings, whole_names: bool = False) -> ResultTable:
    """Return the table with all its columns, except those that are empty in every row. Long names are shortened unless
    ``whole_names``. A group ends after the last row of a tier of several versions, or before such a tier: the versions
    above are told apart from all below."""
    whole = standings.whole
    rating = StandingsColumn.POINTS if whole.rated_by is Basis.ORDER else StandingsColumn.OWN
    makers: dict[StandingsColumn, Callable[[VersionStanding], str]] = {
        StandingsColumn.PLACE: lambda row: str(row.place),
        StandingsColumn.VERSION: lambda row: _name_cell(row.version, NAME_LETTERS, whole_names),
        StandingsColumn.AUTHOR: lambda row: _name_cell(row.author, AUTHOR_LETTERS, whole_names),
        rating: lambda row: rating_cell(row, whole),
        StandingsColumn.CHANGE: lambda row: change_cell(row, whole),
        StandingsColumn.LEVEL: lambda row: (
            "" if row.alike is None or row.alike[0] == row.alike[1] else "–".join(map(str, row.alike))
        ),
        StandingsColumn.BEATEN: lambda row: estimate_text(row.beaten, 1, True),
        StandingsColumn.MONEY: lambda row: estimate_text(row.money, 1),
        StandingsColumn.MATCHES: lambda row: str(row.matches),
        StandingsColumn.FAULTS: faults_cell,
        StandingsColumn.NOTES: lambda row: ", ".join(notes_of(row, whole)),
        StandingsColumn.LABEL: lambda row: printable_text(row.label),
    }
    kept = [head for head, make in makers.items() if any(map(make, standings.rows))]
    rows = [[makers[head](row) for head in kept] for row in standings.rows]
    return ResultTable(tuple(map(ladder_column, kept)), rows, _group_ends(standings))


def ladder_column(head: StandingsColumn) -> ResultColumn:
    """Return the column with this heading, which is also its key."""
    return ResultColumn(head, head, left=head in LEFT_COLUMNS)


def rating_decimals(rated_by: str) -> int:
    """Return how many decimals ratings have: points none, money one."""
    return 0 if Basis(rated_by) is Basis.ORDER else 1


def rating_cell(row: VersionStanding, whole: StandingsBasis) -> str:
    """The rating with half of its interval."""
    return estimate_text(row.rating, rating_decimals(whole.rated_by))


def change_cell(row: VersionStanding, whole: StandingsBasis) -> str:
    """By how much the rating has changed, and how many places the version has risen (▲) or fallen (▼)."""
    if row.change is None:
        return ""
    if row.change.is_new:
        return "new"
    return " ".join(filter(None, (_signed_change(row, row.change, whole), _places_cell(row, row.change))))


def _signed_change(row: VersionStanding, change: StandingChange, whole: StandingsBasis) -> str:
    if change.value is None or row.rating.mean is None:
        return NO_VALUE
    told = fixed_decimals(row.rating.mean - change.value, rating_decimals(whole.rated_by))
    return told if told.startswith("-") or not float(told) else f"+{told}"


def _places_cell(row: VersionStanding, change: StandingChange) -> str:
    risen = (change.place or row.place) - row.place
    return f"▲{risen}" if risen > 0 else f"▼{-risen}" if risen < 0 else ""


def faults_cell(row: VersionStanding) -> str:
    """Return the number of faults, and of matches in which it was put out for them; empty where there are none."""
    if not row.faults.count and not row.faults.put_out:
        return ""
    return f"{row.faults.count} ({row.faults.put_out} out)" if row.faults.put_out else str(row.faults.count)


def notes_of(row: VersionStanding, whole: StandingsBasis) -> list[str]:
    """Return the notes on a version, one by one."""
    notes = []
    if row.anchor:
        notes.append("anchor")
    if row.state != ACTIVE_STATE:
        notes.append(row.state)
    if row.new:
        notes.append("new" if whole.without else f"new: {row.blocks} of {whole.newcomer} tables")
    if row.unrated is not None:
        notes.append(row.unrated)
    return notes


def _name_cell(name: str, letters: int, whole: bool) -> str:
    return printable_text(name) if whole else shorten_middle(printable_text(name), letters)


def _group_ends(standings: LadderStandings) -> tuple[int, ...]:
    groups = standings.groups
    last = len(standings.rows)
    several = {place for first, end in groups for place in range(first, end + 1)}
    return tuple(
        place - 1
        for place in range(1, last)
        if not any(first <= place < end for first, end in groups) and (place in several or place + 1 in several)
    )
