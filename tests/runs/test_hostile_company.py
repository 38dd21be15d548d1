"""What one bot, or one file from a stranger, must not do to everybody else."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.config.editions import load_edition
from arena.errors import Mismatch, ReplayError
from arena.games.board import GAME
from arena.games.chance import Chance
from arena.match.walk.verify import verify_replay
from arena.testing import play

DIES = "def turn(self, view):\n    if view.turn > 2: os._exit(3)\n    return Roll() if not view.rolled else Draw()"
TALKS = "def turn(self, view):\n    print('x' * 3000)\n    return Roll() if not view.rolled else Draw()"


RULES = load_edition("eagle-gryphon").rules


def tournament(folder: Path, *entrants: str, blocks: int = 3) -> None:
    edition = "{rules: eagle-gryphon, changes: {max_turns: 5}}"
    text = f"name: t\nseed: 1\nentrants: [{', '.join(entrants)}]\neditions: [{edition}]\nblocks: {blocks}\n"
    (folder / "t.yaml").write_text(text)


@pytest.mark.slow
def test_a_bot_that_dies_while_others_fill_the_log_neither_holds_the_run_up_nor_silences_the_log(
    real_arena: Any, write_bot: Any, tmp_path: Path
) -> None:
    write_bot(DIES, "dies")
    write_bot(TALKS, "talks")
    tournament(tmp_path, "./dies.py", "./talks.py", "greedy", blocks=1)
    assert real_arena("run", "t.yaml", "-o", "out", "-q", "--trust").code == 0
    log = (tmp_path / "out" / "logs" / "run.log").read_text()
    printed = log.count("printed: xxx")
    records = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    assert len(records) == 3
    assert printed >= len(records)
    assert "matches are finished" in log


@pytest.mark.slow
def test_a_bot_that_lowers_the_recursion_limit_is_broken_and_harms_nobody(
    arena: Any, write_bot: Any, tmp_path: Path
) -> None:
    for name, limit in (("low", "len(__import__('inspect').stack()) + 12"), ("lower", "60")):
        turn = f"sys.setrecursionlimit({limit})\n    return Roll() if not view.rolled else Draw()"
        write_bot(f"def turn(self, view):\n    {turn}", name)
    tournament(tmp_path, "greedy", "fair", "./low.py", "./lower.py", blocks=1)
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines():
        for seat in json.loads(line)["seats"]:
            assert set(seat["faults"]) == ({"broken"} if seat["entrant"] in ("low", "lower") else set())


def with_header(replay: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The replay with a changed header and the closing hash made right."""
    first, *rest, last, _ = replay.split(b"\n")
    header, result = json.loads(first), json.loads(last)
    change(header)
    before = b"\n".join([json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode(), *rest, b""])
    result["sha256"] = sha256(before).hexdigest()
    return before + json.dumps(result, separators=(",", ":")).encode() + b"\n"


@pytest.fixture(scope="module")
def replay() -> bytes:
    return play("silent", "greedy", seed="3").replay


def test_a_header_that_names_another_edition_than_its_rules_does_not_verify(replay: bytes) -> None:
    verify_replay(with_header(replay, lambda header: None))
    with pytest.raises(Mismatch, match="an edition that its rules have"):
        verify_replay(with_header(replay, lambda header: header.update(edition="outline")))


def test_a_replay_cannot_have_a_module_of_its_choice_imported(
    replay: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evil.py").write_text("open('evil.txt', 'w')")
    (tmp_path / "evilpkg").mkdir()
    (tmp_path / "evilpkg" / "go.py").write_text("from pathlib import Path\nPath('ran').touch()")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReplayError, match="there is no game"):
        verify_replay(with_header(replay, lambda header: header.update(game="evilpkg.go")))
    assert not (tmp_path / "ran").exists()


def test_what_a_bot_does_to_the_space_it_is_shown_is_not_what_the_engine_judges_by() -> None:
    state = GAME.start(RULES, 3, Chance("x"), None)
    space: Any = state.view(0).space  # type: ignore[attr-defined]
    msgspec.structs.force_setattr(space, "dividends", 99)
    assert all(space.dividends < 99 for space in RULES.spaces)
    assert GAME.start(RULES, 3, Chance("x"), None).view(0).space.dividends < 99  # type: ignore[attr-defined]


def test_a_replay_can_be_written_to_what_is_no_regular_file(arena: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        settings = ("--rule", "max_turns=2")
        assert arena("match", "silent", "silent", *settings, "--seed", "1", "--out", "pipe").code == 0
        assert os.read(reader, 20) == b'{"event":"match","fo'
    finally:
        os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.slow
@pytest.mark.parametrize(("change", "why"), [("twice", "occurs twice"), ("other", "is no match of this run")])
def test_a_run_does_not_go_on_from_records_that_cannot_be_its_own(
    change: str, why: str, arena: Any, tmp_path: Path
) -> None:
    tournament(tmp_path, "silent", "greedy")
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    matches = tmp_path / "out" / "matches.jsonl"
    lines = matches.read_text().splitlines(keepends=True)
    new = lines[0] if change == "twice" else lines[0].replace("/b0000/", "/b0999/")
    matches.write_text("".join([*lines, new]))
    ran = arena("run", "--resume", "out", "-q")
    assert ran.code == 2
    assert f"out/matches.jsonl:{len(lines) + 1}: " in ran.err
    assert why in ran.err


@pytest.mark.slow
def test_the_number_of_matches_of_a_huge_tournament_is_told_at_once(arena: Any, tmp_path: Path) -> None:
    tournament(tmp_path, "silent", "greedy", blocks=10**9)
    began = time.monotonic()
    ran = arena("run", "t.yaml", "--dry-run", "--pilot", 1)  # too short a pilot to be played
    assert ran.out.startswith("eagle-gryphon+set-")
    assert f"{2 * 10**9} matches in " in ran.out
    assert time.monotonic() - began < 60


def test_an_edition_that_is_shown_is_a_rules_file(arena: Any, tmp_path: Path) -> None:
    shown = arena("rules", "show", "face2face-2003", "--variant", "short-game").out
    (tmp_path / "mine.yaml").write_text(shown)
    assert arena("rules", "check", "./mine.yaml").code == 0
