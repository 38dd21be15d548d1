"""``arena ladder show``: a ladder, a match by its number or name, a bot, a version."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.config.ladder_yaml import load_ladder
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.play.play_ladder import hold_play_lock
from arena.storage.packs.replay_packs import KeptReplays
from tests.conftest import Arena
from tests.ladder.conftest import LABEL


def shown(arena: Arena, *what: object) -> Any:
    ran = arena("ladder", "show", "league", *what, "--json")
    assert (ran.code, ran.err) == (0, ""), ran
    return json.loads(ran.out)


def name_of(rows: sqlite3.Connection, match: int) -> str:
    (name,) = rows.execute("SELECT name FROM matches WHERE id = ?", (match,)).fetchone()
    return str(name)


def test_the_ladder_is_shown_with_its_keys_which_load_again(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    ran = arena("ladder", "show", "league")
    assert ran.code == 0
    (commitment,) = rows.execute("SELECT seed_sha256 FROM seasons").fetchone()
    for line in (
        f"commitment   {commitment} (SHA-256 of the",
        "seed         a secret until the season is closed",
        "matches      29; closed rounds: 2",
        "public       seeds are not public until the season is closed",
        "open round   3: 5 of 12 matches finished",
        "active       4: greedy:1, random-legal:1, first:1, chance:1",
        "anchors      greedy:1, random-legal:1",
        "playing      nobody",
    ):
        assert f"\n{line}" in ran.out
    keys = ran.out.partition("\nkeys\n")[2]
    (league / "again.yaml").write_text("\n".join(line[2:] for line in keys.splitlines()))
    config, _ = load_ladder(league / "again.yaml")
    assert config.round_tables == 6
    assert yaml.safe_load(keys)["entry"]["one_team"] is False


def test_who_plays_is_shown(arena: Arena, league: Path) -> None:
    with hold_play_lock(LadderFolder(league)):
        found = shown(arena)
        assert found["playing"] > 0
        assert found["progress"]["total"] == 12
    assert shown(arena)["playing"] is None


def test_a_match_that_could_not_be_played_waits(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    rows.execute("INSERT INTO left_out VALUES (36, 3, 'x/b0017/0-1', 1, 0, 'the worker was killed')")
    assert "waits #36    x/b0017/0-1, tried 1 times: the worker was killed\n" in arena("ladder", "show", "league").out
    assert shown(arena, 36)["why_not"] == "the worker was killed"
    rows.execute("UPDATE left_out SET final = 1")
    assert "waits" not in arena("ladder", "show", "league").out
    assert "left out: the worker was killed" in arena("ladder", "show", "league", 36).out


def test_a_match_is_found_by_its_number_and_by_its_name(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    name = name_of(rows, 7)
    assert name.startswith(f"{LABEL}/b0003/")
    by_number = shown(arena, 7)
    for called in ("#7", name, f"replays/{name}.jsonl"):
        assert shown(arena, called) == by_number
    assert (by_number["number"], by_number["name"], by_number["round"]) == (7, name, 1)
    (why,) = rows.execute("SELECT why FROM tables WHERE block = 3").fetchone()
    assert by_number["why"] == why
    seats = rows.execute("SELECT money, rank, version FROM seats WHERE match = 7 ORDER BY seat").fetchall()
    assert [(each["money"], each["rank"]) for each in by_number["seats"]] == [seat[:2] for seat in seats]


def test_the_seats_and_digests_of_a_match_are_those_of_its_replay(arena: Arena, league: Path) -> None:
    found = shown(arena, 7)
    assert arena("ladder", "show", "league", 7, "--replay", "out.jsonl").err == "replay out.jsonl\n"
    written = (league.parent / "out.jsonl").read_bytes()
    assert written == KeptReplays(league / "seasons" / "tiny.1").get(found["name"])
    header, result = (json.loads(written.splitlines()[at]) for at in (0, -1))
    assert header["seed"] == found["seed"]
    assert [each["entrant"] for each in header["seats"]] == [each["version"] for each in found["seats"]]
    assert [each["sha256"] for each in header["seats"]] == [each["bot_sha256"] for each in found["seats"]]
    assert result["sha256"] == found["sha256"]
    where = found["replay"]
    assert (league.parent / where["pack"]).stat().st_size >= where["offset"] + where["bytes"]


def test_the_lines_to_type_tell_verify_and_repeat_the_match(arena: Arena, league: Path) -> None:
    commands = shown(arena, 7)["commands"]
    told = arena(*shlex.split(commands["told"])[1:])
    assert told.out == arena("ladder", "show", "league", 7, "--told").out
    assert "The match is over: " in told.out
    assert ": verified\n" in arena(*shlex.split(commands["verify"])[1:]).out
    assert commands["rerun"] == "arena ladder rerun league 7"


def test_a_match_that_is_not_finished_is_shown_as_far_as_it_is_known(arena: Arena, league: Path) -> None:
    found = shown(arena, 36)
    assert (found["state"], found["seed"], found["replay"], found["commands"]) == ("waiting", "", None, {})
    assert len(found["seats"]) == 2
    ran = arena("ladder", "show", "league", 36, "--told")
    assert (ran.code, ran.err) == (2, "arena: match 36 is not finished: it has no replay yet\n")


def test_a_mistake_is_told_in_one_line(arena: Arena, league: Path) -> None:
    for what, problem in (
        ((99,), "no match 99: there are 1 to 36"),
        ((7, "--season", 2), "match 7 belongs to season 1, not to season 2"),
        (("x-2p/b0003/0-1",), "no match x-2p/b0003/0-1 in any season of tiny"),
        ((f"{LABEL}/b0900/0-1",), f"no match {LABEL}/b0900/0-1 in any season of tiny"),
        (("frist",), "no bot 'frist' was submitted (did you mean 'first'?)"),
        (("first:3",), "bot first has no version 3; it has 1"),
        (("first", "--told"), "--told and --replay are for a match"),
        ((7, "--ladder", "x"), "no ladder 'x'; there are tiny"),
    ):
        ran = arena("ladder", "show", "league", *what)
        assert (ran.code, ran.out) == (2, ""), what
        assert ran.err.startswith(f"arena: {problem}"), what
        assert ran.err.count("\n") == 1, what


def test_a_name_that_two_seasons_have_needs_the_season(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    finish_and_close(arena)
    assert arena("ladder", "play", "league", "--trust", "--rounds", 1, "-q", "--executor", "serial").code == 0
    rows.execute("UPDATE tables SET versions = (SELECT versions FROM tables WHERE block = 0) WHERE round = 4")
    name = name_of(rows, 1)
    ran = arena("ladder", "show", "league", name)
    assert ran.code == 2
    assert f"several matches have the name {name}: " in ran.err
    assert shown(arena, name, "--season", 2)["season"] == 2
    assert shown(arena, name, "--season", 1)["season"] == 1


def finish_and_close(arena: Arena) -> None:
    assert arena("ladder", "play", "league", "--trust", "--rounds", 1, "-q", "--executor", "serial").code == 0
    assert arena("ladder", "season", "league", "close").code == 0


def test_a_version_is_shown_with_its_files_and_what_happened(arena: Arena, league: Path) -> None:
    found = shown(arena, "first:1")
    (file,) = found["files"]
    kept = league.parent / found["folder"] / file["path"]
    assert sha256(kept.read_bytes()).hexdigest() == file["sha256"] == found["bot_sha256"]
    assert (file["bytes"], found["author"], found["state"]) == (kept.stat().st_size, "mira", "active")
    assert [(each["what"], each["why"]) for each in found["changes"]] == [("active", "submitted")]
    assert found["place"]["round"] == 2
    assert found["matches"] > 0
    assert arena("ladder", "disable", "league", "first", "--why", "a test").code == 0
    text = arena("ladder", "show", "league", "first:1").out
    assert "season 1: disabled\n" in text
    assert text.rstrip().endswith("a test")


def test_the_versions_of_a_bot_are_listed(arena: Arena, league: Path) -> None:
    assert [each["name"] for each in shown(arena, "greedy")] == ["greedy:1"]
    assert arena("ladder", "show", "league", "greedy").out.splitlines()[2].startswith("greedy:1")


def test_damaged_files_are_told(arena: Arena, league: Path) -> None:
    folder = league.parent / shown(arena, "first:1")["folder"]
    (folder / "first.py").chmod(0o644)
    (folder / "first.py").write_text("x = 1\n")
    assert "these are not the files of first:1 that were submitted" in shown(arena, "first:1")["problem"]


@pytest.mark.parametrize("columns", [80, 100])
def test_no_line_of_a_table_is_wider_than_the_terminal(
    columns: int, arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for what in ((), (7,), ("first",), ("first:1",)):
        for line in arena("ladder", "show", "league", *what).out.splitlines():
            assert len(line) <= columns or " " not in line.strip() or "arena " in line or "  /" in line, line


def test_status_says_how_ladders_stand(arena: Arena, league: Path) -> None:
    ran = arena("status", "league")
    assert (ran.code, ran.err) == (0, "")
    lines = [line for line in ran.out.splitlines() if not line.startswith(("log ", "  "))]
    assert lines == [
        "ladders   in league: nobody plays",
        "ladder    tiny, season 1: 29 matches; closed rounds: 2",
        "round     3: 5 of 12 matches",
        "stopped   all requested matches are played",
        "more      arena ladder show league",
    ]
    found = json.loads(arena("status", "league", "--json").out)
    assert (found["process"], found["ladders"][0]["open"]["finished"]) == (None, 5)
    with hold_play_lock(LadderFolder(league)):
        assert arena("status", "league").out.startswith(f"ladders   in league: playing in process {os.getpid()} on ")
    refused = "arena: league holds ladders; print their standings with: arena ladder standings league\n"
    assert arena("status", "league", "--table") == (2, "", refused)
