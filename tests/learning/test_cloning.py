"""``arena bots clone`` and ``arena export --decisions``: what they write and say, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pytest

from arena.errors import UserError
from arena.learning import fit_network as fit
from arena.learning.clone_entrant import clone_entrant, split_by_deal
from arena.learning.decisions import Decisions, read_decisions
from arena.learning.fit_network import fit_network, share_predicted
from arena.learning.fit_settings import FitSettings
from arena.testing import play
from tests.conftest import Arena
from tests.played_run import play_run

TOURNAMENT = """
name: watched
seed: 8
entrants: [greedy, fair, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 10}}]
seats: 3
blocks: 5
isolation: none
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_run(tmp_path_factory.mktemp("watched"), TOURNAMENT)


@pytest.fixture(scope="module")
def watched(run: Path) -> Decisions:
    return read_decisions(run, "greedy")


def test_a_fitted_network_answers_as_the_entrant_where_it_has_not_looked(watched: Decisions) -> None:
    fitted, apart = split_by_deal(watched)
    short = FitSettings(hidden=(16,), epochs=6, batch=32, rate=0.01)
    guessed = share_predicted(fit_network(fitted, short._replace(epochs=0)), apart)
    assert share_predicted(fit_network(fitted, short), apart) > max(0.7, guessed + 0.2)


def test_all_matches_of_a_deal_are_on_the_same_side(watched: Decisions) -> None:
    fitted, apart = split_by_deal(watched)
    assert set(fitted.blocks) == {0, 1, 2, 3}
    assert set(apart.blocks) == {4}
    assert len(fitted.actions) + len(apart.actions) == len(watched.actions)


def test_the_slopes_of_the_fit_are_those_of_the_loss(watched: Decisions) -> None:
    """Compared with differences of the loss, weight by weight."""
    rows = slice(0, 24)
    seen, masks, actions = (each[rows] for each in (watched.observations, watched.masks, watched.actions))
    layers = [
        (weights.astype(numpy.float64), bias.astype(numpy.float64))
        for weights, bias in fit_network(watched.where(numpy.arange(len(watched.actions)) < 400), FitSettings((8,), 1))
    ]

    def loss() -> float:
        scores = numpy.where(masks, fit._outputs(layers, seen)[-1], fit.NOT_LEGAL)
        scores = scores - scores.max(axis=1, keepdims=True)
        return float((numpy.log(numpy.exp(scores).sum(axis=1)) - scores[numpy.arange(24), actions]).mean())

    slopes = fit._slopes(layers, seen, masks, actions)
    for part, slope in zip([part for layer in layers for part in layer], slopes, strict=True):
        place = numpy.unravel_index(numpy.abs(slope).argmax(), slope.shape)
        part[place] += 1e-4
        above = loss()
        part[place] -= 2e-4
        below = loss()
        part[place] += 1e-4
        assert (above - below) / 2e-4 == pytest.approx(slope[place], rel=1e-2)


def test_the_command_writes_a_bot_that_plays_and_says_how_alike_it_is(run: Path, tmp_path: Path, arena: Arena) -> None:
    done = arena("bots", "clone", run, "greedy", "--out", tmp_path / "copycat", "--hidden", "16", "--epochs", "4")
    assert done.code == 0
    assert "decisions of greedy in 15 matches of 5 deals" in done.out
    assert "in deals kept apart" in done.out
    assert f"arena compare {tmp_path / 'copycat'} greedy OPPONENT..." in done.out
    result = play(str(tmp_path / "copycat"), "fair", "hard", variants=("short-game",), seed="2")
    assert result.seats[0].faults == {}


def test_the_report_as_json_has_the_shares(run: Path, tmp_path: Path, arena: Arena, watched: Decisions) -> None:
    words = ("--out", tmp_path / "copycat", "--hidden", "4", "--epochs", "1", "--json")
    report = json.loads(arena("bots", "clone", run, "greedy", *words).out)
    assert report["decisions"] == len(watched.actions)
    assert (report["matches"], report["deals"]) == (15, 5)
    assert report["tested"] == int((watched.blocks == 4).sum())
    assert 0 < report["held_out"] <= 1


def test_too_few_deals_and_a_folder_in_use_are_refused_before_anything_is_written(
    run: Path, tmp_path: Path, arena: Arena
) -> None:
    with pytest.raises(UserError, match="at least 5 deals, to keep some apart, got 1"):
        clone_entrant(run, "greedy", tmp_path / "copycat", most_matches=2)
    assert not (tmp_path / "copycat").exists()
    refused = arena("bots", "clone", run, "greedy", "--out", run)
    assert refused.code == 2
    assert "expected an empty folder" in refused.err


def test_decisions_are_exported_as_arrays(run: Path, tmp_path: Path, arena: Arena, watched: Decisions) -> None:
    done = arena("export", run, "--decisions", "greedy", "--out", tmp_path / "arrays")
    assert done.code == 0
    assert f"{len(watched.actions):,} rows  {tmp_path / 'arrays' / 'decisions.npz'}" in done.out
    with numpy.load(tmp_path / "arrays" / "decisions.npz") as arrays:
        assert set(arrays.files) == set(Decisions._fields)
        for name in arrays.files:
            assert numpy.array_equal(arrays[name], numpy.asarray(getattr(watched, name))), name


def test_tables_and_decisions_are_not_mixed(run: Path, arena: Arena) -> None:
    for words in (("--parquet",), ("--package",), ("--table", "offers")):
        mixed = arena("export", run, "--decisions", "greedy", *words)
        assert mixed.code == 2
        assert "arrays and no tables" in mixed.err
    alone = arena("export", run, "--matches", "3")
    assert alone.code == 2
    assert "--matches is for --decisions" in alone.err
