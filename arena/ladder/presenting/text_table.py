"""Standings of a ladder as text for the terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from arena.ladder.presenting.standings_cells import LEFT_COLUMNS, StandingsCells, StandingsColumn, cells_of, kept_of
from arena.ladder.presenting.words import standings_sentences
from arena.ladder.rating.standing import LadderStandings
from arena.ratings.presenting.words import name_list
from arena.tournament.standings.rounded_figures import TEXT_WIDTH
from arena.tournament.standings.standings_text import escape_markdown

OPTIONAL_COLUMNS = (
    StandingsColumn.LABEL,
    StandingsColumn.AUTHOR,
    StandingsColumn.MONEY,
    StandingsColumn.BEATEN,
    StandingsColumn.FAULTS,
    StandingsColumn.MATCHES,
    StandingsColumn.CHANGE,
    StandingsColumn.NOTES,
    StandingsColumn.LEVEL,
)
"""What is left out of a table that is too wide, the first first."""


def standings_text(standings: LadderStandings, columns: int) -> str:
    """The standings for a terminal of so many ``columns``: a table, with a line free between tiers that are told apart,
    and what it means. Columns for which there is no room are left out, and named. Ends in a line break."""
    whole = cells_of(standings)
    cells, table = whole, _table_lines(whole)
    leaving = [head for head in OPTIONAL_COLUMNS if head in whole.heads]
    while leaving and max(map(len, table)) > columns:
        out = leaving.pop(0)
        cells = kept_of(cells, [head for head in cells.heads if head is not out])
        table = _table_lines(cells)
    told = standings_sentences(standings, cells.heads, options=True)
    if gone := [head for head in whole.heads if head not in cells.heads]:
        told.append(f"Too wide for this terminal: {name_list(gone)}; --csv and --json have all.")
    below = "\n".join(fill(each, min(TEXT_WIDTH, columns), break_on_hyphens=False) for each in told)
    return "\n".join([*table, "", below, ""]) if standings.rows else f"{below}\n"


def _table_lines(cells: StandingsCells) -> list[str]:
    """The lines of the table; columns are two spaces apart."""
    if not cells.rows:
        return [""]
    heads = [head.value for head in cells.heads]
    widths = [max(map(len, column)) for column in zip(heads, *cells.rows, strict=True)]
    left = [head in LEFT_COLUMNS for head in cells.heads]

    def line(row: Sequence[str]) -> str:
        placed = zip(row, widths, left, strict=True)
        return "  ".join(cell.ljust(size) if begins else cell.rjust(size) for cell, size, begins in placed).rstrip()

    lines = [line(heads), "  ".join("-" * size for size in widths)]
    for number, row in enumerate(cells.rows):
        lines += [line(row), ""] if number in cells.ends else [line(row)]
    return lines


def ladder_standings_markdown(standings: LadderStandings) -> str:
    """A table as GitHub shows it, with all columns, and what it means. Ends in a line break."""
    cells = cells_of(standings, whole_names=True)
    told = [escape_markdown(each) for each in standings_sentences(standings, cells.heads)]
    if not cells.rows:
        return "\n\n".join(told) + "\n"
    lines = [
        _markdown_row([head.value for head in cells.heads]),
        _markdown_row([_alignment_rule(head) for head in cells.heads]),
    ]
    lines += [_markdown_row([escape_markdown(cell) for cell in row]) for row in cells.rows]
    return "\n".join(lines) + "\n\n" + "\n\n".join(told) + "\n"


def _alignment_rule(head: StandingsColumn) -> str:
    return ":---" if head in LEFT_COLUMNS else "---:"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
