"""The summary of a ladder's play."""

from __future__ import annotations

import sqlite3

import msgspec

from arena.executors.executor import UnplayedMatch
from arena.ladder.rating.settled_pairs import SettledCounts


class PlayResult(msgspec.Struct):
    """The summary of one play: the ladder and its season, ``matches`` finished and ``rounds`` closed, ``faults`` in
    these matches, and the ``seconds`` it took.

    ``left_out``: matches that were not begun because a version at the table no longer plays. ``unplayed``: matches that
    were given up after the allowed number of failed attempts. ``suspended``: a sentence for each suspended version.
    ``suspicions``: a sentence for each pair that was found to answer alike, or to give each other unusually much.
    ``open``: whether the last round is still open. ``pairs``: how many pairs of active versions were settled when the
    last round was closed (None: no round is closed). ``why``: the reason why play ended early ("": a limit was
    reached), with the command's ``exit_code``."""

    ladder: str
    season: int
    matches: int = 0
    rounds: int = 0
    left_out: int = 0
    faults: int = 0
    seconds: float = 0.0
    unplayed: list[UnplayedMatch] = []
    suspended: list[str] = []
    suspicions: list[str] = []
    open: bool = False
    pairs: SettledCounts | None = None
    why: str = ""
    exit_code: int = 0


def pairs_after(database: sqlite3.Connection, season: int) -> SettledCounts | None:
    """How many pairs were settled when the last round of a season was closed."""
    row = database.execute(
        "SELECT json_extract(told, '$.pairs') FROM rounds WHERE season = ? AND state = 'closed' "
        "ORDER BY number DESC LIMIT 1",
        (season,),
    ).fetchone()
    return None if row is None or row[0] is None else msgspec.json.decode(row[0], type=SettledCounts)
