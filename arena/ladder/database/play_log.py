"""When a ladder was played: each time that `play` begins, with the last round that was closed before."""

from __future__ import annotations

import sqlite3

from arena.ladder.database.ladders import utc_now


def note_play(database: sqlite3.Connection, season: int) -> None:
    """Note that playing begins, unless nothing was closed since it was noted before. To be called in a transaction."""
    closed = last_closed(database, season)
    database.execute(
        "INSERT INTO plays (season, began, after_round) SELECT ?, ?, ? "
        "WHERE NOT EXISTS (SELECT 1 FROM plays WHERE season = ? AND after_round = ?)",
        (season, utc_now(), closed, season, closed),
    )


def last_closed(database: sqlite3.Connection, season: int) -> int:
    """The number of the last round of a season that is closed; 0 before the first."""
    row = database.execute("SELECT max(number) FROM rounds WHERE season = ? AND state = 'closed'", (season,)).fetchone()
    return int(row[0] or 0)


def before_last_play(database: sqlite3.Connection, season: int) -> int:
    """The last round that was closed when that `play` began which was the last to close any; 0 where there is none."""
    row = database.execute(
        "SELECT max(after_round) FROM plays WHERE season = ? AND after_round < ?",
        (season, last_closed(database, season)),
    ).fetchone()
    return int(row[0] or 0)
