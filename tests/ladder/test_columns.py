"""The matches of a season as columns: every match of its rounds is read once, by the names of versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy
import pytest

from arena.config.editions import load_edition
from arena.config.ladder_config import LadderConfig
from arena.errors import UserError
from arena.ladder.database import rating_columns
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import begin_ladder
from arena.ladder.database.match_rows import finished_matches, version_names
from arena.ladder.database.rating_columns import read_season_columns
from arena.ladder.rating.meetings import met_and_tables
from arena.ratings.order_columns import MatchGroup
from arena.storage.tables.rated_columns import RatedColumns, RatedLine

ROUND = (
    "INSERT INTO rounds (id, season, number, state, first_block, first_match, matches, began) "
    "VALUES (?, ?, ?, 'closed', ?, ?, ?, '')"
)
MATCH = (
    "INSERT INTO matches (id, round, name, block, seed, termination, asks, void, replay, sha256, host, seconds, "
    "timing, played) VALUES (?, ?, ?, ?, ?, 'end roll', 9, ?, 0, '', '', 0.1, '{}', '')"
)
SEAT = "INSERT INTO seats (match, seat, version, money, rank, ended) VALUES (?, ?, ?, ?, ?, 'played')"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two ladders of three seats. Season 1 has a round of matches 1 to 4 (of which 4 was left out), season 2 one of 5
    and 6, and season 1 another of 7 and 8; match 2 is void. Bot a has two versions."""
    folder = tmp_path_factory.mktemp("ladder")
    place = LadderFolder(folder)
    for name in ("one", "two"):
        begin_ladder(place, LadderConfig(name=name, rules="eagle-gryphon"), load_edition("eagle-gryphon"), 3)
    database = open_database(place.database, place.shown, write=True)
    with write_transaction(database):
        _submit(database)
        for row in ((1, 1, 1, 0, 1, 4), (2, 2, 1, 0, 5, 2), (3, 1, 2, 2, 7, 2)):
            database.execute(ROUND, row)
        _match(database, 1, 1, 0, (1, 3, 4), (30, 20, 10))
        _match(database, 2, 1, 0, (3, 4, 1), (0, 0, 0), void=True)
        _match(database, 3, 1, 1, (4, 1, 3), (5, -7, 5))
        _match(database, 5, 2, 0, (1, 2, 3), (1, 2, 3))
        _match(database, 7, 3, 2, (2, 3, 4), (1, 2, 3))
        _match(database, 8, 3, 2, (3, 4, 2), (3, 2, 1))
    database.close()
    return folder


@pytest.fixture
def database(folder: Path) -> Iterator[sqlite3.Connection]:
    """That ladder's database, for reading."""
    place = LadderFolder(folder)
    opened = open_database(place.database, place.shown)
    yield opened
    opened.close()


def _submit(database: sqlite3.Connection) -> None:
    """Versions a:1 (1), a:2 (2), c:1 (3) and b:1 (4)."""
    database.execute("INSERT OR IGNORE INTO authors (id, name, began) VALUES (1, 'operator', '')")
    for id, name in enumerate("acb", 1):
        database.execute("INSERT INTO bots (id, name, author, began) VALUES (?, ?, 1, '')", (id, name))
    for bot, number in ((1, 1), (1, 2), (2, 1), (3, 1)):
        database.execute(
            "INSERT INTO versions (bot, number, sha256, files, options, reference, submitted) "
            "VALUES (?, ?, ?, '', '{}', '{}', '')",
            (bot, number, str(number)),
        )


def _match(
    database: sqlite3.Connection,
    id: int,
    round: int,
    block: int,
    versions: tuple[int, ...],
    money: tuple[int, ...],
    void: bool = False,
) -> None:
    database.execute(MATCH, (id, round, f"m{id}", block, f"{block:016x}", void))
    for seat, (version, own) in enumerate(zip(versions, money, strict=True)):
        database.execute(SEAT, (id, seat, version, own, 1 + sum(other > own for other in money)))


def rows(database: sqlite3.Connection, season: int, upto_round: int | None = None) -> set[tuple[object, ...]]:
    """The matches: the block, and name, money and rank by seat."""
    matches = read_season_columns(database, season, upto_round)
    (tables,) = matches.tables
    return {
        (
            block,
            tuple((matches.names[at], own, rank) for at, own, rank in zip(who, money, ranks, strict=True)),
        )
        for block, who, money, ranks in zip(
            tables.block.tolist(), tables.entrants.tolist(), tables.money.tolist(), tables.ranks.tolist(), strict=True
        )
    }


FIRST = {
    (0, (("a:1", 30, 1), ("c:1", 20, 2), ("b:1", 10, 3))),
    (1, (("b:1", 5, 1), ("a:1", -7, 3), ("c:1", 5, 1))),
}
SECOND = {
    (2, (("a:2", 1, 3), ("c:1", 2, 2), ("b:1", 3, 1))),
    (2, (("c:1", 3, 1), ("b:1", 2, 2), ("a:2", 1, 3))),
}


def test_a_season_is_read_but_for_void_matches_and_those_of_other_seasons(database: sqlite3.Connection) -> None:
    assert rows(database, 1) == FIRST | SECOND
    matches = read_season_columns(database, 1)
    assert (matches.voids, matches.blocks, matches.deals) == (1, 3, 3)
    assert matches.groups == (MatchGroup("board", "eagle-gryphon-3p", 3),)


def test_a_season_is_read_up_to_a_round(database: sqlite3.Connection) -> None:
    assert rows(database, 1, upto_round=1) == FIRST


def test_reading_in_many_parts_gives_the_same(database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_season_columns(database, 1)
    monkeypatch.setattr(rating_columns, "STRETCH_MATCHES", 1)
    parts = read_season_columns(database, 1)
    for one, other in zip(whole.tables, parts.tables, strict=True):
        for name in ("entrants", "money", "ranks", "group", "block", "deal"):
            assert numpy.array_equal(getattr(one, name), getattr(other, name))


def test_a_season_and_the_same_matches_as_lines_of_a_run_are_the_same_columns(database: sqlite3.Connection) -> None:
    whole, columns = read_season_columns(database, 1), RatedColumns()
    (group,) = whole.groups
    records = [each.record for each in finished_matches(database, "board", version_names(database), 1, 9)]
    lines = [msgspec.convert({**msgspec.to_builtins(each), "edition": group.edition}, RatedLine) for each in records]
    season = [line for record, line in zip(records, lines, strict=True) if record.id not in ("m5", "m6")]
    columns.add(season[:3], 0)
    columns.add(season[3:], 0)
    found = columns.matches()
    assert (found.names, found.groups, found.voids) == (whole.names, whole.groups, whole.voids)
    for one, other in zip(whole.tables, found.tables, strict=True):
        for name in ("entrants", "money", "ranks", "group", "block", "deal"):
            assert numpy.array_equal(getattr(one, name), getattr(other, name))


def test_a_season_without_matches_is_empty(database: sqlite3.Connection) -> None:
    assert read_season_columns(database, 1, upto_round=0).matches == 0


def test_a_season_that_is_not_there_is_refused(database: sqlite3.Connection) -> None:
    with pytest.raises(UserError, match="no season with the row 9"):
        read_season_columns(database, 9)


def test_a_match_without_a_seat_is_refused(folder: Path) -> None:
    place = LadderFolder(folder)
    database = open_database(place.database, place.shown, write=True)
    database.execute("BEGIN")
    database.execute("DELETE FROM seats WHERE match = 7 AND seat = 1")
    with pytest.raises(UserError, match="2 seats of match 7, expected 3"):
        read_season_columns(database, 1)
    database.rollback()
    database.close()


def test_a_table_counts_once_whatever_the_seats(database: sqlite3.Connection) -> None:
    met, taken = met_and_tables(read_season_columns(database, 1))
    assert taken == {"a:1": 2, "a:2": 1, "b:1": 3, "c:1": 3}
    assert met == {
        ("a:1", "b:1"): 2,
        ("a:1", "c:1"): 2,
        ("a:2", "b:1"): 1,
        ("a:2", "c:1"): 1,
        ("b:1", "c:1"): 3,
    }
