"""Rules change, replays stay: one that does not follow any more says why, and a new key breaks none."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena.games.board
from arena.errors import Mismatch, ReplayError
from arena.games import load_game
from arena.games.contract import RulesVersion
from arena.match.walk.verify import verify_replay

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OLD = ROOT / "tests" / "golden" / "0.1.0"
PAGE = (ROOT / "arena" / "docs" / "files.md").read_text(encoding="utf-8")
REPLAY = (OLD / "outline-4p.jsonl").read_bytes()
SECOND = RulesVersion(2, "B5.4", "a Boss card cannot be stopped any more.")
THIRD = RulesVersion(3, "B3.1", "the marker moves the other way.")


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the board game's rules of a later version."""

    def change(*versions: RulesVersion) -> None:
        game = dataclasses.replace(arena.games.board.GAME, rules_versions=versions)
        monkeypatch.setattr(arena.games.board, "GAME", game)
        load_game.cache_clear()

    yield change
    monkeypatch.undo()
    load_game.cache_clear()


def test_a_replay_that_still_follows_verifies_whatever_has_changed(later: Any) -> None:
    later(SECOND, THIRD)
    assert verify_replay(REPLAY).header.rules_version == 1


def test_one_that_does_not_says_since_which_version_and_which_rules(later: Any) -> None:
    later(SECOND, THIRD)
    changed = REPLAY.replace(b'"event":"marker","space":', b'"event":"marker","space":1', 1)
    with pytest.raises(Mismatch) as caught:
        verify_replay(changed)
    assert re.match(r"line \d+:\n  expected .*\n  found    .*\n", str(caught.value))
    assert str(caught.value).endswith(
        "\n  written under rules version 1 of board; version 2 changed B5.4: a Boss card cannot be stopped any more.; "
        "version 3 changed B3.1: the marker moves the other way."
    )


def test_without_a_later_version_nothing_is_said_of_rules() -> None:
    with pytest.raises(Mismatch) as caught:
        verify_replay(REPLAY.replace(b'"event":"marker","space":', b'"event":"marker","space":1', 1))
    assert "rules version" not in str(caught.value)


def test_a_match_is_written_under_the_latest_version_which_an_older_arena_does_not_know(
    later: Any, contest: Any
) -> None:
    later(SECOND)
    replay = contest("silent", "silent").replay
    assert verify_replay(replay).header.rules_version == 2
    later()
    with pytest.raises(ReplayError, match="line 1: written under rules version 2 of board; this arena knows up to 1"):
        verify_replay(replay)


class Copy:
    """A copy of arena in a folder of its own, to be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("arena", "bots", "configs"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))

    def insert(self, file: str, before: str, line: str) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, line + before), encoding="utf-8")

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run its command."""
        words = [sys.executable, "-m", "arena", *map(str, arguments)]
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)


KEYS = {
    "board": ("arena/games/board/rules.py", "    fair_share: bool\n", "configs/rules/board-base.yaml", "fair_share:"),
    "cards": ("arena/games/cards/rules.py", "    start_money: Count\n", "configs/rules/card-game.yaml", "start_money:"),
}


@pytest.mark.parametrize("game", KEYS)
def test_a_key_that_is_added_as_the_page_says_breaks_no_older_replay(game: str, tmp_path: Path) -> None:
    recipe = " ".join(PAGE.split("- To add a key to editions: ")[1].split("\n- ")[0].split())
    rules, field, base, key = KEYS[game]
    assert Path(base).name in recipe
    assert "In `rules.py` give the key a default with which the game is played as before" in recipe
    copy = Copy(tmp_path / "copy")
    copy.insert(rules, field, "    weather: bool = False\n")
    copy.insert(base, f"\n{key}", "\nweather: false")
    ran = copy.run("verify", OLD, *sorted(OLD.parent.glob("*.jsonl")), "-q")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    edition = {"board": "outline", "cards": "card-game"}[game]
    ran = copy.run("match", *["random-legal"] * 3, "--rules", edition, "--seed", 1, "--trust", "-o", "new.jsonl")
    assert ran.returncode == 0
    assert b'"weather":false' in (copy.folder / "new.jsonl").read_bytes().partition(b"\n")[0]
    assert copy.run("verify", "new.jsonl").returncode == 0


def test_a_key_without_a_default_would_break_them(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "copy")
    rules, field, _, _ = KEYS["board"]
    copy.insert(rules, field, "    weather: bool\n")
    ran = copy.run("verify", OLD / "outline-4p.jsonl")
    assert ran.returncode == 3
    assert "missing required field `weather`" in ran.stdout
