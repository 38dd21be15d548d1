"""The SQLite database of ladders: opens it, migrates it to the newest schema, writes to it in transactions.

It is in WAL mode: any number of processes read while one writes. Its schema is public (`arena docs ladder-evidence`);
``user_version`` is the number of the last migration, ``application_id`` marks it as the database of a ladder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import ArenaError, UserError
from arena.foreign_files import check_file, open_foreign_file

APPLICATION_ID = 0x41524E41
"""Marks a SQLite file as the database of a ladder: the four letters ARNA in its header."""
OLDEST_SQLITE = (3, 37)
"""The first version of SQLite with STRICT tables."""
WRITER_SECONDS = 30.0
"""Seconds that a writer waits for another writer. Each writes briefly: a match, a submission."""
MIGRATIONS = Path(__file__).with_name("migrations")


def create_database(path: Path) -> None:
    """Create an empty database, or migrate an existing one to the newest schema. Raises UserError."""
    database = _connect(path, write=True)
    try:
        if _read_pragma(database, "application_id") != APPLICATION_ID:
            if database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                raise UserError(f"{path} is a database of another program")
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        apply_migrations(database, path)
    except sqlite3.DatabaseError as problem:
        raise _translate_error(path, problem) from None
    finally:
        database.close()


def open_database(path: Path, shown: Path, write: bool = False) -> sqlite3.Connection:
    """Open the database of the folder that messages call ``shown``; with ``write``, migrate it to the newest schema.
    Raises UserError where there is none, where it is not that of a ladder, or where a newer arena made it."""
    if not path.is_file():
        raise UserError(f"{shown} holds no ladder: {shown / path.name} is missing (begin one with: arena ladder init)")
    database = _connect(path, write)
    try:
        if _read_pragma(database, "application_id") != APPLICATION_ID:
            raise UserError(f"{shown / path.name} is not a ladder's database")
        have, newest = _read_pragma(database, "user_version"), len(migration_files())
        if have > newest:
            raise UserError(
                f"{shown / path.name} was made by a newer arena (schema {have}; this arena knows up to {newest})"
            )
        if have < newest:
            if not write:
                database.close()
                create_database(path)
                return open_database(path, shown)
            apply_migrations(database, path)
    except sqlite3.DatabaseError as problem:
        database.close()
        raise _translate_error(shown / path.name, problem) from None
    except UserError:
        database.close()
        raise
    return database


def is_ladder_database(path: Path) -> bool:
    """Whether a file begins as the database of ladders does, or was not written to yet."""
    with open_foreign_file(path) as file:
        begin = file.read(72)
    return not begin or (begin[:15] == b"SQLite format 3" and begin[68:72] == APPLICATION_ID.to_bytes(4, "big"))


def _connect(path: Path, write: bool) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise UserError(f"ladders need SQLite {oldest} or newer; this Python has {sqlite3.sqlite_version}")
    check_file(path)
    try:
        database = sqlite3.connect(path, timeout=WRITER_SECONDS, isolation_level=None)
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes is played again (see store)
        if not write:
            database.execute("PRAGMA query_only = ON")
    except sqlite3.Error as problem:
        raise _translate_error(path, problem) from None
    return database


def _translate_error(path: Path, problem: sqlite3.Error) -> ArenaError:
    if isinstance(problem, sqlite3.OperationalError) and "locked" in str(problem):
        return ArenaError(f"{path}: another process has been writing to it for {WRITER_SECONDS:g} s; try again")
    return UserError(f"{path}: {problem}")


def _read_pragma(database: sqlite3.Connection, pragma: str) -> int:
    return int(database.execute(f"PRAGMA {pragma}").fetchone()[0])


def migration_files() -> list[Path]:
    """The files of the migrations, in order; the first is number 1."""
    return sorted(MIGRATIONS.glob("*.sql"))


def apply_migrations(database: sqlite3.Connection, path: Path) -> None:
    """Apply the migrations that the database does not have yet, each in a transaction of its own."""
    for number, file in enumerate(migration_files(), 1):
        with write_transaction(database):
            have = _read_pragma(database, "user_version")
            if have < 0 or (have == 0 and database.execute("SELECT 1 FROM sqlite_schema").fetchone()):
                raise UserError(f"{path}: the number of its schema (user_version) was set to {have}; restore a backup")
            if have < number:
                for statement in split_statements(file.read_text(encoding="utf-8")):
                    database.execute(statement)
                database.execute(f"PRAGMA user_version = {number}")
    problems = database.execute("PRAGMA foreign_key_check").fetchall()
    if problems:
        raise UserError(f"{path}: {len(problems)} rows refer to missing rows; restore a backup")


def split_statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one."""
    held = ""
    for line in script.splitlines(keepends=True):
        held += line
        if sqlite3.complete_statement(held):
            yield held
            held = ""
    if held.strip():
        yield held


@contextmanager
def write_transaction(database: sqlite3.Connection, durable: bool = False) -> Iterator[None]:
    """Commit everything that is written inside, or nothing; if ``durable``, the commit survives a power cut. Other
    writers wait. Raises ArenaError where the database cannot be written: nothing is changed then."""
    if durable:
        database.execute("PRAGMA synchronous = FULL")
    try:
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
            database.commit()
        except BaseException:
            database.rollback()
            raise
    except sqlite3.OperationalError as problem:  # a full disk, another writer that does not end
        (_, _, path) = database.execute("PRAGMA database_list").fetchone()
        raise ArenaError(f"{path}: {problem}; nothing was changed") from None
    finally:
        if durable:
            database.execute("PRAGMA synchronous = NORMAL")
