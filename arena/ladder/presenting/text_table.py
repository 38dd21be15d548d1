"""Standings of a ladder as text for the terminal, and as Markdown."""

from __future__ import annotations

from textwrap import fill

from arena.ladder.presenting.standings_cells import StandingsColumn, cells_of
from arena.ladder.presenting.words import standings_sentences
from arena.ladder.rating.standing import LadderStandings
from arena.tournament.tables.rounded_figures import TEXT_WIDTH
from arena.tournament.tables.table_text import as_written, fit_table, markdown_table, text_table, too_wide

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
"""The columns to drop from a table that is too wide, the first one first."""


def standings_text(standings: LadderStandings, columns: int) -> str:
    """Return the standings for a terminal of this many ``columns``: a table, with an empty line between tiers that are
    told apart, and its explanation. Columns that do not fit are left out, and named. The text ends in a line break."""
    whole = cells_of(standings)
    shown = fit_table(whole, columns, [(head,) for head in OPTIONAL_COLUMNS if head in whole.keys], padding=0)
    told = standings_sentences(standings, shown.keys, options=True)
    if gone := too_wide(whole, shown, "--csv and --json have all columns"):
        told.append(gone)
    below = "\n".join(fill(each, min(TEXT_WIDTH, columns), break_on_hyphens=False) for each in told)
    return f"{text_table(shown, padding=0)}\n\n{below}\n" if standings.rows else f"{below}\n"


def ladder_standings_markdown(standings: LadderStandings) -> str:
    """Return a Markdown table as GitHub shows it, with all columns, and its explanation. Ends in a line break."""
    cells = cells_of(standings, whole_names=True)
    told = [as_written(each) for each in standings_sentences(standings, cells.keys)]
    return "\n\n".join([*([markdown_table(cells, edges=True)] if cells.rows else []), *told]) + "\n"
