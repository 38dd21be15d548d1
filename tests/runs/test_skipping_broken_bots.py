"""One bad submission stops no night: it is left out, and everybody is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.tournament.tables.table_text import as_written

TOURNAMENT = """
name: night
seed: 5
entrants: [random-legal, ./broken.py, greedy, ./missing.py, ./leaves.py]
editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]
seats: 2
"""
REASONS = {
    "broken": "bot broken.py cannot be loaded: ZeroDivisionError: division by zero at line 1 in <module>",
    "missing": "no bot file ",
    "leaves": "bot leaves.py ended its process while it was loaded",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, loaded_apart: None) -> None:
    (tmp_path / "t.yaml").write_text(TOURNAMENT)
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "leaves.py").write_text("import os; os._exit(0)\n")


@pytest.mark.slow
@pytest.mark.parametrize("trust", [[], ["--trust"]])
@pytest.mark.parametrize("by", ["option", "key"])
def test_the_others_play_and_all_are_told_who_was_not_admitted(
    by: str, trust: list[str], arena: Any, tmp_path: Path
) -> None:
    how = ["--skip-broken"] if by == "option" else ["--set", "skip_broken=true"]
    ran = arena("run", "t.yaml", "-q", "-o", "out", *how, *trust)
    assert ran.code == 0
    told = [line for line in ran.err.split("\n") if line.startswith("not admitted: ")]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    page = (tmp_path / "out" / "standings.md").read_text()
    assert list(manifest["skipped"]) == list(REASONS)
    assert list(manifest["entrants"]) == ["random-legal", "greedy"]
    for line, (name, why) in zip(told, REASONS.items(), strict=True):
        assert line.startswith(f"not admitted: {name}: {why}")
        assert manifest["skipped"][name].startswith(why)
        assert "\n" + as_written(f"Not admitted: {name}: {why}") in page


@pytest.mark.slow
def test_a_run_without_them_is_resumed_and_repeated_without_them(arena: Any, tmp_path: Path) -> None:
    assert arena("run", "t.yaml", "-q", "-o", "out", "--skip-broken").code == 0
    (tmp_path / "broken.py").write_text("from arena.games.board import BoardBot\nclass Now(BoardBot): pass\n")
    before = (tmp_path / "out" / "matches.jsonl").read_bytes()
    (tmp_path / "out" / "matches.jsonl").write_bytes(before[: before.index(b"\n") + 1])
    assert arena("run", "-q", "--resume", "out").code == 0
    assert (tmp_path / "out" / "matches.jsonl").read_bytes() == before
    assert list(json.loads((tmp_path / "out" / "manifest.json").read_text())["skipped"]) == list(REASONS)
    assert arena("run", "out/config.resolved.yaml", "-q", "-o", "again").code == 0
    assert (tmp_path / "again" / "matches.jsonl").read_bytes() == before


def test_without_the_option_the_first_broken_bot_stops_the_run(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TOURNAMENT.replace(", ./missing.py", ""))
    ran = arena("run", "t.yaml", "-q", "-o", "out")
    assert ran.code == 2
    assert "entrants[1].bot: bot broken.py cannot be loaded" in ran.err
    assert not (tmp_path / "out").exists()


def test_one_that_is_left_plays_with_nobody(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TOURNAMENT.replace("greedy", "./broken.py:Other"))
    ran = arena("run", "t.yaml", "-q", "-o", "out", "--skip-broken")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "entrants: only 1 of 5 bots can be loaded (broken: bot broken.py cannot be loaded: " in ran.err


def test_a_table_that_cannot_be_filled_any_more_is_told_with_who_is_missing(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TOURNAMENT.replace("seats: 2", "seats: 3"))
    ran = arena("run", "t.yaml", "-q", "-o", "out", "--skip-broken")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.endswith("(not admitted: broken, missing, leaves)\n")


@pytest.mark.slow
def test_a_dry_run_tells_it_too(arena: Any) -> None:
    ran = arena("run", "t.yaml", "--dry-run", "--skip-broken")
    assert ran.code == 0
    assert ran.err.count("not admitted: ") == 3
