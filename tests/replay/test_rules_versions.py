"""Rules change, replays stay: one that does not follow any more says why, and a new key breaks none."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import arena.games.board
from arena.errors import Mismatch, ReplayError
from arena.games import load_game
from arena.games.contract import RulesVersion
from arena.match.walk.verify import verify_replay
from tests.changed_copy import ROOT, ChangedCopy
from tests.conftest import Arena, Ran

pytestmark = pytest.mark.slow

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


KEYS = {
    "board": ("arena/games/board/rules.py", "    fair_share: bool\n", "configs/rules/board-base.yaml", "fair_share:"),
    "cards": ("arena/games/cards/rules.py", "    start_money: Count\n", "configs/rules/card-game.yaml", "start_money:"),
}
WEATHER = "    weather: Annotated[bool, LATER] = False\n"


def replays_of(game: str) -> list[Path]:
    """The recorded matches of a game, old and new."""
    found = [path for path in sorted(OLD.parent.rglob("*.jsonl")) if f'"game":"{game}"'.encode() in path.read_bytes()]
    assert {path.parent for path in found} >= {OLD, OLD.parent}
    return found


def with_key(folder: Path) -> ChangedCopy:
    """A copy in which the rules of either game have a key more, as the page says, whose default changes nothing."""
    recipe = " ".join(PAGE.split("- To add a key to editions: ")[1].split("\n- ")[0].split())
    assert "mark it `LATER` (`arena/games/canonical_rules.py`) and give it a default" in recipe
    copy = ChangedCopy(folder)
    for rules, field, base, key in KEYS.values():
        assert Path(base).name in recipe
        copy.insert(rules, field, WEATHER)
        copy.insert(rules, "import msgspec\n", "from arena.games.canonical_rules import LATER\n")
        copy.insert(base, f"\n{key}", "\nweather: false")
    return copy


def test_a_key_that_is_added_as_the_page_says_leaves_replays_runs_ladders_and_branches_as_they_were(
    tmp_path: Path, arena: Arena
) -> None:
    """What was begun before there was the key goes on after it, with the same bytes, and replays verify. The digests
    of arena's own code tell the two programs apart, and would refuse (``tests/runs/test_code_digest.py``), so they are
    taken out."""
    (tmp_path / "short.yaml").write_text("parent: card-game\nname: short\nrounds: {3: 1}\n")
    edition = tmp_path / "short.yaml"
    bots = ["random-legal", "fair", "miser"]
    (tmp_path / "own.yaml").write_text(
        f"name: own\nseed: '7'\nentrants: [{', '.join(bots)}]\neditions: [{edition}]\nseats: 3\nblocks: 1\n"
    )
    folder, broken = tmp_path / "run", tmp_path / "broken"
    begin = ("run", tmp_path / "own.yaml", "--trust", "-j", 1, "-q")
    match = ("match", *bots, "--rules", edition, "--seed", 1, "--trust", "-o")
    branch = ("--at", "ask4", "--bot", "fair", "--repeat", 2, "--trust", "--json", "-q", "-j", 1)
    ladder = tmp_path / "ladder"
    play = ("ladder", "play", ladder, "--trust", "-j", 1, "-q", "--rounds", 1)
    done(arena(*begin, "--out", folder))
    done(arena(*match, tmp_path / "before.jsonl"))
    branched = done(arena("branch", tmp_path / "before.jsonl", *branch))
    few = ("--set", "round_tables=1", "--set", "isolation=none", "--set", f"anchors=[{','.join(bots)}]")
    done(arena("ladder", "init", ladder, "--rules", edition, "--seats", 3, *few))
    done(arena(*play))
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "code": {}}))
    shutil.copytree(folder, broken)
    lines = (broken / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (broken / "matches.jsonl").write_bytes(b"".join(lines[:1]))  # as one that was killed leaves it

    copy = with_key(tmp_path / "copy")

    shown, _, branched_again, _, _, reused, _, _, other, *_, verified = (
        done(Ran(*ran))
        for ran in copy.run_each(
            ("rules", "show", edition),
            (*match, tmp_path / "after.jsonl"),
            ("branch", tmp_path / "after.jsonl", *branch),
            ("verify", folder, *replays_of("cards"), "-q"),
            ("run", "--resume", broken, "--trust", "-j", 1, "-q"),
            (*begin, "--out", tmp_path / "reused", "--reuse", folder),
            play,
            ("ladder", "check", ladder, "-q"),
            ("rules", "show", edition, "--rule", "weather=true"),
            (*match, tmp_path / "weather.jsonl", "--rule", "weather=true"),
            ("verify", tmp_path / "weather.jsonl"),
            ("verify", *replays_of("board"), "-q"),
        )
    )
    digest = done(arena("rules", "show", edition)).splitlines()[0]
    assert verified == ""
    assert shown.splitlines()[0] == digest
    assert "weather: false" in shown.splitlines()
    assert (tmp_path / "after.jsonl").read_bytes() == (tmp_path / "before.jsonl").read_bytes()
    assert branched_again.replace("after", "before") == branched
    assert "3 matches" in reused
    for name in ("matches.jsonl", "standings.json"):
        assert (broken / name).read_bytes() == (tmp_path / "reused" / name).read_bytes() == (folder / name).read_bytes()
    assert other.splitlines()[0] != digest
    assert b'"weather":true' in (tmp_path / "weather.jsonl").read_bytes().partition(b"\n")[0]


def done(ran: Ran) -> str:
    """What a command printed that was to succeed."""
    assert ran.code == 0, ran.out + ran.err
    return ran.out


def test_a_key_without_a_default_would_break_them(tmp_path: Path) -> None:
    copy = ChangedCopy(tmp_path / "copy")
    rules, field, _, _ = KEYS["board"]
    copy.insert(rules, field, "    weather: bool\n")
    ran = copy.run("verify", OLD / "outline-4p.jsonl")
    assert ran.returncode == 3
    assert "missing required field `weather`" in ran.stdout
