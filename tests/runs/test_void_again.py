"""Void matches are played again when that is asked for, and it is told that they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TOURNAMENT = """
name: voids
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, ./moody.py, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 6}}]
seats: 2
blocks: 2
tables: all
fault_policy: void
"""
MOODY = "def turn(self, view):\n    if os.path.exists({mood!r}): raise ValueError\n    return self.play_on(view)\n"


@pytest.fixture
def mood(tmp_path: Path, write_bot: Any) -> Path:
    """While this file is there, a bot fails: as a busy machine makes bots late, which do well on another day."""
    found = tmp_path / "mood"
    write_bot(MOODY.format(mood=str(found)), "moody")
    (tmp_path / "voids.yaml").write_text(TOURNAMENT)
    return found


def voids(out: Path) -> int:
    return (out / "matches.jsonl").read_text().count('"void":true')


def replays(folder: Path) -> dict[str, bytes | None]:
    from arena.storage.run_folder import FolderStore

    store = FolderStore(folder)
    return {record.id: store.replay(record.id) for record in store.records()}


@pytest.mark.slow
def test_void_matches_are_played_again_to_the_bytes_of_a_run_without_any(
    arena: Any, mood: Path, tmp_path: Path
) -> None:
    trusted = ("--trust", "-q")
    assert arena("run", "voids.yaml", "-o", "whole", *trusted).code == 0
    mood.touch()
    assert arena("run", "voids.yaml", "-o", "out", *trusted).code == 0
    out, whole = tmp_path / "out", tmp_path / "whole"
    assert voids(out) == 8
    mood.unlink()
    ran = arena("run", "--resume", "out", "--trust", "--retry-void", "-q")
    assert ran.code == 0
    assert ran.err.splitlines()[1:] == ["8 void matches are played again", "faults: none"]
    for name in ("matches.jsonl", "standings.json", "crosstable.csv"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()
    assert replays(out) == replays(whole)
    assert (out / "timings.jsonl").read_bytes().count(b"\n") == 12
    assert json.loads((out / "manifest.json").read_text())["played_again"] == 8
    checked = arena("verify", "out")
    assert checked.code == 0
    assert "12 of 12 matches (8 were played again); " in checked.out


@pytest.mark.slow
def test_a_match_that_is_void_again_stays_void_and_others_are_not_touched(
    arena: Any, mood: Path, tmp_path: Path
) -> None:
    mood.touch()
    assert arena("run", "voids.yaml", "-o", "out", "--trust", "-q").code == 0
    out = tmp_path / "out"
    before, kept = (out / "matches.jsonl").read_bytes(), replays(out)
    for times in (1, 2):
        assert arena("run", "--resume", "out", "--trust", "--retry-void", "-q").code == 0
        assert (out / "matches.jsonl").read_bytes() == before
        assert replays(out) == kept
        assert json.loads((out / "manifest.json").read_text())["played_again"] == 8 * times
    assert arena("verify", "out", "-q") == (0, "", "")


def test_without_void_matches_there_is_nothing_to_play_again(arena: Any, mood: Path) -> None:
    assert arena("run", "voids.yaml", "-o", "out", "--trust", "-q").code == 0
    ran = arena("run", "--resume", "out", "--trust", "--retry-void", "-q")
    assert ran.code == 0
    assert ran.err.splitlines()[1:] == ["no void matches are played again", "faults: none"]


def test_it_is_refused_where_later_matches_depend_on_void_ones(arena: Any, mood: Path, tmp_path: Path) -> None:
    assert arena("run", "voids.yaml", "-o", "out", "--trust", "-q", "--set", "suspend_after=5").code == 0
    before = (tmp_path / "out" / "matches.jsonl").read_bytes()
    ran = arena("run", "--resume", "out", "--trust", "--retry-void", "-q")
    assert ran.code == 2
    why = "who is suspended in later blocks (suspend_after) follows from them"
    assert ran.err.endswith(f"arena: --retry-void: void matches of this run cannot be played again: {why}\n")
    assert (tmp_path / "out" / "matches.jsonl").read_bytes() == before


def test_it_needs_a_run_to_resume(arena: Any, mood: Path) -> None:
    ran = arena("run", "voids.yaml", "--retry-void")
    assert ran.code == 2
    assert ran.err.endswith("--retry-void plays void matches of a run again; name the run with --resume DIR\n")
