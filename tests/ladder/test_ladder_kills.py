"""A ladder that is killed at any moment, with all its processes, ends with the rows and the replays of one that was
never disturbed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import time
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.executors.executor import Executor
from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.begin_ladder import begin_new_ladder
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.runs.planning.isolation_level import BotPermissions
from arena.storage.packs.replay_packs import KeptReplays
from tests.executors.fixtures import children, wait_until
from tests.executors.fixtures import runs as is_running

pytestmark = [pytest.mark.slow, pytest.mark.cold]

LADDER = """
name: tiny
rules: eagle-gryphon
changes: {max_turns: 3}
seats: 2
anchors: [random-legal, greedy, silent, fair]
round_tables: 3
isolation: none
"""
ROUNDS = 2
EXECUTORS: dict[str, tuple[Callable[[], Executor], int]] = {"serial": (Serial, 3), "pool": (lambda: Pool(2), 2)}
"""How matches are played, and how many kills."""
DECIDED = (
    "SELECT id, round, name, block, seed, termination, asks, void, replay, sha256 FROM matches ORDER BY id",
    "SELECT * FROM seats ORDER BY match, seat",
    "SELECT id, season, number, state, first_block, first_match, matches FROM rounds ORDER BY id",
    "SELECT * FROM tables ORDER BY round, block",
    "SELECT * FROM ratings ORDER BY round, version",
    "SELECT * FROM entries ORDER BY ladder, version",
    "SELECT * FROM left_out",
)
"""All rows that do not tell when something was done, or where."""


def seasons_end(place: LadderFolder) -> dict[str, object]:
    """Everything that has to be the same of every ladder with the same beginning."""
    with closing(sqlite3.connect(place.database)) as database:
        found: dict[str, object] = {query: database.execute(query).fetchall() for query in DECIDED}
        names = [name for (name,) in database.execute("SELECT name FROM matches")]
    replays = KeptReplays(place.season("tiny", 1))
    for name in names:
        found[name] = replays.get(name)
        assert found[name] is not None
    return found


def closed(place: LadderFolder) -> int:
    """How many rounds are closed."""
    with closing(sqlite3.connect(place.database)) as database:
        (found,) = database.execute("SELECT count(*) FROM rounds WHERE state = 'closed'").fetchone()
    return int(found)


def play_on(place: LadderFolder, make: Callable[[], Executor]) -> None:
    """Play until as many rounds are closed as are wanted."""
    left = ROUNDS - closed(place)
    if left:
        with hold_play_lock(place), closing(make()) as executor:
            play_ladder(place, "", executor, Spending(rounds=left), PlayListener(), "")


def killed(place: LadderFolder, make: Callable[[], Executor], after: float) -> bool:
    """Play in a process of its own, and kill it with all its own so many seconds later; whether it was still at it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            play_on(place, make)
            code = 0
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)
    time.sleep(after)
    doomed = [child]
    for each in doomed:
        with suppress(OSError):
            doomed += children(each)
    for process in doomed:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    wait_until(lambda: not any(map(is_running, doomed)))
    assert status in (0, signal.SIGKILL)
    return status != 0


def copy_of(place: LadderFolder, folder: Path) -> LadderFolder:
    """The same ladder in another folder."""
    shutil.copytree(place.folder, folder)
    return LadderFolder(folder, BotPermissions(trust=True))


def test_a_ladder_killed_at_any_moment_ends_with_the_bytes_of_an_unbroken_one(tmp_path: Path) -> None:
    config = tmp_path / "tiny.yaml"
    config.write_text(LADDER)
    begun = LadderFolder(tmp_path / "begun", BotPermissions(trust=True))
    begin_new_ladder(begun, config, None, [])
    unbroken = copy_of(begun, tmp_path / "unbroken")
    start = time.monotonic()
    play_on(unbroken, Serial)
    took = time.monotonic() - start
    wanted = seasons_end(unbroken)
    assert closed(unbroken) == ROUNDS
    for way, (make, kills) in EXECUTORS.items():
        done, tries, chance = 0, 0, random.Random(way)
        while done < kills:
            tries += 1
            place = copy_of(begun, tmp_path / f"{way}-{tries}")
            while done < kills and closed(place) < ROUNDS:
                if killed(place, make, chance.uniform(0, took * 0.6)):
                    done += 1
                else:
                    took *= 0.8  # it was measured while the machine was slower
            play_on(place, Serial)
            assert seasons_end(place) == wanted, way
