"""The log of plays: each start of `play`, with the last round that was closed before it."""

from __future__ import annotations

import sqlite3

from arena.ladder.database.ladders import utc_now


def note_play(database: sqlite3.Connection, season: int) -> None:
    """Record that playing begins, unless no round was closed since the last record. To be called in a transaction."""
    closed = last_closed(database, season)
    database.execute(
        "INSERT INTO plays (season, began, after_round) SELECT ?, ?, ? "
        "WHERE NOT EXISTS (SELECT 1 FROM plays WHERE season = ? AND after_round = ?)",
        (season, utc_now(), closed, season, closed),
    )


def last_closed(database: sqlite3.Connection, season: int) -> int:
    """Return the number of the last closed round of a season; 0 if none is closed."""
    row = database.execute("SELECT max(number) FROM rounds WHERE season = ? AND state = 'closed'", (season,)).fetchone()
    return int(row[0] or 0)


def before_last_play(database: sqlite3.Connection, season: int) -> int:
    """Return the last round that was closed before the latest `play` that closed any round; 0 where there is none."""
    row = database.execute(
        "SELECT max(after_round) FROM plays WHERE season = ? AND after_round < ?",
        (season, last_closed(database, season)),
    ).fetchone()
    return int(row[0] or 0)
