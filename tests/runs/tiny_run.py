"""A small run with a bot that makes faults, which says what would be a script on a page."""

from __future__ import annotations

import os
from pathlib import Path

from arena.config.editions import load_edition
from arena.executors.serial import Serial
from arena.runs import play_run as runs
from arena.runs.planning.make_plan import make_plan
from arena.storage.run_folder import FolderStore
from tests.conftest import write_player

TOURNAMENT = """
name: tiny
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, ./wrong.py, greedy]
editions: [{rules: eagle-gryphon, changes: {max_turns: 3}}, {rules: eagle-gryphon, changes: {max_turns: 4}}]
seats: 2
blocks: 3
tables: all
isolation: none
"""
MATCHES = 2 * 3 * 3 * 2
EDITION = f"{load_edition('eagle-gryphon', changes={'max_turns': 4}).label}-2p"
"""The label of the second edition."""
WRONG = "def turn(self, view):\n    raise ValueError('</td><script>hurt()</script>')\n"


def play_tiny(above: Path) -> Path:
    """The folder ``results/tiny`` in this one, with the run, which is complete."""
    write_player(above, WRONG, "wrong")
    (above / "tiny.yaml").write_text(TOURNAMENT)
    here = Path.cwd()
    os.chdir(above)
    try:
        runs.start_run(make_plan(above / "tiny.yaml"), FolderStore(above / "results" / "tiny"), Serial())
    finally:
        os.chdir(here)
    return above / "results" / "tiny"
