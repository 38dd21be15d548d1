"""The page on the database of ladders tells of every table, view and column, and its queries can be run."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.ladder.database.connection import APPLICATION_ID, create_database
from tests.docs.pages import TEXT, rows, section
from tests.ladder.invented import invent

PAGE = "ladder-evidence"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A ladder of invented matches."""
    place = invent(tmp_path_factory.mktemp("ladder") / "league", rounds=2, tables=6)
    found = sqlite3.connect(f"file:{place.database}?mode=ro", uri=True)
    yield found
    found.close()


def described() -> dict[str, list[str]]:
    """The columns of each table and view that the page has, in its order."""
    names = re.findall(r"^#### `(\w+)`$", TEXT[PAGE], re.MULTILINE)
    return {name: [row[0].strip("`") for row in rows(PAGE, f"`{name}`")] for name in names}


def test_every_table_view_and_column_is_described_in_the_order_of_the_schema(database: sqlite3.Connection) -> None:
    there = {
        name: [column for _, column, *_ in database.execute(f"PRAGMA table_info({name})")]
        for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    }
    assert described() == there


def test_rows_point_to_columns_that_are_named_as_datasette_needs_it(database: sqlite3.Connection) -> None:
    found = [
        (table, column)
        for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        for _, _, _, _, column, *_ in database.execute(f"PRAGMA foreign_key_list({table})")
    ]
    assert len(found) > 15
    assert {column for _, column in found} == {"id"}


def test_what_is_said_of_the_file_is_true(tmp_path: Path) -> None:
    create_database(tmp_path / "ladder.sqlite")
    found = sqlite3.connect(tmp_path / "ladder.sqlite")
    try:
        assert found.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert found.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    finally:
        found.close()
    assert f"0x{APPLICATION_ID:X}" in TEXT[PAGE]


def test_the_example_queries_give_rows(database: sqlite3.Connection) -> None:
    queries = re.findall(r"^```sql\n(.*?)^```$", section(PAGE, "Example queries"), re.DOTALL | re.MULTILINE)
    assert len(queries) == 3
    for query in queries:
        assert database.execute(query.replace("fair:1", "haggler:1")).fetchall(), query


def test_the_views_say_what_the_tables_say(database: sqlite3.Connection) -> None:
    (result,) = database.execute("SELECT result FROM match_list WHERE match = 7").fetchone()
    seats = database.execute(
        "SELECT v.version, s.money FROM seats s JOIN version_list v ON v.id = s.version "
        "WHERE s.match = 7 ORDER BY s.seat"
    ).fetchall()
    assert result == ", ".join(f"{version} {money}" for version, money in seats)
    standings = database.execute("SELECT round, place, version, value FROM current_standings").fetchall()
    kept = database.execute(
        "SELECT 2, t.place, v.version, t.value FROM ratings t JOIN version_list v ON v.id = t.version "
        "WHERE t.round = 2 ORDER BY t.place"
    ).fetchall()
    assert standings == kept
    assert len(standings) == 7
