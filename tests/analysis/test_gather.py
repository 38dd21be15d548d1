"""``arena.analysis.replay_pass``: one pass over the replays of a run, whose result no number of processes changes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from arena.analysis import process_map
from arena.analysis import replay_pass as gathering
from arena.analysis.replay_pass import PassResult, games_with_replays, gather_from_replays
from arena.errors import ReplayError, UserError
from arena.replay.ledger_events import Tables
from arena.tournament.records.match_record import MatchRecord
from tests.kept import loosen
from tests.played_run import play_run

TOURNAMENT = """
name: mix
seed: 5
entrants: [greedy, random-legal, {bot: random-legal, name: second}]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 6}}
  - card-game
seats: 3
blocks: 2
isolation: none
"""


def test_no_process_imports_a_game_that_only_a_record_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "game.py").write_text("import pathlib; pathlib.Path(__file__).with_name('imported').touch()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match=r"there is no game 'evil.game' here; if you trust it, add: --game evil\.game"):
        list(process_map.in_parts(max, [], iter([1]), 2, ["evil.game"]))
    assert not (tmp_path / "evil" / "imported").exists()


class Heard:
    """Lists the matches with the numbers of their rows: so their order shows."""

    def __init__(self) -> None:
        self.matches: list[tuple[str, tuple[tuple[str, int], ...]]] = []

    def add(self, record: MatchRecord, tables: Tables) -> None:
        self.matches.append((record.id, tuple((name, len(rows)) for name, rows in tables.items())))

    def merge(self, other: Heard) -> None:
        self.matches += other.matches


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gathered")
    run = play_run(folder, TOURNAMENT)
    loosen(run)
    return run


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def found(gathered: PassResult[Heard]) -> tuple[object, ...]:
    return gathered.found.matches, gathered.matches, gathered.voids, gathered.without_replay


@pytest.mark.slow
def test_the_result_is_the_same_for_any_number_of_processes(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    alone = gather_from_replays(played, Heard, 1, told.append)
    monkeypatch.setattr(gathering, "SERIAL_MATCHES", 0)
    monkeypatch.setattr(process_map, "PART_MATCHES", 3)
    assert found(gather_from_replays(played, Heard, 2)) == found(alone)
    lines = (played / "matches.jsonl").read_text().splitlines()
    ids = [match for match, _ in alone.found.matches]
    assert ids == [re.findall('"id":"([^"]+)"', line)[0] for line in lines]
    assert sum(told) == alone.matches == len(lines)
    assert {name for _, rows in alone.found.matches for name, _ in rows} >= {"deals", "offers", "bargains"}


def test_void_matches_and_those_without_a_replay_are_left_out_and_counted(run: Path) -> None:
    path = run / "matches.jsonl"
    first, second, *rest = path.read_text().splitlines(keepends=True)
    first = first.replace('"void":false', '"void":true')
    path.write_text("".join([first, re.sub('"replay":"[^"]*"', '"replay":""', second), *rest]))
    gathered = gather_from_replays(run, Heard)
    assert (gathered.matches, gathered.voids, gathered.without_replay) == (len(rest), 1, 1)
    assert len(gathered.found.matches) == len(rest)


def test_a_damaged_replay_is_named(run: Path) -> None:
    replay = sorted((run / "replays").rglob("*.jsonl"))[0]
    replay.write_bytes(replay.read_bytes()[:-40])
    with pytest.raises(ReplayError, match=replay.name):
        gather_from_replays(run, Heard)


def test_a_run_without_replays_is_refused(run: Path) -> None:
    assert games_with_replays(run) == ("board", "cards")
    path = run / "matches.jsonl"
    path.write_text(re.sub('"replay":"[^"]*"', '"replay":""', path.read_text()))
    with pytest.raises(UserError, match="play with `replays: all`"):
        games_with_replays(run)
