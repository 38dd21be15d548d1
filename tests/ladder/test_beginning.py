"""``arena ladder init``: a ladder begins with its anchors and a secret of its own, or not at all."""

from __future__ import annotations

import json
import sqlite3
from hashlib import sha256
from pathlib import Path

import pytest

from arena.config.ladder_yaml import find_ladder_file, load_ladder
from arena.ladder.entry import admission_rows
from arena.runs.planning import isolation_level
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import LayerProbe, Level
from tests.conftest import Arena
from tests.ladder.conftest import TINY

INIT = ("ladder", "init", "league", "--config", "tiny.yaml")


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Where a ladder is going to be; its file lies beside it."""
    (tmp_path / "tiny.yaml").write_text(TINY)
    return tmp_path / "league"


def rows(league: Path, query: str) -> list[tuple[object, ...]]:
    """The rows of its database."""
    database = sqlite3.connect(league / "ladder.sqlite")
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


def test_beginning_that_is_broken_off_has_begun_nothing_and_is_done_again(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = []

    def keep(*given: object) -> object:
        kept.append(given)
        if len(kept) == 2:
            raise KeyboardInterrupt
        return keep_files(*given)  # type: ignore[arg-type]

    keep_files = admission_rows.keep_files
    with monkeypatch.context() as patched:
        patched.setattr(admission_rows, "keep_files", keep)
        assert arena(*INIT).code == 130
    for table in ("ladders", "seasons", "versions", "entries", "changes"):
        assert rows(league, f"SELECT * FROM {table}") == []
    ran = arena("ladder", "standings", "league")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "arena: no ladder was begun here (begin one with: arena ladder init)\n"
    assert arena(*INIT).code == 0
    anchors = "SELECT b.name, e.anchor FROM entries e JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot"
    assert sorted(rows(league, anchors)) == [("greedy", 1), ("random-legal", 2)]


def test_the_league_of_strangers_that_ships_with_arena_is_played_locked_or_not_at_all(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, _ = load_ladder(find_ladder_file("nightly"))
    assert (config.isolation, config.require) == ("process", Level.LOCKED)
    weak = [LayerProbe(layer, layer in (Layer.SESSION, Layer.LIMITS), "tried") for layer in Layer]
    held = tuple(each.layer for each in weak if each.holds)
    monkeypatch.setattr(isolation_level, "probe_layers", lambda: weak)
    monkeypatch.setattr(isolation_level, "policy_here", lambda policy: SandboxPolicy(layers=held))
    ran = arena("ladder", "init", "league", "--config", "nightly")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arena: this system reaches only level process, not locked (")
    assert ran.err.endswith("; see: arena doctor\n")
    assert not (tmp_path / "league").exists()


def test_a_ladder_never_begins_with_a_seed_that_was_drawn_before(arena: Arena, league: Path) -> None:
    assert arena(*INIT).code == 0
    before = json.loads((league / "secrets.json").read_text())["tiny.1"]
    (league / "ladder.sqlite").unlink()
    assert arena(*INIT).code == 0
    after = json.loads((league / "secrets.json").read_text())["tiny.1"]
    assert after != before
    assert rows(league, "SELECT seed_sha256 FROM seasons") == [(sha256(after.encode()).hexdigest(),)]


def test_a_second_ladder_of_the_name_changes_nothing_of_the_first(arena: Arena, league: Path) -> None:
    assert arena(*INIT).code == 0
    before = (league / "secrets.json").read_bytes()
    ran = arena(*INIT)
    assert ran.code == 2
    assert ran.err == "arena: league has a ladder 'tiny' already; choose another name with --name\n"
    assert (league / "secrets.json").read_bytes() == before


def test_an_anchor_cannot_have_the_name_of_somebodys_bot(arena: Arena, league: Path) -> None:
    assert arena(*INIT).code == 0
    database = sqlite3.connect(league / "ladder.sqlite")
    with database:
        database.execute("INSERT INTO authors (name, began) VALUES ('mira', '')")
        database.execute("UPDATE bots SET author = 2 WHERE name = 'greedy'")
    database.close()
    ran = arena(*INIT, "--name", "other")
    assert ran.code == 2
    assert "anchor greedy: the name 'greedy' belongs to author mira in this folder; give the anchor another" in ran.err
    assert rows(league, "SELECT name FROM ladders") == [("tiny",)]
