"""The way that the page on defending a result goes, gone with a ladder that was played."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Arena
from tests.docs.pages import FLAT, TEXT, blocks, section

PAGE = "ladder-evidence"


@pytest.fixture
def way(arena: Arena, tmp_path: Path) -> Path:
    """The ladder ``my-ladder`` with a bot ``haggler``, one round played."""
    keys = "name: mine\nrules: eagle-gryphon\nchanges: {max_turns: 3}\nseats: 2\nround_tables: 3\nisolation: none\n"
    (tmp_path / "mine.yaml").write_text(f"{keys}anchors: [{{bot: fair, name: haggler}}, greedy]\n")
    assert arena("ladder", "init", "my-ladder", "--config", "mine.yaml").code == 0
    assert arena("ladder", "play", "my-ladder", "--rounds", 1, "-q", "-j", 1).code == 0
    return tmp_path / "my-ladder"


def commands() -> list[str]:
    """The commands of the page in their order, then those on backups."""
    return re.findall(r"^\$ (arena .*)$", TEXT[PAGE] + section("ladders", "Backups"), re.MULTILINE)


def here(command: str, tmp_path: Path) -> list[str]:
    """The words of a command of the page, about what there is here: a small ladder, a folder for copies."""
    words = shlex.split(command, comments=True)[1:]
    small = {"1234": "1", "haggler:3": "haggler:1", "200": "2", "500": "2"}
    words = [small.get(word, word).replace("/backups", str(tmp_path / "backups")) for word in words]
    return [*words, *(["-j", "1"] if words[1] in ("rerun", "audit") else [])]


@pytest.mark.slow
def test_every_command_of_the_page_can_be_run_one_after_the_other(arena: Arena, way: Path, tmp_path: Path) -> None:
    said = {}
    for command in commands():
        ran = arena(*here(command, tmp_path))
        assert ran.code == 0, (command, ran)
        said[" ".join(shlex.split(command, comments=True))] = ran.out
    assert len(said) >= 11
    assert ": identical\n" in said["arena ladder rerun my-ladder 1234"]
    assert "verified by the rules; no problem found\n" in said["arena ladder check my-ladder --deep 500"]


@pytest.mark.slow
def test_the_query_of_the_page_finds_the_matches_of_a_version(way: Path) -> None:
    query = blocks(PAGE, "sql")[0]
    with closing(sqlite3.connect(way / "ladder.sqlite")) as database:
        found = database.execute(query.replace("haggler:3", "haggler:1")).fetchall()
    assert [match for match, _ in found] == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
def test_the_recipe_in_python_gives_commitment_and_deals(arena: Arena, way: Path) -> None:
    assert arena("ladder", "season", "my-ladder", "close").code == 0
    recipe: dict[str, Any] = {}
    (text,) = blocks(PAGE, "python seeds")
    exec(text, recipe)
    (season, _) = json.loads(arena("ladder", "season", "my-ladder", "--json").out)
    assert recipe["commitment"](season["seed"]) == season["seed_sha256"]
    for number in range(1, 7):
        match = json.loads(arena("ladder", "show", "my-ladder", number, "--json").out)
        assert recipe["match_seed"](season["seed"], match["round"], match["name"]) == match["seed"]
    assert recipe["match_seed"]("5", 1, "x-4p/b0012/0-3-2-1") == recipe["match_seed"]("5", 1, "x-4p/b0012/2-1-0-3")


@pytest.mark.slow
def test_a_copy_is_restored_as_the_page_says(arena: Arena, way: Path, tmp_path: Path) -> None:
    assert arena("ladder", "backup", "my-ladder", "monday", "--with-secrets").code == 0
    assert arena("ladder", "play", "my-ladder", "--rounds", 1, "-q", "-j", 1).code == 0
    with closing(sqlite3.connect(way / "ladder.sqlite")) as database:
        before = database.execute("SELECT id, name, seed, sha256 FROM matches ORDER BY id").fetchall()
    way.rename(tmp_path / "my-ladder.broken")
    (tmp_path / "monday").rename(way)
    assert arena("ladder", "check", "my-ladder", "-q").code == 0
    assert arena("ladder", "play", "my-ladder", "--rounds", 1, "-q", "-j", 1).code == 0
    with closing(sqlite3.connect(way / "ladder.sqlite")) as database:
        assert database.execute("SELECT id, name, seed, sha256 FROM matches ORDER BY id").fetchall() == before
    assert "rounds come out the same" in FLAT["ladders"]
