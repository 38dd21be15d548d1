"""What the commands print with which bots and authors enter a ladder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.runs.planning.isolation_level import strictest_isolation

LADDER = """
name: tiny
rules: eagle-gryphon
changes: {max_turns: 4}
seats: 2
anchors: [greedy, silent]
isolation: none
entry: {check_matches: 1, tokens: true}
"""
MODEST = """
from arena.games.board import BoardBot, Draw, Roll

class Modest(BoardBot):
    def turn(self, view):
        return Draw() if view.rolled else Roll()
"""


@pytest.fixture
def ladder(arena: Any, tmp_path: Path) -> str:
    (tmp_path / "tiny.yaml").write_text(LADDER)
    (tmp_path / "modest.py").write_text(MODEST)
    assert arena("ladder", "init", "here", "--config", "tiny.yaml").code == 0
    return "here"


@pytest.mark.slow
def test_an_author_with_a_token_submits_and_withdraws_a_bot(ladder: str, arena: Any, monkeypatch: Any) -> None:
    made = arena("ladder", "author", ladder, "ann")
    assert re.fullmatch(r"[\w-]{43}\n", made.out)
    assert made.err.startswith("the token of author ann, which is shown only once")
    refused = arena("ladder", "submit", ladder, "./modest.py", "--author", "ann")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "arena: author ann has a token: give it with --token or in ARENA_LADDER_TOKEN\n"

    monkeypatch.setenv("ARENA_LADDER_TOKEN", made.out.strip())
    ran = arena("ladder", "submit", ladder, "./modest.py", "--option", "seed=1")
    assert ran.code == 1
    assert ran.out.startswith("refused   bot modest.py has no option 'seed'; it takes none\n")
    assert ran.out.endswith("modest of author ann is not admitted to tiny\n")
    ran = arena("ladder", "submit", ladder, "./modest.py", "-j", 1)
    taking = f"taking modest.py, {len(MODEST)} bytes\n"
    assert (ran.code, ran.err) == (
        0,
        f"{taking}checking modest: 1 match twice, isolation {strictest_isolation().level}\n",
    )
    lines = ran.out.splitlines()
    assert re.fullmatch(r"check     2 matches of eagle-gryphon\S*, 2 seats, seed [0-9a-f]{32}", lines[0])
    assert lines[-1] == "modest:1 of author ann is admitted to tiny, from the next round on"
    assert max(map(len, lines)) <= 100
    again = arena("ladder", "submit", ladder, "./modest.py", "--json")
    told = json.loads(again.out)
    assert (again.code, told["known"], told["version"], told["report"]) == (0, True, "modest:1", None)

    gone = arena("ladder", "retire", ladder, "modest")
    assert (gone.code, gone.out) == (0, "modest:1 is retired (by ann); it was active\n")
    known = arena("ladder", "submit", ladder, "./modest.py")
    assert known.out == "modest:1 is in tiny already, with the same bytes, and retired: nothing to do\n"
    assert known.err == "to let it play: arena ladder enable here modest:1\n"


def test_the_operator_puts_a_bot_out_and_lets_it_in_again(ladder: str, arena: Any) -> None:
    out = arena("ladder", "disable", ladder, "greedy", "--why", "a test", "--json")
    assert json.loads(out.out) == [{"version": "greedy:1", "before": "active", "after": "disabled", "why": "a test"}]
    assert arena("ladder", "enable", ladder, "greedy").out == "greedy:1 is active; it was disabled\n"
    assert arena("ladder", "disable", ladder, "gredy", "--why", "x").err == (
        "arena: no bot 'gredy' was submitted (did you mean 'greedy'?); there are greedy, silent\n"
    )
    assert "Missing option '--why'" in arena("ladder", "disable", ladder, "greedy").err


def test_a_build_that_fails_is_shown_with_its_last_lines(ladder: str, arena: Any) -> None:
    ran = arena("ladder", "submit", ladder, "./modest.py", "--author", "operator", "--build", "sh -c 'seq 30; exit 4'")
    assert ran.code == 1
    assert ran.out.startswith("refused   the build ended with exit code 4\nbuild     sh -c 'seq 30; exit 4': ")
    assert "\n  | 10\n" not in ran.out
    assert ran.out.endswith("  | 30\nmodest of author operator is not admitted to tiny\n")


def test_nothing_is_the_operators_for_want_of_a_token_nor_known_because_another_has_it(ladder: str, arena: Any) -> None:
    ran = arena("ladder", "submit", ladder, "./modest.py")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arena: name the author (entry.tokens): with the author's token in ARENA_LADDER_TOKEN")
    token = arena("ladder", "author", ladder, "ann").out.strip()
    ran = arena("ladder", "submit", ladder, "greedy", "--token", token)
    assert ran.code == 1
    assert ran.out.startswith("refused   the name 'greedy' belongs to author operator; choose another with --name\n")
    assert arena("ladder", "submit", ladder, "greedy", "--author", "operator").out.startswith("greedy:1 is in tiny")
    assert "--name: expected a name, got ''" in arena("ladder", "submit", ladder, "greedy", "--name", "").err


@pytest.mark.parametrize("command", ["author", "submit", "retire", "disable", "enable"])
def test_every_help_ends_with_an_example(command: str, arena: Any) -> None:
    ran = arena("ladder", command, "-h")
    assert (ran.code, ran.err) == (0, "")
    assert f"\n    arena ladder {command} " in ran.out
