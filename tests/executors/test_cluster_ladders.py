"""A ladder gives the same matches, ratings and next tables wherever it is played: here, by worker processes, on a Dask
cluster, or in portions by each of them in turn."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.executors.dask.cluster import Cluster
from arena.executors.executor import Executor
from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.begin_ladder import begin_new_ladder
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.ladder.play.results import PlayResult
from arena.runs.planning.isolation_level import BotPermissions
from tests.conftest import write_player
from tests.ladder.conftest import TINY

LADDER = TINY.replace("[greedy, random-legal]", "[greedy, random-legal, silent, {bot: ./player.py}]")
PORTION = 5
"""Matches of a portion: with none does the first round of twelve end."""
QUERIES = (
    "SELECT name, block, seed, termination, asks, void, sha256 FROM matches ORDER BY id",
    "SELECT match, seat, version, money, rank, ended, faults FROM seats ORDER BY match, seat",
    "SELECT * FROM tables ORDER BY round, block",
    "SELECT * FROM ratings ORDER BY round, version",
    "SELECT number, state, first_block, first_match, matches FROM rounds ORDER BY number",
)
Make = Callable[[], Executor]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of three bundled bots and one of the league's own, not played yet."""
    folder = tmp_path_factory.mktemp("ladder")
    write_player(folder, "pass")
    (folder / "tiny.yaml").write_text(LADDER)
    begin_new_ladder(LadderFolder(folder / "begun", BotPermissions(trust=True)), folder / "tiny.yaml", None, [])
    return folder / "begun"


@pytest.fixture(scope="module")
def serially_played(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[Any]]:
    """What its database holds after a round in this process, and the first matches of the second."""
    place = copy_of(begun, tmp_path_factory.mktemp("serial"))
    play(place, Serial, rounds=1)
    play(place, Serial, matches=3 * PORTION - 12)
    return contents(place)


@pytest.fixture
def place(begun: Path, tmp_path: Path) -> LadderFolder:
    return copy_of(begun, tmp_path)


@pytest.fixture
def cluster(shared_machines: Any) -> Make:
    """Makes an executor on a cluster."""
    return lambda: Cluster(shared_machines.address, 1)


def copy_of(begun: Path, folder: Path) -> LadderFolder:
    return LadderFolder(Path(shutil.copytree(begun, folder / "league")), BotPermissions(trust=True))


def play(place: LadderFolder, make: Make, **spending: int) -> PlayResult:
    with hold_play_lock(place), closing(make()) as executor:
        return play_ladder(place, "", executor, Spending(**spending), PlayListener(), "")


def contents(place: LadderFolder) -> list[list[Any]]:
    with closing(sqlite3.connect(place.database)) as database:
        return [database.execute(query).fetchall() for query in QUERIES]


def test_portions_that_different_machines_play_in_turn_are_the_same_ladder(
    place: LadderFolder, cluster: Make, serially_played: list[list[Any]]
) -> None:
    makers: tuple[Make, ...] = (Serial, cluster, lambda: Pool(2))
    assert [play(place, make, matches=PORTION).rounds for make in makers] == [0, 0, 1]
    assert contents(place) == serially_played
