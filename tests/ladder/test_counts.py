"""What a game counts stands in a ladder's rows, in those of a database that was made before too, from then on."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from msgspec import UnsetType

from arena.games import load_game
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.database.match_rows import finished_matches, version_names
from arena.match.match_counts import counts_in
from arena.storage.packs.replay_packs import KeptReplays
from tests.conftest import Arena


def rows(league: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(league / "ladder.sqlite")) as database:
        return database.execute(query).fetchall()


def change(league: Path, *statements: str) -> None:
    with closing(sqlite3.connect(league / "ladder.sqlite", isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def test_the_counts_of_a_seat_are_those_of_its_replay(league: Path) -> None:
    place = LadderFolder(league)
    replays = KeptReplays(league / "seasons" / "tiny.1")
    with closing(open_database(place.database, league)) as database:
        ladder = find_ladder(database, "")
        found = list(finished_matches(database, ladder.edition.game, version_names(database), 1, 1000))
    assert len(found) > 20
    for each in found[:3]:
        replay = replays.get(each.record.id)
        assert replay is not None
        assert each.record.counts == counts_in(replay)
    summary = load_game("board").summary
    assert summary is not None
    (text,) = rows(league, "SELECT counts FROM seats LIMIT 1")[0]
    assert tuple(json.loads(str(text))) == summary.counts
    ((mean,),) = rows(league, "SELECT avg(json_extract(counts, '$.opened')) FROM seats")
    opened = [each.record.counts["opened"] for each in found if not isinstance(each.record.counts, UnsetType)]
    assert mean == sum(map(sum, opened)) / (2 * len(found))


def test_wrong_counts_are_told(arena: Arena, league: Path) -> None:
    change(league, "UPDATE seats SET counts = json_set(counts, '$.opened', 99) WHERE match = 1 AND seat = 0")
    ran = arena("ladder", "check", "league")
    assert ran.code == 3
    assert "has a replay with other counts: counts.opened is [99," in ran.out
    change(league, """UPDATE seats SET counts = '{"opened": "many"}' WHERE match = 1 AND seat = 0""")
    assert "its counts" in arena("ladder", "check", "league").out


def test_a_ladder_that_was_played_before_there_were_counts_goes_on(arena: Arena, league: Path) -> None:
    before = len(rows(league, "SELECT 1 FROM seats"))
    change(
        league,
        "DROP VIEW match_conditions",
        "UPDATE matches SET round_play = NULL",
        "ALTER TABLE matches DROP COLUMN round_play",
        "DROP TABLE round_plays",
        "DROP TABLE promotions",
        "DROP TABLE hand_overs",
        "DROP TABLE uploads",
        "DROP TABLE quarantines",
        "DROP TABLE suspicions",
        "DROP TABLE model_spending",
        "ALTER TABLE seats DROP COLUMN counts",
        "PRAGMA user_version = 2",
    )
    assert arena("ladder", "play", "league", "--trust", "--rounds", 1, "-q", "-j", 1).code == 0
    assert arena("ladder", "check", "league").code == 0
    assert len(rows(league, "SELECT 1 FROM seats WHERE counts IS NULL")) == before
    assert rows(league, "SELECT 1 FROM seats WHERE counts IS NOT NULL")
