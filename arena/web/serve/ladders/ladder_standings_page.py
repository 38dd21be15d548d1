"""The standings of a ladder on its page: immediately the ones stored when the last round was closed, and with all
columns as soon as these are computed."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import NamedTuple

from arena.ladder.database.ladder_standings import ladder_standings
from arena.ladder.database.ladders import Ladder
from arena.ladder.presenting.standings_cells import StandingsColumn, cells_of, ladder_column
from arena.ladder.presenting.words import standings_sentences
from arena.printable import printable_text
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.result_table import ResultTable
from arena.tournament.tables.rounded_figures import NO_VALUE, estimate_text

_STANDINGS_QUERY = """
  SELECT t.place, b.name || ':' || v.number, a.name, t.value, t.low, t.high, t.matches, t.blocks, e.state, e.anchor,
    e.label
  FROM rounds r JOIN ratings t ON t.round = r.id JOIN versions v ON v.id = t.version JOIN bots b ON b.id = v.bot
  JOIN authors a ON a.id = b.author JOIN entries e ON e.version = v.id AND e.ladder = ?
  WHERE r.season = ? AND r.number = ? ORDER BY t.place, v.id
"""
Key = tuple[object, ...]


class LadderTable(NamedTuple):
    """A table: its ``cells``, its explanation (``told``), and a ``key`` that changes whenever the standings may have
    changed."""

    cells: ResultTable
    told: list[str]
    key: Key


def key_of(database: sqlite3.Connection, ladder: Ladder, closed: int) -> Key:
    """Return the key of the standings after this round: a value that changes with everything they depend on."""
    row = database.execute(
        "SELECT count(*), max(id), (SELECT count(*) FROM entries WHERE ladder = ? AND state = 'active') "
        "FROM changes WHERE ladder = ?",
        (ladder.id, ladder.id),
    ).fetchone()
    return closed, ladder.season.ended, *row


def kept_table(database: sqlite3.Connection, ladder: Ladder, closed: int) -> LadderTable:
    """Return the table of the ratings that were stored after this round."""
    rating = StandingsColumn.POINTS if ladder.config.rated_by == "order" else StandingsColumn.OWN
    decimals = 0 if rating is StandingsColumn.POINTS else 1
    rows = []
    for row in database.execute(_STANDINGS_QUERY, (ladder.id, ladder.season.id, closed)):
        place, version, author, value, low, high, matches, blocks, state, anchor, label = row
        points = NO_VALUE if value is None else estimate_text(Estimate(value, low, high, blocks), decimals)
        notes = ", ".join([*(["anchor"] if anchor else []), *([state] if state != "active" else [])])
        rows.append(
            (
                str(place),
                printable_text(version),
                printable_text(author),
                points,
                str(matches),
                notes,
                printable_text(label),
            )
        )
    heads = (
        StandingsColumn.PLACE,
        StandingsColumn.VERSION,
        StandingsColumn.AUTHOR,
        rating,
        StandingsColumn.MATCHES,
        StandingsColumn.NOTES,
        StandingsColumn.LABEL,
    )
    told = ["± is half of a 95 % interval clustered by table."] if rows else []
    return LadderTable(ResultTable(tuple(map(ladder_column, heads)), rows), told, ())


def whole_table(database: sqlite3.Connection, ladder: Ladder, key: Key) -> LadderTable:
    """Return the standings with all their columns, rated anew, which takes seconds for many matches. The open round is
    not included."""
    found = ladder_standings(database, ladder)
    found = replace(found, whole=replace(found.whole, waiting=0))
    cells = cells_of(found, whole_names=True)
    return LadderTable(cells, list(standings_sentences(found, cells.keys)), key)
