"""With ``--json`` verify, show, rerun and docs print one JSON document, and end with the same exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.match.walk.verify import verify_replay
from arena.runs.planning.isolation_level import strictest_isolation

RUN = """
name: tiny
seed: 5
entrants: [greedy, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]
isolation: none
"""


@pytest.fixture
def replay(arena: Any, tmp_path: Path) -> Path:
    assert arena("match", "greedy", "silent", "--seed", "3", "--rule", "max_turns=6", "-o", "m.jsonl").code == 0
    return tmp_path / "m.jsonl"


def document(arena: Any, *words: object, code: int = 0) -> Any:
    """What a command prints with ``--json``."""
    ran = arena(*words, "--json")
    assert (ran.code, ran.err) == (code, f"isolation {strictest_isolation().level}\n" if words[0] == "rerun" else "")
    return json.loads(ran.out)


def test_verification_of_a_file(arena: Any, replay: Path) -> None:
    unchecked = list(verify_replay(replay.read_bytes()).unchecked)
    assert document(arena, "verify", "m.jsonl") == {
        "verified": True,
        "replays": [{"file": "m.jsonl", "verified": True, "problem": "", "exit_code": 0, "unchecked": unchecked}],
        "runs": [],
    }


def test_verification_that_fails_tells_every_file(arena: Any, replay: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(replay.read_bytes().replace(b'"event":"drew"', b'"event":"lost"', 1))
    found = document(arena, "verify", "m.jsonl", "bad.jsonl", code=3)
    assert (found["verified"], [each["verified"] for each in found["replays"]]) == (False, [True, False])
    assert found["replays"][1]["problem"].startswith("bad.jsonl: line ")
    (tmp_path / "none.jsonl").write_text("hello\n")
    assert document(arena, "verify", "none.jsonl", code=2)["replays"][0]["unchecked"] == []


def test_verification_of_a_run(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(RUN)
    assert arena("run", "tiny.yaml", "-o", "out", "-q").code == 0
    found = document(arena, "verify", "out")
    assert (found["verified"], len(found["replays"])) == (True, 2)
    run = {"folder": "out", "state": "complete", "share": "", "matches": 2, "finished": 2, "fell_away": 0, "replays": 2}
    root = json.loads((tmp_path / "out" / "manifest.json").read_bytes())["root"]
    assert found["runs"] == [{**run, "played_again": 0, "root": root, "standings_unchecked": "", "problems": []}]
    (tmp_path / "out" / "standings.csv").unlink()
    found = document(arena, "verify", "out", code=3)
    assert (found["verified"], len(found["runs"][0]["problems"])) == (False, 1)


def test_a_story(arena: Any, replay: Path) -> None:
    whole = document(arena, "show", "m.jsonl")
    assert {key: whole[key] for key in whole if key != "lines"} == {
        "game": "board",
        "edition": "eagle-gryphon+max_turns=6",
        "seed": "3",
        "entrants": ["greedy", "silent"],
    }
    assert all(list(each) == ["line", "text", "apart", "ask", "kind"] for each in whole["lines"])
    told, before = [" line   ask\n"], None
    for each in whole["lines"]:
        ask = "" if each["ask"] in (None, before) else each["ask"]
        before = each["ask"] or before
        told.append(("\n" if each["apart"] else "") + f"{each['line']:>5} {ask:>5}  {each['text']}\n")
    assert "".join(told) == arena("show", "m.jsonl").out
    part = document(arena, "show", "m.jsonl", "--from", "#20", "--to", 40, "--seat", 1)["lines"]
    assert {each["seen"] for each in part} <= set(range(20, 41))
    assert all(list(each) == ["text", "apart", "ask", "kind", "seen"] for each in part)


@pytest.mark.slow
def test_a_match_played_again(arena: Any, write_bot: Any) -> None:
    write_bot("def turn(self, view): return self.play_on(view)")
    words = ("match", "./player.py", "silent", "--seed", "3", "--rule", "max_turns=6", "-o", "m.jsonl")
    assert arena(*words).code == 0
    assert document(arena, "rerun", "m.jsonl") == {"file": "m.jsonl", "identical": True, "difference": None}
    write_bot("def turn(self, view): return Open() if self.refusal(view, Open()) is None else self.play_on(view)")
    found = document(arena, "rerun", "m.jsonl", "--bot", "player=./player.py", code=1)
    assert found["identical"] is False
    assert found["difference"]["then"].endswith('seat 0, turn: {"move":"roll"}')
    assert '"open"' in found["difference"]["now"]
    assert found["difference"]["then"].startswith(f"ask {found['difference']['ask']}: ")


def test_pages(arena: Any) -> None:
    pages = document(arena, "docs")
    lines = [line for line in arena("docs").out.splitlines() if line.startswith("  ")]
    assert [f"  {each['name']:<18}{each['aim']}" for each in pages] == lines
    page = document(arena, "docs", "replay")
    assert list(page) == ["name", "title", "group", "aim", "text"]
    assert page["text"] == arena("docs", "replay").out
    assert document(arena, "docs", "replay-schema")["text"] == arena("docs", "replay-schema").out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("docs reply", "arena: no page 'reply' (did you mean 'replay'?)"),
        ("show m.jsonl --seat 7", "arena: there is no seat 7; seats are 0 to 1\n"),
        ("rerun m.jsonl --bot x", "arena: --bot x: expected ENTRANT=BOT"),
        ("verify .", "arena: no replays (*.jsonl) below ."),
    ],
)
def test_mistakes_are_told_as_without_it(words: str, problem: str, arena: Any, replay: Path, tmp_path: Path) -> None:
    if words == "verify .":
        replay.unlink()
    ran = arena(*words.split(), "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(problem)
