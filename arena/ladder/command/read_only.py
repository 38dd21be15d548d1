"""The database as commands read it that change nothing."""

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
    """The database of a folder, for reading, and the ladder of this name in this season. All that is read is of one
    moment, whatever is played meanwhile."""
    database = open_database(place.database, place.shown)
    try:
        database.execute("BEGIN")
        yield database, find_ladder(database, name, season)
    finally:
        database.close()


@contextmanager
def opened_whole(place: LadderFolder) -> Iterator[sqlite3.Connection]:
    """The database of a folder, for reading what others may add to meanwhile."""
    database = open_database(place.database, place.shown)
    try:
        yield database
    finally:
        database.close()
