"""Opens the database for commands that change nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder


@contextmanager
def open_read_only(
    place: LadderFolder, name: str, season: int | None = None
) -> Iterator[tuple[sqlite3.Connection, Ladder]]:
    """Open the database of a folder for reading; yield it with the ladder of this name in this season. All reads see
    one snapshot, even while the ladder is played."""
    database = open_database(place.database, place.shown)
    try:
        database.execute("BEGIN")
        yield database, find_ladder(database, name, season)
    finally:
        database.close()


@contextmanager
def opened_whole(place: LadderFolder) -> Iterator[sqlite3.Connection]:
    """Open the database of a folder for reading, even while other processes write to it."""
    database = open_database(place.database, place.shown)
    try:
        yield database
    finally:
        database.close()
