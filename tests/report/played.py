"""A small run with everything that a report must show: both games, faults, names that are hard to show."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from arena.executors.serial import Serial
from arena.runs.planning.make_plan import make_plan
from arena.runs.play_run import start_run
from arena.storage.run_folder import FolderStore

EVIL = '<img src=x onerror=hurt()>"&-->&amp;'
RIGHT_TO_LEFT = "שחקן טוב מאוד"
BAD = '''
"""Breaks in its second negotiation, and rolls when it must not."""
from arena.games.board import BoardBot, Draw, Roll


class Bad(BoardBot):
    def turn(self, view):
        return Roll() if view.rolled else Roll()

    def offer(self, view):
        raise ValueError("no offers today <b>bold</b>")
'''
TOURNAMENT = f"""
name: mixed
seed: 5
entrants:
  - greedy
  - {{bot: ./bad.py, name: {EVIL!r}}}
  - {{bot: random-legal, name: {RIGHT_TO_LEFT}}}
  - {{bot: silent, name: silent}}
editions:
  - {{rules: eagle-gryphon, changes: {{max_turns: 10}}}}
  - {{rules: outline, changes: {{max_turns: 10}}}}
seats: 3
blocks: 4
isolation: none
"""


def list_matches(blocks: int) -> str:
    """The end of the tournament with a list of matches: all four tables in each block, each in one order of seats."""
    tables = list(combinations(("greedy", EVIL, RIGHT_TO_LEFT, "silent"), 3))
    lines = (
        f"  - [{block}, {', '.join(map(repr, (*table[block % 3 :], *table[: block % 3])))}]\n"
        for block in range(blocks)
        for table in tables
    )
    return f"format: list\nseat_orders: listed\nfixtures:\n{''.join(lines)}"


def play(folder: Path, blocks: int = 4, listed: bool = False) -> Path:
    """Play it into ``folder``; the folder of the run. In a ``listed`` run a table has one order of seats in a block."""
    end = list_matches(blocks) if listed else f"blocks: {blocks}\n"
    (folder / "bad.py").write_text(BAD)
    (folder / "mixed.yaml").write_text(TOURNAMENT.replace("blocks: 4\n", end), encoding="utf-8")
    start_run(make_plan(folder / "mixed.yaml"), FolderStore(folder / "run"), Serial())
    return folder / "run"
