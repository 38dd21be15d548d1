"""A small ladder that was played: two closed rounds, and one that is open."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.executors.serial import Serial
from arena.finding.reference import refer_file
from arena.ladder.database import season_secrets
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.entry.admission_rows import NewVersion, admit_version
from arena.ladder.entry.begin_ladder import begin_new_ladder
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.runs.planning.isolation_level import BotPermissions
from tests.conftest import HEAD

TINY = """
name: tiny
rules: eagle-gryphon
changes: {max_turns: 3}
seats: 2
anchors: [greedy, random-legal]
round_tables: 6
isolation: none
entry: {check_matches: 2, one_team: false}
publish: {seeds: season}
"""
SEED = "3f1c0ea4b2d95c77a1e8860d4b39f25e"
LABEL = "eagle-gryphon+set-0192fb5e-2p"
BOTS = {
    "first": "    def turn(self, view):\n        return self.legal_moves(view)[0]\n",
    "chance": "    def turn(self, view):\n        import random\n"
    "        return Reply(random.choice(self.legal_moves(view)), say=str(random.random()))",
}
"""Bots that are submitted: one that repeats itself, and one that never does: a random move alone may by chance be the
recorded one every time."""


@pytest.fixture(autouse=True)
def _again_here(again_here: None) -> None:
    """Versions that are checked and matches that are audited are played once more in this process."""


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ladder ``tiny`` of two anchors and two bots of its author mira; nobody changes it."""
    folder = tmp_path_factory.mktemp("ladder")
    (folder / "tiny.yaml").write_text(TINY)
    place = LadderFolder(folder / "league", BotPermissions(trust=True))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(season_secrets, "draw_seed", lambda: SEED)
        begin_new_ladder(place, folder / "tiny.yaml", None, [])
    database = open_database(place.database, place.shown, write=True)
    for name, body in BOTS.items():
        path = folder / f"{name}.py"
        path.write_text(HEAD + body)
        admit_version(place, database, find_ladder(database), NewVersion(name, "mira", refer_file(str(path), None)))
    database.close()
    with hold_play_lock(place), closing(Serial()) as executor:
        play_ladder(place, "", executor, Spending(rounds=2), PlayListener(), "")
        play_ladder(place, "", executor, Spending(matches=5), PlayListener(), "")
    return place.folder


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    """A copy of it in the folder ``league``, which is the test's own."""
    return shutil.copytree(played, tmp_path / "league")


@pytest.fixture
def rows(league: Path) -> Iterator[sqlite3.Connection]:
    """Its database, to be looked at and changed."""
    database = sqlite3.connect(league / "ladder.sqlite", isolation_level=None)
    yield database
    database.close()
