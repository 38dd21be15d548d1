"""The small bots of ``arena docs other-languages``: each is short, plays every edition of the board game without a
fault, and shows on the page as it is."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from arena.config.editions import load_edition
from arena.finding.programs import refer_command
from arena.finding.reference import find_file
from arena.games.board.rules import Rules, seats
from arena.runs.planning.make_spec import seats_of, spec_of
from tests.conftest import play

from .conftest import BOTS

SMALL = BOTS / "small"
PAGE = (Path(__file__).parents[2] / "arena" / "docs" / "other-languages.md").read_text(encoding="utf-8")
COMMANDS = {
    "modest.py": [sys.executable],
    "modest.js": ["node"],
    "modest.sh": ["sh"],
    "modest.jq": ["jq", "-nc", "--unbuffered", "-f"],
}
EDITIONS = ("eagle-gryphon", "face2face-2003", "outline", "schmidt-1994")


def test_every_small_bot_is_short_and_stands_on_the_page() -> None:
    assert {path.name for path in SMALL.iterdir() if path.is_file()} == set(COMMANDS)
    for name in COMMANDS:
        text = (SMALL / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 50, name
        assert f"\n{text}```\n" in PAGE, name


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_small_bot_plays_every_edition_without_a_fault_and_earns_money(name: str) -> None:
    if shutil.which(COMMANDS[name][0]) is None:
        pytest.skip(f"there is no {COMMANDS[name][0]} on this machine")
    bot, money = refer_command([*COMMANDS[name], str(SMALL / name)]), 0
    for number, label in enumerate(EDITIONS):
        edition = load_edition(label)
        assert isinstance(edition.rules, Rules)
        players = 4 if number % 2 else min(seats(edition.rules))
        bots = [bot, *map(find_file, ("greedy", "fair", "hard")[: players - 1])]
        names = [f"bot{seat}" for seat in range(players)]
        spec = spec_of(edition, seats_of(names, bots), id="match", tournament="small", seed=f"{label}/{players}")
        (mine, *_) = play(spec, tuple(bots)).seats
        assert mine.faults == {}, (label, players)
        money += mine.money
    assert money > 20
