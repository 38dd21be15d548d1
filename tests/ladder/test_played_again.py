"""``arena ladder rerun`` and ``arena ladder audit``: matches played again from the kept files of versions."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from arena import __version__
from arena.code_digest import code_digests
from arena.finding.files import BotFile
from arena.ladder.database.bot_versions.version_files import files_digest
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.play.play_ladder import hold_play_lock
from arena.runs.planning.isolation_level import strictest_isolation
from arena.storage.root_digest import root_of_digests
from arena.tournament.standings.provenance import Label
from tests.conftest import Arena, Ran


def match_with(rows: sqlite3.Connection, *bots: str) -> int:
    """The first match in which exactly these bots sat."""
    query = (
        "SELECT s.match, group_concat(b.name) FROM seats s JOIN versions v ON v.id = s.version "
        "JOIN bots b ON b.id = v.bot GROUP BY s.match ORDER BY s.match"
    )
    return next(match for match, sat in rows.execute(query) if {*sat.split(",")} == {*bots})


def rerun(arena: Arena, *matches: object, code: int = 0) -> Any:
    ran = arena("ladder", "rerun", "league", *matches, "-j", 1, "--json", "--trust")
    assert ran.code == code, ran
    return json.loads(ran.out)


def otherwise(arena: Arena, *words: object) -> Ran:
    """A match played again, as often as a bot that draws lots takes to draw another."""
    for _ in range(50):
        ran = arena("ladder", "rerun", "league", *words, "-j", 1, "--trust")
        if ran.code:
            break
    assert ran.code == 3, ran
    return ran


def test_matches_of_bots_that_repeat_themselves_come_out_identical(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    one, two = match_with(rows, "first", "greedy"), match_with(rows, "first", "random-legal")
    found = rerun(arena, two, f"#{one}", two)
    assert [(each["number"], each["identical"]) for each in found] == [(two, True), (one, True)]
    (name,) = rows.execute("SELECT name FROM matches WHERE id = ?", (one,)).fetchone()
    ran = arena("ladder", "rerun", "league", name, "-j", 1)
    assert ran.code == 0
    assert re.fullmatch(rf"match {one} \({re.escape(name)}\), played on .* on 20..-..-..: identical\n",
                        " ".join(ran.out.split()) + "\n")  # fmt: skip


def test_where_a_match_differs_is_told_and_the_exit_code_is_3(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    match = match_with(rows, "chance", "first")
    (found,) = json.loads(otherwise(arena, match, "--json").out)
    assert (found["identical"], found["again"]["entrant"]) == (False, "chance:1")
    assert found["again"]["difference"]["then"] != found["again"]["difference"]["now"]
    rows.execute("UPDATE entries SET label = ? WHERE version = 4", (Label.NOT,))
    ran = otherwise(arena, match)
    said = " ".join(ran.out.split())
    assert "DIFFERS from ask" in said
    assert " then ask " in said
    assert "chance:1 is labelled 'not repeatable' (by its check, or the last audit)" in said


def test_a_changed_row_is_found(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    match = match_with(rows, "first", "greedy")
    rows.execute("UPDATE seats SET money = 99 WHERE match = ? AND seat = 0", (match,))
    (found,) = rerun(arena, match, code=3)
    expected = "its row in the database contradicts its replay: money of seat 0 is 99 here"
    assert found["again"]["problem"].startswith(expected)


def test_what_cannot_be_played_again_is_refused_before_anything_is_played(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    match = match_with(rows, "first", "greedy")
    (folder,) = rows.execute("SELECT files FROM versions WHERE id = 3").fetchone()
    kept = league / "versions" / folder / "first.py"
    kept.chmod(0o644)
    kept.write_bytes(kept.read_bytes() + b"\n")
    ran = arena("ladder", "rerun", "league", match_with(rows, "greedy", "random-legal"), match, "-j", 1)
    assert (ran.code, ran.out) == (2, "")
    assert f"match {match} cannot be played again: " in ran.err
    assert "these are not the files of first:1 that were submitted" in ran.err
    ran = arena("ladder", "rerun", "league", 36, "-j", 1)
    assert (ran.code, ran.err.count("is not finished: nothing to compare with")) == (2, 1)


def test_a_match_is_refused_for_the_version_that_has_played_it_and_for_no_other(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    one, two = match_with(rows, "first", "greedy"), match_with(rows, "first", "random-legal")
    rows.execute("UPDATE rounds SET facts = json_set(facts, '$.arena', '0.0.2')")
    (round,) = rows.execute("SELECT round FROM matches WHERE id = ?", (one,)).fetchone()
    told = "INSERT INTO round_plays (round, began, arena, isolation, facts) VALUES (?, '', '0.0.1', 'none', '{}')"
    other = rows.execute(told, (round,)).lastrowid
    rows.execute("UPDATE matches SET round_play = ? WHERE id = ?", (other, two))
    assert rerun(arena, one)[0]["identical"]
    ran = arena("ladder", "rerun", "league", two, "-j", 1)
    assert (ran.code, ran.out) == (2, "")
    assert "was played by arena 0.0.1, this is " in ran.err
    rows.execute("UPDATE matches SET round_play = NULL")
    assert rerun(arena, one)[0]["identical"], "its replay says which version played it"


def audited(arena: Arena, *given: object, code: int = 0) -> Any:
    ran = arena("ladder", "audit", "league", "-j", 1, "-q", "--json", *given)
    level = "none" if "--trust" in given else strictest_isolation().level
    assert (ran.code, ran.err) == (code, f"isolation {level}\n"), ran
    return json.loads(ran.out)


def without_chance(league: Path, rows: sqlite3.Connection) -> None:
    """Have one round be closed, and the bot ``chance`` be damaged."""
    (folder,) = rows.execute("SELECT files FROM versions WHERE id = 4").fetchone()
    (league / "versions" / folder / "chance.py").unlink()
    rows.execute("UPDATE rounds SET state = 'open' WHERE number > 1")


def labels(rows: sqlite3.Connection) -> dict[str, str]:
    return dict(
        rows.execute(
            "SELECT b.name, e.label FROM entries e JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot"
        )
    )


@pytest.mark.slow
def test_an_audit_labels_every_version_and_standings_show_it(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    rows.execute("UPDATE rounds SET state = 'open' WHERE number > 1")
    found = audited(arena, "--sample", "100%")
    assert (found["matches"], found["played"], found["drawn"]) == (12, 12, 12)
    assert found["identical"] == 12 - len(found["others"])
    assert {(each["came"], each["entrant"]) for each in found["others"]} == {("not repeatable", "chance:1")}
    expected = {
        "greedy": Label.ITSELF, "random-legal": Label.FROM_SEED, "first": Label.FROM_SEED, "chance": Label.NOT,
    }  # fmt: skip
    assert labels(rows) == expected
    standings = json.loads(arena("ladder", "standings", "league", "--json").out)
    assert {row["bot"]: row["label"] for row in standings["rows"]} == expected
    shown = json.loads(arena("ladder", "show", "league", "chance:1", "--json").out)
    assert "its answers differ between two plays of " in shown["evidence"]
    assert "(arena ladder audit, 20" in shown["evidence"]
    assert [each["what"] for each in shown["changes"]] == ["active", "labelled"]
    assert f"{found['identical']} of 12 identical" in arena("ladder", "show", "league").out


def test_a_sample_is_drawn_from_the_root_digest_of_closed_rounds(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    with hold_play_lock(LadderFolder(league)):  # others may play meanwhile
        found = audited(arena, "--sample", 3, "--each", 0, "--no-write")
    hashes = rows.execute("SELECT sha256 FROM matches WHERE round < 3").fetchall()
    assert found["root"] == root_of_digests(bytearray().join(bytes.fromhex(each) for (each,) in hashes)).digest
    assert (found["seed"], found["drawn"], found["played"]) == (found["root"], 3, 3)
    assert set(labels(rows).values()) == {""}
    assert rows.execute("SELECT count(*) FROM audits").fetchone() == (0,)


@pytest.mark.slow
def test_a_changed_replay_makes_an_audit_fail(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    match = match_with(rows, "first", "greedy")
    rows.execute("UPDATE matches SET asks = asks + 1 WHERE id = ?", (match,))
    without_chance(league, rows)
    found = audited(arena, "--trust", "--sample", "100%", code=3)
    (wrong,) = [each for each in found["others"] if each["problem"]]
    assert (wrong["came"], wrong["problem"].startswith("its row in the database contradicts its replay")) == (
        "otherwise",
        True,
    )


def test_versions_whose_files_are_damaged_are_left_out_and_told(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    without_chance(league, rows)
    found = audited(arena, "--trust", "--sample", "100%")
    absent = {each["name"]: each["absent"] for each in found["entrants"]}
    assert "these are not the files of chance:1" in absent.pop("chance:1")
    assert set(absent.values()) == {""}
    assert found["played"] == found["identical"] < 12


def test_nothing_can_be_audited_before_a_round_is_closed(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    rows.execute("UPDATE round_plays SET arena = '0.0.1' WHERE round = 1")
    ran = arena("ladder", "audit", "league", "--sample", 1, "--each", 0, "-j", 1, "-q", "--no-write")
    left_out = "left out: 12 matches that another version or other code of arena played"
    assert ran.err == f"{left_out}\nisolation {strictest_isolation().level}\n"
    rows.execute("UPDATE round_plays SET arena = '0.0.1'")
    ran = arena("ladder", "audit", "league", "-j", 1, "-q")
    assert "season 1 of tiny: its first match was played by arena 0.0.1, this is " in ran.err
    rows.execute("UPDATE rounds SET state = 'open'")
    ran = arena("ladder", "audit", "league", "-j", 1, "-q")
    assert (ran.code, ran.out) == (2, "")
    assert "no round of season 1 of tiny is closed yet" in ran.err


@pytest.mark.slow
def test_rounds_of_other_code_are_played_again_only_where_it_does_not_matter(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    (code,) = rows.execute("SELECT json_extract(facts, '$.code') FROM round_plays WHERE round = 1").fetchone()
    assert json.loads(code) == code_digests({"board"})
    rows.execute("UPDATE round_plays SET facts = json_set(facts, '$.code.statistics', 'other') WHERE round = 1")
    assert arena("ladder", "rerun", "league", 1).code == 0
    rows.execute("UPDATE round_plays SET facts = json_set(facts, '$.code.referee', 'other') WHERE round = 1")
    ran = arena("ladder", "rerun", "league", 1)
    told = f"was played by other code of arena {__version__} (referee), on which the match depends; play it again with"
    assert (ran.code, told in ran.err) == (2, True)
    ran = arena("ladder", "audit", "league", "--sample", 1, "--each", 0, "-j", 1, "-q", "--no-write")
    assert ran.err.startswith("left out: 12 matches that another version or other code of arena played\n")
    for table in ("rounds", "round_plays"):  # from before digests
        rows.execute(f"UPDATE {table} SET facts = json_remove(facts, '$.code')")
    assert arena("ladder", "rerun", "league", 1).code == 0


def test_a_sample_of_no_size_is_refused(arena: Arena, league: Path) -> None:
    for size in ("0", "101%", "x"):
        ran = arena("ladder", "audit", "league", "--sample", size)
        assert ran.code == 2, size
        assert "expected a share such as 5%, or a number of matches such as 200" in ran.err, size


def test_the_digest_of_kept_files_is_what_the_page_says() -> None:
    from hashlib import sha256

    files = [BotFile("b.py", b"b"), BotFile("a", b"a", executable=True)]
    lines = f"{sha256(b'a').hexdigest()} x a\n{sha256(b'b').hexdigest()} - b.py\n"
    assert files_digest(files) == sha256(lines.encode()).hexdigest()
