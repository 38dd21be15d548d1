"""Checks that the tables, indices and views of a ladder's database are those that this arena's migrations make.

A ladder may have been begun by an arena whose migrations of the same numbers differ, because they were edited in place.
That is no damage, and the message says so."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from arena.ladder.database.connection import migration_files, split_statements

Column = tuple[str, str, int, str | None, int]
"""A column: its name, type, whether it is NOT NULL, its default, and its position in the primary key (0: none)."""


EDITED = "the ladder was begun by an arena with different migrations of the same numbers"


def schema_problems(database: sqlite3.Connection, where: str, notes: list[str]) -> Iterator[str]:
    """Yield the differences of the ``database`` at ``where`` from the schema, a line each; differences in spelling
    alone are added to ``notes``."""
    have, reworded, edited = _schema(database), list[str](), False
    with closing(_fresh()) as fresh:
        expected = _schema(fresh)
        tables = [name for name, sql in expected.items() if sql.startswith("CREATE TABLE") and have.get(name) != sql]
        for name in tables:
            if told := _table_difference(_columns(database, name), _columns(fresh, name)):
                edited = True
                yield f"{where}: table {name} {told}: {EDITED}, or it was changed by hand; play on with that arena"
            else:
                reworded.append(name)
    for name, sql in expected.items():
        if have.get(name) == sql or name in tables:
            continue
        if name in have or not sql.startswith("CREATE INDEX") or not tables:
            what = "is missing" if name not in have else "differs from the schema"
            yield f"{where}: {name} {what}; restore a backup"
        else:
            reworded.append(name)
    if reworded and not edited:
        told = "are missing or worded differently than in this arena's migrations, with the same columns"
        notes.append(f"{where}: {', '.join(reworded)} {told}: {EDITED}; nothing is damaged")


def _fresh() -> sqlite3.Connection:
    """An empty database with the schema of this arena."""
    fresh = sqlite3.connect(":memory:")
    for file in migration_files():
        for statement in split_statements(file.read_text(encoding="utf-8")):
            fresh.execute(statement)
    return fresh


def _schema(database: sqlite3.Connection) -> dict[str, str]:
    return dict(database.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def _columns(database: sqlite3.Connection, table: str) -> list[Column]:
    rows = database.execute("SELECT name, type, [notnull], dflt_value, pk FROM pragma_table_info(?)", (table,))
    return rows.fetchall()


def _table_difference(here: list[Column], expected: list[Column]) -> str:
    """Say in which columns a table differs from the expected; empty where it does not."""
    if not here:
        return "is missing"
    names = {each[0] for each in here}
    if lacking := [each[0] for each in expected if each[0] not in names]:
        return f"has no column {', '.join(lacking)}"
    other = [each[0] for each in here if each not in expected]
    return f"has other columns ({', '.join(other)})" if other else ""
