"""A tournament gives the same bytes however it is played: records, standings and every replay.

To add a way of playing, add one line to :data:`WAYS`.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.commands.merge.merge_shares import merge_shares
from arena.executors.executor import Executor
from arena.executors.make import make_executor
from arena.executors.serial import Serial
from arena.finding.reference import bundled_bots
from arena.runs import play_run as runs
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.open_folder import open_run
from arena.runs.run_options import RunOptions
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.tournament.schedule.share import Share
from tests.conftest import environment_of, warm_start
from tests.runs.told import told

pytestmark = pytest.mark.slow

TOURNAMENT = """
name: the same
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, {bot: ./changed.py, name: greedy}, silent, cousin]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 2}}
  - {rules: card-game, changes: {rounds: {3: 1}}}
seats: 3
blocks: 1
tables: all
deals: duplicate
isolation: none
"""
MATCHES = 2 * 4 * 3
KILLED_AFTER = 6
"""Matches after which a run of two workers is killed, with all its processes."""

THREE = "entrants=[random-legal, {bot: ./changed.py, name: greedy}, silent]"


class Play:
    """Plays the tournament in ``config`` below ``folder``."""

    def __init__(self, config: Path, folder: Path) -> None:
        self.config, self.folder = config, folder

    def by(self, executor: Executor, out: str = "out", share: Share | None = None, isolation: str = "none") -> Path:
        """The folder of a run that this executor plays."""
        plan = make_plan(self.config, [f"isolation={isolation}"], share=share)
        with closing(executor):
            outcome = runs.start_run(plan, FolderStore(self.folder / out), executor)
        assert outcome.state is RunState.COMPLETE
        assert outcome.faults == {}
        return self.folder / out

    def killed_and_resumed(self) -> Path:
        """The folder of a run of two workers that is killed, and ends by two workers of another process."""
        out = self.folder / "out"
        words = ["run", "-q", "-j", "2", str(self.config), "--out", str(out)]
        with closing(warm_start().launch(self.folder, words, environment_of())) as process:
            while process.poll() is None and finished(out) < KILLED_AFTER:
                time.sleep(0.002)
            assert process.poll() is None, process.communicate()
            os.killpg(process.pid, signal.SIGKILL)
        assert KILLED_AFTER <= finished(out) < MATCHES
        plan, store = open_run(out, trust=True)
        with closing(make_executor(2)) as executor:
            assert runs.resume_run(plan, store, executor).state is RunState.COMPLETE
        return out

    def of_three(self, isolation: str) -> Path:
        """The folder of a run of three of the entrants."""
        plan = make_plan(self.config, [THREE, f"isolation={isolation}"])
        with closing(Serial()) as executor:
            runs.start_run(plan, FolderStore(self.folder / isolation), executor)
        return self.folder / isolation

    def in_shares(self, number: int) -> Path:
        """The folder into which so many shares are merged."""
        parts = [self.by(Serial(), f"part{each}", Share(each, number)) for each in range(1, number + 1)]
        assert merge_shares(parts, self.folder / "out", "").state is RunState.COMPLETE
        return self.folder / "out"

    def with_half_taken_over(self) -> Path:
        """The folder of a run that takes over what one of three of the entrants has played."""
        store, options = FolderStore(self.folder / "out"), RunOptions(reuse=[self.of_three("none")])
        with closing(Serial()) as executor:
            outcome = runs.start_run(make_plan(self.config), store, executor, options)
        assert outcome.reused.matches >= MATCHES / 8
        return self.folder / "out"


def finished(folder: Path) -> int:
    """How many matches stand there."""
    path = folder / "matches.jsonl"
    return path.read_bytes().count(b"\n") if path.is_file() else 0


WAYS: dict[str, Callable[[Play], Path]] = {
    "isolated but for bundled bots, by 2 workers": lambda play: play.by(make_executor(2), isolation="process"),
    "by 2 workers, killed and resumed": lambda play: play.killed_and_resumed(),
    "in 3 shares that are merged": lambda play: play.in_shares(3),
    "with matches of a run before": lambda play: play.with_half_taken_over(),
}


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same") / "same.yaml"
    path.write_text(TOURNAMENT)
    changed = bundled_bots()["greedy"].read_text() + "\n# no bundled bot any more\n"
    (path.parent / "changed.py").write_text(changed)
    return path


@pytest.fixture(scope="module")
def serially(config: Path) -> dict[str, bytes | None]:
    """What the tournament tells, one match after another in this process."""
    found = told(Play(config, config.parent).by(Serial()))
    assert sum(replay is not None for replay in found.values()) == MATCHES + 6
    return found


@pytest.mark.parametrize("way", WAYS)
def test_however_a_tournament_is_played_it_gives_the_same_bytes(
    way: str, config: Path, serially: dict[str, bytes | None], tmp_path: Path
) -> None:
    found = told(WAYS[way](Play(config, tmp_path)))
    assert list(found) == list(serially)
    different = [name for name, content in found.items() if content != serially[name]]
    assert different == []


def test_isolated_bots_of_both_games_play_the_same_bytes(config: Path, tmp_path: Path) -> None:
    play = Play(config, tmp_path)
    assert told(play.of_three("all")) == told(play.of_three("none"))
