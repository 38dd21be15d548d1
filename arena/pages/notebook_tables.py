"""Standings and matches in HTML, for notebooks, which show what the method ``_repr_html_`` of an object gives."""

from __future__ import annotations

from html import escape

from arena.pages.html_table import drawn_grid, grid_of
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Standings
from arena.tournament.standings.standings_tables import shown_measures, standings_rows
from arena.tournament.standings.standings_text import standings_caption
from arena.tournament.tables.result_table import ResultColumn, ResultTable

SEAT_COLUMNS = (
    ResultColumn("seat", "seat"),
    ResultColumn("entrant", "entrant", left=True),
    ResultColumn("money", "money"),
    ResultColumn("rank", "rank"),
    ResultColumn("faults", "faults", left=True),
)


def standings_notebook(standings: Standings) -> str:
    """The table of the standings, below the edition and above the caption."""
    measures = shown_measures(standings)
    return _table_html(standings_rows(standings, measures), standings.edition, standings_caption(standings, measures))


def match_notebook(record: MatchRecord) -> str:
    """The seats of a match, below its id and above how it ended."""
    faults = [", ".join(f"{count} {kind}" for kind, count in seat.faults.items()) for seat in record.seats]
    rows = [(number, seat.entrant, seat.money, seat.rank, faults[number]) for number, seat in enumerate(record.seats)]
    ended = f"{record.termination} after {record.asks:,} asks{', void' if record.void else ''}; seed {record.seed}"
    return _table_html(ResultTable(SEAT_COLUMNS, rows), record.id, ended)


def _table_html(table: ResultTable, title: str, caption: str) -> str:
    """The visible columns of the table, below a title and above a caption. All text is escaped."""
    return f"<p><b>{escape(title)}</b></p>{drawn_grid(grid_of(table))}<p>{escape(caption.strip())}</p>"
