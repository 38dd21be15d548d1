"""Opens the database of ladders for a server, which never writes to it and never migrates it to a newer schema."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from arena.errors import ReplayError, UnsafeFile, UserError
from arena.foreign_files import check_file
from arena.ladder.database.connection import APPLICATION_ID, migration_files
from arena.ladder.database.ladder_folder import LadderFolder

SQLITE_ENDINGS = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite looks for beside a database."""
READER_SECONDS = 2.0
"""Seconds to wait for a writer, which blocks readers only for moments."""


def public_words(problem: Exception) -> str:
    """What everybody may be told of what cannot be read: no folder of the operator's, nothing that only he can do."""
    if isinstance(problem, ReplayError):
        return "the replay is missing or damaged; its operator can restore it"
    if isinstance(problem, OSError):
        reason = problem.reason if isinstance(problem, UnsafeFile) else problem.strerror or "it cannot be read"
        return f"{Path(str(problem.filename)).name}: {reason}"
    return str(problem)


@contextmanager
def read_ladder(place: LadderFolder) -> Iterator[sqlite3.Connection]:
    """Yield the database of a folder, as one snapshot. Raises UserError where it cannot be read."""
    database = _open_database(place.database)
    try:
        try:
            _check_schema(database, place)
            database.execute("BEGIN")
            yield database
        except sqlite3.Error as problem:
            raise UserError(f"{place.database.name}: {problem}") from None
    finally:
        database.close()


def _open_database(path: Path) -> sqlite3.Connection:
    """Open the database for reading. If no process has it open, it has no log, and SQLite would create two files to
    read it; so it is then opened as immutable. Reads take moments and see one snapshot."""
    for ending in ("", *SQLITE_ENDINGS):
        check_file(path.with_name(path.name + ending))
    used = path.with_name(f"{path.name}-wal").exists()
    try:
        return sqlite3.connect(
            f"file:{quote(str(path))}?mode=ro{'' if used else '&immutable=1'}",
            uri=True,
            timeout=READER_SECONDS,
            isolation_level=None,
        )
    except sqlite3.Error as problem:
        raise UserError(f"{path.name}: {problem}") from None


def _check_schema(database: sqlite3.Connection, place: LadderFolder) -> None:
    shown = place.database.name
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (have,) = database.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise UserError(f"{shown} is not a ladder's database")
    if have > len(migration_files()):
        raise UserError(f"{shown} was made by a newer arena")
    if have < len(migration_files()):
        raise UserError(f"{shown} was made by an older arena; its operator can update it with: arena ladder show")
    with suppress(sqlite3.Error):
        database.execute("PRAGMA query_only = ON")
