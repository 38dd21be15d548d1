"""``arena null``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_it_plays_copies_and_says_what_they_show_of_the_numbers(arena: Any) -> None:
    ran = arena("null", "silent", "--blocks", "3", "--copies", "3", "--players", "3", "--seed", "1", "--trust", "-q")
    assert ran.code == 0
    assert ran.out.startswith("null run: all entrants are the same bot; any difference between them is chance\n")
    assert "All copies have exactly the same results in every block" in " ".join(ran.out.split())
    assert "arena null silent --blocks 3 --copies 3 --players 3 --rules eagle-gryphon --seed 1 --trust" in ran.err


def test_what_cannot_miss_and_what_shows_nothing_is_told_apart(arena: Any) -> None:
    ran = arena("null", "greedy", "--blocks", "5", "--seed", "1", "--rule", "max_turns=2", "--trust", "-q")
    flat = " ".join(ran.out.split())
    assert re.search(r"In (\d+) of 48 all blocks are alike, because the bot repeats itself: they cannot miss\.", flat)
    assert "Wins show nothing here, because all copies have the same value in every block; money can." in flat
    assert re.search(r": 0\.\d{4} \(money\), by 9,999 shuffles", flat), "the one of wins is 1 in any case"


def test_the_matches_of_a_run_are_judged_from_its_folder(arena: Any, tmp_path: Path) -> None:
    text = "entrants: [{bot: silent, name: a}, {bot: silent, name: b}, {bot: silent, name: c}]\neditions: [outline]\n"
    (tmp_path / "t.yaml").write_text(f"name: t\nseed: 1\n{text}seats: 3\nblocks: 3\nisolation: none\nreplays: none\n")
    ran = arena("run", "t.yaml", "-q", "-o", "out")
    assert "null run: all entrants are the same bot" in ran.err
    found = json.loads(arena("null", "--from", "out", "--json").out)["outline-3p"]
    assert (found["matches"], found["blocks"], found["missed"], found["by_chance"]) == (9, 3, 0, True)


def test_entrants_that_differ_are_no_null_run(arena: Any, tmp_path: Path) -> None:
    brief = "editions: [{rules: outline, changes: {max_turns: 2}}]\nseats: 3\nblocks: 1\nisolation: none\n"
    (tmp_path / "t.yaml").write_text(f"name: t\nentrants: [silent, greedy, fair]\n{brief}")
    assert arena("run", "t.yaml", "-q", "-o", "out").code == 0
    ran = arena("null", "--from", "out")
    assert (ran.code, ran.err) == (
        2,
        "arena: a null run needs copies of one bot: silent and greedy are different bots\n",
    )


def test_mistakes_are_named(arena: Any, tmp_path: Path) -> None:
    assert arena("null", "greedy", "--blocks", "3").err.endswith("(a cycle has 5), got 3\n"), "no option is named"
    assert "expected a BOT or --from FOLDER, got neither" in arena("null").err
    assert "expected a BOT or --from FOLDER, got both" in arena("null", "greedy", "--from", ".").err
    assert (
        "--copies: expected 4 or more, as many as there are players, got 3"
        in arena("null", "greedy", "--copies", "3").err
    )
