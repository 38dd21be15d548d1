"""A run's records and its replays must tell the same; ``arena verify RUN`` compares them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CopiedRun
from tests.kept import loosen

TOURNAMENT = """
name: pair
seed: 5
entrants: [greedy, silent, fair]
editions: [{rules: eagle-gryphon, changes: {max_turns: 3}}]
isolation: none
"""


@pytest.fixture
def run(copied_run: CopiedRun) -> Path:
    return copied_run(TOURNAMENT, "run")


@pytest.fixture
def loose(run: Path) -> Path:
    """The run with its replays in files of their own."""
    loosen(run)
    return run


def first_replay(run: Path) -> Path:
    return sorted((run / "replays").rglob("*.jsonl"))[0]


def test_a_run_as_it_was_played_verifies(arena: Any, run: Path) -> None:
    assert arena("verify", "run").code == 0


def test_a_result_that_the_replay_does_not_tell_is_found(arena: Any, run: Path) -> None:
    matches = run / "matches.jsonl"
    lines = matches.read_text().splitlines(keepends=True)
    ranks = [seat["rank"] for seat in json.loads(lines[0])["seats"]]
    matches.write_text("".join([lines[0].replace('"rank":1', '"rank":2'), *lines[1:]]))
    ran = arena("verify", "run", "-q")
    assert ran.code == 3
    assert ran.out.startswith("run/matches.jsonl:1: ")
    assert f" has another result: rank of seat {ranks.index(1)} is 2 here, 1 there\n" in ran.out


def test_a_record_that_does_not_say_its_game_is_told_to_be_of_another_version(arena: Any, run: Path) -> None:
    matches = run / "matches.jsonl"
    matches.write_text(matches.read_text().replace('"game":"board",', ""))
    problem = "no match record: Object missing required field `game`; was it written by another version of arena?"
    assert arena("standings", "run") == (2, "", f"arena: run/matches.jsonl:1: {problem}\n")


def test_a_missing_replay_is_found(arena: Any, loose: Path) -> None:
    first_replay(loose).unlink()
    ran = arena("verify", "run", "-q")
    assert (ran.code, ran.out.endswith(" is missing\n")) == (3, True)


def test_a_replay_that_no_record_tells_of_is_found(arena: Any, loose: Path) -> None:
    replay = first_replay(loose)
    replay.with_name("smuggled.jsonl").write_bytes(replay.read_bytes())
    ran = arena("verify", "run", "-q")
    assert (ran.code, ran.out.endswith("smuggled.jsonl: no line of matches.jsonl belongs to it\n")) == (3, True)


def test_a_run_that_kept_no_replays_says_so(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "pair.yaml").write_text(TOURNAMENT + "replays: none\n")
    assert arena("run", "pair.yaml", "-o", "run", "-q").code == 0
    ran = arena("verify", "run")
    assert (ran.code, ran.err) == (0, "")
    agree = "match seeds, schedule, configuration, manifest, standings agree"
    first, second = ran.out.splitlines()
    assert first == f"run: complete, 3 of 3 matches, no replays; {agree}"
    assert second.startswith("run: root digest ")


def test_null_on_the_command_line_removes_a_rule_as_in_a_file(arena: Any) -> None:
    ran = arena("rules", "show", "eagle-gryphon", "--rule", "end_rolls=null")
    assert ran.code == 0
    assert "end_rolls: {}" in ran.out
