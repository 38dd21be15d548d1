"""``arena ladder check`` finds whatever is lost or changed in a folder of ladders, and nothing where all is whole."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable
from hashlib import sha256
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from arena.finding.files import BotFile, digest_of
from arena.finding.reference import refer_file
from arena.ladder.database.connection import migration_files, open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.entry.admission_rows import NewVersion, admit_version
from arena.ladder.integrity import check_ladder
from arena.ladder.integrity.check_schema import schema_problems
from arena.ladder.play.play_ladder import hold_play_lock
from arena.replay.frame import pack_replay
from arena.storage.packs.pack import index_path
from arena.storage.packs.pack_writer import PackWriter
from tests.conftest import HEAD, Arena
from tests.ladder.conftest import LABEL


def test_a_ladder_that_is_whole_has_no_problem_also_while_it_plays(arena: Arena, league: Path) -> None:
    with hold_play_lock(LadderFolder(league)):
        ran = arena("ladder", "check", "league", "--deep", 3)
    counted = "4 versions, 3 rounds, 29 matches, 29 replays, 3 verified by the rules; no problem found"
    assert (ran.code, ran.out) == (0, f"league: {counted}\n")
    assert arena("ladder", "check", "league", "-q") == (0, "", "")


def sql(*statements: str) -> Callable[[Path], None]:
    """Changes the database by some statements, as somebody would with the tool of SQLite."""

    def change(league: Path) -> None:
        database = sqlite3.connect(league / "ladder.sqlite", isolation_level=None)
        for statement in statements:
            database.execute(statement)
        database.close()

    return change


def spoil_file(league: Path) -> None:
    path = next((league / "versions").rglob("first.py"))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b"[0]", b"[1]"))


def lose_secrets(league: Path) -> None:
    (league / "secrets.json").unlink()


def other_secret(league: Path) -> None:
    (league / "secrets.json").write_text(json.dumps({"tiny.1": "0" * 32}))


def no_seeds(league: Path) -> None:
    (league / "secrets.json").write_text("[]")


def packs(league: Path) -> Path:
    return league / "seasons" / "tiny.1" / "replays" / "0000.zst"


def lose_packs(league: Path) -> None:
    packs(league).unlink()
    index_path(packs(league)).unlink()


def cut_pack(league: Path) -> None:
    os.truncate(packs(league), packs(league).stat().st_size - 100)


def spoil_pack(league: Path) -> None:
    content = bytearray(packs(league).read_bytes())
    content[len(content) // 2] ^= 0xFF
    packs(league).write_bytes(content)


def stranger(league: Path) -> None:
    writer = PackWriter(packs(league).parent)
    writer.add(f"{LABEL}/b0900/0-1", pack_replay(b'{"event":"match","id":"x"}\n'))
    writer.close()


def replay_of_another(league: Path) -> None:
    """The replay of match 1 once more, under the name of match 2: a pack's later frame counts."""
    database = sqlite3.connect(league / "ladder.sqlite")
    (one,), (two,) = database.execute("SELECT name FROM matches WHERE id < 3 ORDER BY id").fetchall()
    database.close()
    from arena.storage.packs.replay_packs import KeptReplays

    replay = KeptReplays(packs(league).parents[1]).get(one)
    assert replay is not None
    writer = PackWriter(packs(league).parent)
    writer.add(two, pack_replay(replay.replace(one.encode(), two.encode(), 1)))
    writer.close()


Change = Callable[[Path], None]
CHANGES: tuple[dict[Change, list[str]], ...] = (
    {
        sql("DELETE FROM bots WHERE name = 'first'"): [r"row 3 of versions refers to a missing row of bots"],
        sql("DROP INDEX seats_version"): [r"seats_version is missing"],
        sql("CREATE TRIGGER sly AFTER INSERT ON seats BEGIN UPDATE seats SET money = 0; END"): [
            r"there is a trigger sly, which may change written data"
        ],
    },
    {
        spoil_file: [r"these are not the files of first:1 that were submitted; restore a backup"],
        lose_secrets: [r"secrets.json: the seed of tiny.1 is missing.*--no-secrets"],
        sql("UPDATE rounds SET facts = json_set(facts, '$.entrants.\"first:1\".sha256', 'x') WHERE number = 2"): [
            r"do not have the digest in",
            r"the bot of first:1 is not the version",
            r"a replay that is not of this round: seats",
        ],
        sql("UPDATE rounds SET matches = 13 WHERE number = 2"): [r"round 2 .* has 13 matches, its 6 tables make 12"],
        sql("UPDATE rounds SET first_block = 7 WHERE number = 2"): [r"round 2 .* does not follow round 1"],
        sql("UPDATE rounds SET state = 'open' WHERE number = 1"): [r"round 1 .* is open, but another was begun"],
    },
    {
        sql("UPDATE versions SET options = '{}', sha256 = 'x' WHERE id = 3"): [
            r"first:1: its files, options or class do not have the right digest"
        ],
        no_seeds: [r"secrets.json cannot be read: expected seeds by season; restore it from a backup"],
        sql("UPDATE rounds SET state = 'closed' WHERE number = 3"): [
            r"round 3 .* is closed with 12 matches, but 5 are finished and 0 left out"
        ],
        sql(
            "UPDATE matches SET seed = 'x' WHERE id = 7",
            "UPDATE matches SET block = 9 WHERE id = 8",
            "UPDATE matches SET sha256 = 'x' WHERE id = 9",
            "UPDATE seats SET money = 99 WHERE match = 10",
            "UPDATE seats SET version = CASE version WHEN 1 THEN 2 ELSE 1 END WHERE match = 11",
            "UPDATE matches SET replay = 0 WHERE id = 12",
        ): [
            r"match 7 .* has seed x, expected",
            r"match 7 .*: seed is",
            r"match 8 .* has block 9, expected 3",
            r"match 8 .* block is 9 here",
            r"match 9 .* another result: sha256 is \"x\" here",
            r"match 10 .* another result: money of seat 0 is 99 here",
            r"match 11 .* has entrants .*, expected",
            r"match 11 .* another result: entrant of seat 0",
            r"match 12 .* has no replay, though",
            r"the packs have a",
        ],
        cut_pack: [r"match 29 .* has a damaged replay: .* ends before the replay"],
        sql("UPDATE rounds SET facts = '{}' WHERE number = 2"): [
            r"^round 2 of season 1 of tiny: what it began with cannot be read: .*; restore a backup\n"
        ],
    },
    {
        other_secret: [r"the seed of tiny.1 is not the one that the season began with"],
        lose_packs: [r"match 1 .* has lost its replay"],
        stranger: [r"the packs have a replay of .*/b0900/0-1, which is not in the database"],
        sql("UPDATE ratings SET value = value + 1 WHERE round = 2 AND version = 2"): [
            r"round 2 of season 1 of tiny: the rating of random-legal:1 does not follow from its matches"
        ],
        sql("UPDATE round_plays SET facts = '[]' WHERE round = 2"): [
            r"^round 2 of season 1 of tiny: what it was played with cannot be read: .*; restore a backup\n"
        ],
        sql("UPDATE matches SET timing = '[]' WHERE id = 7"): [r"match 7: what was measured of it cannot be read"],
    },
    {
        sql("UPDATE seasons SET ended = 'now'"): [r"season 1 of tiny is closed, and its seed is not published"],
        sql("UPDATE rounds SET facts = json_set(facts, '$.seed', 'x') WHERE number = 2"): [
            r"round 2 of .* do not have the digest",
            r"round 2 of .*: its seed does not follow",
            r"has seed .*, expected",
        ],
        spoil_pack: [r"match \d+ .* has a damaged replay"],
        replay_of_another: [r"match 2 .* has a replay whose closing hash does not fit its lines"],
        sql("UPDATE versions SET report = '[]' WHERE id = 3"): [r"first:1: the reports of its checks cannot be read"],
        sql("DELETE FROM seats WHERE match = 7 AND seat = 0"): [r"match 7: expected rows of seats 0 to 1, got 1 rows"],
    },
    {
        sql("UPDATE seasons SET ended = 'now', seed = '5'"): [
            r"its seed is not the one that the season began with",
            r"round \d of season 1 of tiny: its seed does not",
        ],
        sql("UPDATE tables SET versions = '[[1], 99]' WHERE block = 7"): [
            r"table 7 of round 2 of season 1 of tiny has the versions \[\[1\], 99\], expected 2 that are in the",
            r"season 1 of tiny: not completely checked, because rows cannot be read",
        ],
        sql("UPDATE versions SET options = '{\"greed\": 1}' WHERE id = 3"): [
            r"first:1: its options differ from those with which it is loaded"
        ],
        sql("UPDATE seats SET seat = 9 WHERE match = 7 AND seat = 0"): [r"match 7: expected rows .*, got others"],
        sql("UPDATE entries SET state = 'disabled' WHERE version = 3"): [
            r"first:1 is disabled in tiny, but the last recorded change made it active"
        ],
    },
    {
        sql("UPDATE ladders SET keys = '{}'"): [
            r"ladder tiny: its keys cannot be read: .*missing required field `name`"
        ],
        sql("UPDATE versions SET reference = '{}' WHERE id = 3"): [r"first:1: its reference cannot be read"],
        sql("UPDATE seats SET faults = '{\"zz\": 1}' WHERE match = 7 AND seat = 1"): [
            r"seat 1 of match 7: its faults cannot be read: Invalid enum value 'zz'"
        ],
        sql("UPDATE seats SET ended = 'crashed' WHERE match = 7 AND seat = 0"): [
            r"seat 0 of match 7 ended as 'crashed', expected played, "
        ],
        sql("UPDATE ladders SET seats = 99"): [r"table 0 of round 1 .* expected 99 that are in the ladder"],
        sql("DELETE FROM changes WHERE version = 3"): [r"first:1 is active in tiny, but no change is recorded"],
    },
    {
        sql("DELETE FROM ratings WHERE round = 1 AND version = 2"): [
            r"^round 1 of season 1 of tiny: its ratings have changed since it was closed; restore a backup\n$"
        ],
    },
    {
        sql("UPDATE ratings SET value = value + 500 WHERE round = 1"): [
            r"^round 1 of season 1 of tiny: its ratings have changed since it was closed; restore a backup\n$"
        ],
    },
    {
        sql("UPDATE ladders SET edition_rules = json_set(edition_rules, '$.max_turns', 9)"): [
            r"the rules of .* in the database do not have the right digest"
        ],
    },
)
"""What is told of each change. In a group none hides another: they are made and looked for together."""


@pytest.mark.parametrize("changes", CHANGES)
def test_whatever_is_changed_is_found(changes: dict[Change, list[str]], arena: Arena, league: Path) -> None:
    for change in changes:
        change(league)
    ran = arena("ladder", "check", "league", "-q", "--json")
    assert (ran.code, ran.err) == (3, "")
    told = "".join(f"{each}\n" for each in json.loads(ran.out)["problems"])
    for problem in chain.from_iterable(changes.values()):
        assert re.search(problem, told), told


def test_bots_of_every_kind_are_whole_and_so_is_what_they_were_built_from(
    arena: Arena, league: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder" / "bot.py", tmp_path / "folder" / "helper.py", tmp_path / "single.py"):
        path.write_text(HEAD)
    place = LadderFolder(league)
    database = open_database(place.database, place.shown, write=True)
    ladder = find_ladder(database)
    admit_version(place, database, ladder, NewVersion("folder", "mira", refer_file("folder", None)))
    single = refer_file("single.py", "Player", {"greed": 2})
    made = msgspec.structs.replace(single, files=(*single.files, BotFile("made.txt", b"made")))
    made = msgspec.structs.replace(made, sha256=digest_of(made.files))
    built = admit_version(place, database, ladder, NewVersion("built", "mira", made, submitted=single, build="make"))
    database.close()
    assert arena("ladder", "check", "league", "-q").out == ""
    shown = json.loads(arena("ladder", "show", "league", "built:1", "--json").out)
    assert [each["path"] for each in shown["files"]] == ["made.txt", "single.py"]
    assert [each["path"] for each in shown["source_files"]] == ["single.py"]
    (league / "versions" / built.source / "single.py").unlink()
    ran = arena("ladder", "check", "league", "-q")
    assert ran.code == 3
    assert re.match(r"built:1, from which it was built: .* these are not the files of built:1", ran.out)


def test_a_damaged_database_is_a_problem_and_no_traceback(arena: Arena, league: Path) -> None:
    path = league / "ladder.sqlite"
    content = bytearray(path.read_bytes())
    for at in range(8 * 4096, len(content) - 4096, 5 * 4096):  # no page of the schema is among these
        content[at : at + 64] = b"\xff" * 64
    path.write_bytes(content)
    ran = arena("ladder", "check", "league", "-q")
    assert ran.code == 3
    assert "league/ladder.sqlite: " in ran.out
    assert "restore a backup" in ran.out
    assert ran.err == ""


def test_of_very_many_problems_the_first_are_told_and_the_others_counted(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_ladder, "MOST_PROBLEMS", 5)
    lose_packs(league)
    ran = arena("ladder", "check", "league")
    lines = ran.out.splitlines()
    assert (ran.code, len(lines), lines[5]) == (3, 7, "and 24 more problems")
    assert lines[-1].endswith("; 29 problems")


def test_deep_finds_a_replay_that_the_rules_do_not_make(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    """A replay with another die in it, and hashes to match: only playing its decisions again shows it."""
    from arena.storage.packs.replay_packs import KeptReplays

    (name,) = rows.execute("SELECT name FROM matches WHERE id = 7").fetchone()
    replay = KeptReplays(packs(league).parents[1]).get(name)
    assert replay is not None
    *lines, last = replay.splitlines(keepends=True)
    dropped = b"".join(lines[:-1])
    digest = sha256(dropped).hexdigest()
    old = json.loads(last)["sha256"]
    writer = PackWriter(packs(league).parent)
    writer.add(name, pack_replay(dropped + last.replace(old.encode(), digest.encode())))
    writer.close()
    rows.execute("UPDATE matches SET sha256 = ? WHERE id = 7", (digest,))
    assert arena("ladder", "check", "league", "-q").code == 0
    ran = arena("ladder", "check", "league", "-q", "--deep", 100)
    assert ran.code == 3
    assert re.fullmatch(r"match 7 .* does not verify: line .*\n", ran.out)


def test_a_ladder_without_a_season_is_a_problem_and_no_traceback(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    rows.execute(
        "INSERT INTO ladders "
        "SELECT 2, 'bare', game, edition, edition_sha256, edition_rules, seats, keys, '' FROM ladders"
    )
    ran = arena("ladder", "check", "league", "-q")
    assert (ran.code, ran.err) == (3, "")
    assert ran.out.startswith("ladder bare has no season; restore a backup\n")
    told = json.loads(arena("ladder", "check", "league", "--json").out)["problems"]
    assert "".join(f"{each}\n" for each in told) == ran.out
    assert arena("ladder", "show", "league", "--ladder", "bare").code == 2


@pytest.mark.parametrize("number", [0, -1])
def test_the_number_of_the_schema_is_not_taken_for_that_of_an_empty_database(
    number: int, arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    rows.execute(f"PRAGMA user_version = {number}")
    ran = arena("ladder", "check", "league")
    assert (ran.code, ran.out) == (2, "")
    assert f"the number of its schema (user_version) was set to {number}; restore a backup" in ran.err


def test_what_is_left_out_is_not_missed(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    (name,) = rows.execute("SELECT name FROM matches WHERE id = 24").fetchone()
    rows.execute("DELETE FROM seats WHERE match = 24")
    rows.execute("DELETE FROM matches WHERE id = 24")
    rows.execute("INSERT INTO left_out VALUES (24, 2, ?, 0, 1, 'chance:1 no longer played')", (name,))
    rows.execute("UPDATE rounds SET told = json_set(told, '$.ratings', ?)", (sha256(b"[]").hexdigest(),))
    rows.execute("DELETE FROM ratings")
    assert arena("ladder", "check", "league").out.endswith("28 matches, 28 replays; no problem found\n")


def test_a_copy_without_secrets_is_checked_as_far_as_that_goes(arena: Arena, league: Path) -> None:
    (league / "secrets.json").unlink()
    ran = arena("ladder", "check", "league", "--no-secrets")
    assert (ran.code, ran.err) == (0, "not checked: the seed of season 1 of tiny, which is still secret\n")


def test_no_ladder_is_no_finding(arena: Arena, league: Path) -> None:
    ran = arena("ladder", "check", "nothing")
    assert (ran.code, ran.out) == (2, "")
    assert "nothing holds no ladder: " in ran.err


def edited_migration(league: Path, edit: Callable[[str], str]) -> None:
    """Have the ladder be one that began with another first migration."""
    database = sqlite3.connect(league / "ladder.sqlite", isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")
    for name, statement in database.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall():
        if (edited := edit(statement)) != statement:
            database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (edited, name))
    database.close()


def test_a_ladder_of_an_edited_first_migration_with_the_same_columns_is_not_damaged(arena: Arena, league: Path) -> None:
    """As the first migration stood before its foreign keys named their columns."""
    edited_migration(league, lambda statement: statement.replace("REFERENCES ladders (id)", "REFERENCES ladders"))
    sql("DROP INDEX matches_void")(league)
    ran = arena("ladder", "check", "league")
    assert (ran.code, ran.out.endswith("no problem found\n")) == (0, True)
    assert ran.err == (
        "league/ladder.sqlite: seasons, entries, changes, promotions, uploads, quarantines, suspicions, "
        "matches_void are missing or worded differently than in this arena's migrations, with the same columns: the "
        "ladder was begun by an arena with different migrations of the same numbers; nothing is damaged\n"
    )


def test_a_ladder_of_an_edited_first_migration_without_a_column_says_which_and_why(arena: Arena, league: Path) -> None:
    sql("ALTER TABLE versions DROP COLUMN report")(league)
    sql("DROP TABLE audits")(league)
    ran = arena("ladder", "check", "league")
    why = "the ladder was begun by an arena with different migrations of the same numbers, or it was changed by hand"
    assert ran.code == 3
    assert f"league/ladder.sqlite: table versions has no column report: {why}; play on with that arena\n" in ran.out
    assert f"league/ladder.sqlite: table audits is missing: {why}; play on with that arena\n" in ran.out
    assert "restore a backup" not in ran.out
    assert ran.err == "the rest is not checked, because tables differ\n"


def test_a_migration_that_ladders_have_is_never_edited_again() -> None:
    """What changes the schema is another file: of one that was edited nobody could tell which a ladder has."""
    assert {path.name: sha256(path.read_bytes()).hexdigest()[:16] for path in migration_files()} == {
        "0001_first.sql": "31e7c89bd54a7e67",
        "0002_views.sql": "edfe50b9f4d3f3df",
        "0003_counts.sql": "8145b6e951f4d49c",
        "0004_round_plays.sql": "0893477b7767ca69",
        "0005_promotions.sql": "1b1b3f1fc0be508d",
        "0006_uploads.sql": "c50b12ed8523d969",
        "0007_suspicions.sql": "58c18d8c22ba7aa1",
        "0008_check_calls.sql": "c9509a323265a054",
        "0009_model_spending.sql": "55f0692c08991301",
        "0010_estimated_calls.sql": "c6202ed5b6153a46",
    }


def test_the_schema_that_is_expected_is_that_of_a_new_ladder(rows: sqlite3.Connection) -> None:
    notes: list[str] = []
    assert (list(schema_problems(rows, "here", notes)), notes) == ([], [])
