"""Closes a round whose matches are all played: what follows from them is kept in the same transaction."""

from __future__ import annotations

import sqlite3

from arena.app.ladder.database import transaction
from arena.app.ladder.ladders import Ladder, now
from arena.app.ladder.ratings_kept import keep_ratings, ratings_after
from arena.app.ladder.rounds import Round
from arena.app.ladder.versions import State, entered, set_state


def close_round(database: sqlite3.Connection, ladder: Ladder, round: Round) -> list[str]:
    """Close the round, keep the ratings after it, and suspend who was put out too often; a sentence for each of these.
    Replays must be safe on disk before."""
    suspended = _to_suspend(database, ladder)
    ratings = ratings_after(database, ladder, round.number)
    with transaction(database, durable=True):
        database.execute("UPDATE rounds SET state = 'closed', ended = ? WHERE id = ?", (now(), round.id))
        keep_ratings(database, round.id, ratings)
        for version, why in suspended.items():
            set_state(database, ladder.id, version, State.SUSPENDED, why)
    names = {each.version.id: each.version.name for each in entered(database, ladder.id)}
    return [f"{names[version]}: {why}" for version, why in suspended.items()]


def _to_suspend(database: sqlite3.Connection, ladder: Ladder) -> dict[int, str]:
    """By version, why it is suspended now."""
    most = ladder.config.suspend_after
    if most is None:
        return {}
    rows = database.execute(
        "SELECT s.version, count(*), max(m.name) FROM entries e "
        "JOIN seats s ON s.version = e.version AND s.match >= e.counted_from AND s.ended <> 'played' "
        "JOIN matches m ON m.id = s.match JOIN rounds r ON r.id = m.round "
        "WHERE e.ladder = ? AND e.state = 'active' AND r.season = ? GROUP BY s.version",
        (ladder.id, ladder.season.id),
    )
    return {
        version: f"put out for its faults in {count} matches, last in {last}"
        for version, count, last in rows
        if count >= most
    }
