"""The small bots of ``arena docs other-languages``: each is short, plays every edition of the board game without a
fault, and shows on the page as it is."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from arena.config.editions import load_edition
from arena.finding.programs import refer_command
from arena.finding.reference import find_file
from arena.games.board.rules import Rules, seats
from arena.isolation.worker.fork_server import ForkServers
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
def test_small_bots_play_every_edition_without_a_fault_and_earn_money(servers: ForkServers) -> None:
    there = [name for name in COMMANDS if shutil.which(COMMANDS[name][0])]
    if len(there) < len(COMMANDS):
        pytest.skip(f"on this machine there is nothing that runs {', '.join({*COMMANDS} - {*there})}")
    bots = {name: refer_command([*COMMANDS[name], str(SMALL / name)]) for name in there}
    bots["fair"], money = find_file("fair"), Counter[str]()
    first, *others = there
    for label in EDITIONS:
        edition = load_edition(label, changes={"max_turns": 30})
        assert isinstance(edition.rules, Rules)
        for names in ([first, "fair"], others) if min(seats(edition.rules)) == 2 else (there,):
            spec = spec_of(
                edition, seats_of(names, [bots[name] for name in names]), id="match", tournament="small", seed=label
            )
            found = play(spec, tuple(bots[name] for name in names), servers=servers).seats
            for name, seat in zip(names, found, strict=True):
                assert seat.faults == {}, (label, name)
                money[name] += seat.money
    assert all(money[name] > 20 for name in there), money
