"""Decisions as arrays, read from replays: which there are, what they hold, and who is refused."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

from arena.coding.network import Activation, round_layers
from arena.environments.episode import load_setting
from arena.errors import Mismatch, UserError
from arena.learning import decisions
from arena.learning.decisions import Decisions, decisions_of_match, read_decisions
from arena.learning.export_bot import export_network
from arena.testing import play
from tests.kept import loosen
from tests.played_run import play_run

from .test_learned_bots import GAMES, SHORT, random_layers

TOURNAMENT = """
name: watched
seed: 5
entrants: [dealmaker, greedy, fair]
editions: [{rules: eagle-gryphon, variants: [short-game]}]
seats: 3
blocks: 2
isolation: none
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_run(tmp_path_factory.mktemp("watched"), TOURNAMENT)


@pytest.fixture(scope="module")
def watched(run: Path) -> Decisions:
    return read_decisions(run, "dealmaker")


def test_each_decision_has_a_row_and_its_action_was_legal(watched: Decisions) -> None:
    _, coding = load_setting("eagle-gryphon", ("short-game",))
    count = len(watched.actions)
    assert count > 100
    assert watched.observations.shape == (count, coding.size)
    assert watched.masks.shape == (count, len(coding.actions))
    assert watched.masks[numpy.arange(count), watched.actions].all()
    assert (watched.masks.sum(axis=1) > 1).all()
    assert watched.unlike == 0
    assert (watched.game, watched.coding) == ("board", coding.digest())


def test_rows_say_where_the_decision_is_in_the_replays(run: Path, watched: Decisions) -> None:
    records = {each["id"]: each for each in map(json.loads, (run / "matches.jsonl").read_text().splitlines())}
    for row in range(0, len(watched.actions), 37):
        record = records[watched.ids[watched.matches[row]]]
        assert record["block"] == watched.blocks[row]
        assert record["seats"][watched.seats[row]]["entrant"] == "dealmaker"
    for match in range(len(watched.ids)):
        asks = watched.asks[watched.matches == match]
        assert (numpy.diff(asks) > 0).all()


@pytest.mark.parametrize("game", ["board", "cards"])
def test_what_a_bot_of_numbers_did_is_read_without_loss(game: str, tmp_path: Path) -> None:
    """Each row has the action that its network chose, and no row is missing."""
    rules, layers = GAMES[game], random_layers(game)
    export_network(layers, tmp_path / "learned", rules)
    network = round_layers(layers, Activation.RELU)
    match = play("fair", str(tmp_path / "learned"), "fair", rules=rules, variants=SHORT[game], seed="3")
    rows, coding, unlike = decisions_of_match(match.replay, "learned")
    assert unlike == 0
    assert len(rows) > 10
    for row in rows:
        legal = numpy.flatnonzero(row.mask).tolist()
        action, exact, _, seat = row.numbers
        assert (action, exact, seat) == (network.choose(row.observation, legal), 1, 1), coding.actions[action]


def test_the_arrays_do_not_depend_on_how_the_matches_are_divided_between_processes(
    run: Path, watched: Decisions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(work: Any, order: Any, matches: Iterator[Any], jobs: int, games: Any, together: int) -> Iterator[Any]:
        """Each match for itself, sent as to a process and back."""
        for match in matches:
            sent = pickle.loads(pickle.dumps((work, order, [match])))
            yield pickle.loads(pickle.dumps(sent[0](*sent[1:])))

    monkeypatch.setattr(decisions, "in_parts", send)
    again = read_decisions(run, "dealmaker", jobs=2)
    for name, array in watched._asdict().items():
        assert numpy.array_equal(array, getattr(again, name)), name


def test_only_so_many_matches_are_read_as_were_asked_for(run: Path, watched: Decisions) -> None:
    some = read_decisions(run, "dealmaker", most_matches=3)
    assert some.ids == watched.ids[:3]
    assert numpy.array_equal(some.actions, watched.actions[watched.matches < 3])


def test_an_unknown_entrant_is_refused_with_the_nearest_name(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no entrant 'dealmakr' .*did you mean 'dealmaker'"):
        read_decisions(run, "dealmakr")
    with pytest.raises(UserError):
        read_decisions(tmp_path, "dealmaker")


def test_a_changed_replay_is_refused_by_its_name(tmp_path: Path) -> None:
    run = play_run(tmp_path, TOURNAMENT.replace("blocks: 2", "blocks: 1"))
    loosen(run)
    path = sorted(run.rglob("replays/**/*.jsonl"))[0]
    path.write_bytes(path.read_bytes().replace(b'"event":"turn"', b'"event":"tern"', 1))
    with pytest.raises(Mismatch, match=path.name):
        read_decisions(run, "dealmaker")
