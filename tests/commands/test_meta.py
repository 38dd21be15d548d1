"""``arena meta``: the game of many seats of a run, what is missing, and files for other programs."""

from __future__ import annotations

import csv
import json
import re
import shlex
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pytest

import arena.results
from arena.analysis.run_meta_game import meta_games_of
from arena.commands.meta.meta_files import arrays_file
from arena.commands.meta.words import missing_command
from arena.metagame.payoff import Payoff
from arena.resources import docs_folder
from arena.runs.planning.make_plan import make_plan
from arena.storage.layout import read_records
from arena.tournament.schedule.deals import Deals
from tests.played_run import play_run

MIXTURES = """
name: mix
seed: 5
entrants: [greedy, fair, random-legal]
format: mixtures
editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]
seats: 3
blocks: 2
isolation: none
"""
ROUND_ROBIN = """
name: robin
seed: 5
entrants: [greedy, fair, dealmaker]
editions: [{rules: eagle-gryphon, changes: {max_turns: 12}}]
seats: 2
blocks: 3
isolation: none
"""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_run(tmp_path_factory.mktemp("mixtures"), MIXTURES)


@pytest.fixture(scope="module")
def robin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_run(tmp_path_factory.mktemp("robin"), ROUND_ROBIN)


def test_what_a_bot_earns_in_a_mixture_is_the_mean_over_its_copies_and_matches(arena: Any, mixed: Path) -> None:
    (found,) = json.loads(arena("meta", mixed, "--json").out)
    assert found["missing"] == []
    assert found["bots"]["greedy"] == ["greedy", "greedy#2", "greedy#3"]
    assert (found["seats"], found["blocks"], found["matches"], found["unit"]) == (3, 2, 10 * 2 * 3, "$M")
    (row,) = [
        each
        for each in found["mixtures"]
        if (each["mixture"], each["bot"]) == ("fair + 2 random-legal", "random-legal")
    ]
    leads = [
        seat.money - sum(each.money for each in record.seats) / 3
        for record in read_records(mixed)
        for seat in record.seats
        if {each.entrant for each in record.seats} == {"fair", "random-legal", "random-legal#2"}
        and seat.entrant != "fair"
    ]
    assert len(leads) == 2 * row["matches"] == 12
    assert row["payoff"]["mean"] == pytest.approx(sum(leads) / len(leads), abs=1e-5)
    assert row["payoff"]["clusters"] == 2


def test_figures_of_python_text_and_json_agree(arena: Any, mixed: Path) -> None:
    words = ("meta", mixed, "--payoff", "money", "--population", "greedy=3,fair=1")
    (found,) = json.loads(arena(*words, "--json").out)
    (game,) = arena_results(mixed)
    outlook = game.population({"greedy": 3, "fair": 1})
    assert found["populations"][1]["shares"] == {"fair": 0.25, "greedy": 0.75}
    assert found["populations"][1]["regret"]["mean"] == pytest.approx(outlook.regret.mean, abs=1e-6)
    assert found["populations"][1]["best"] == game.game.bots[outlook.best or 0]
    assert found["best_against_everybody"]["opponents"] == 6
    assert len(found["least_regret"]) == len(game.least_regret) > 0
    text = arena(*words).out
    for said in ("payoff: money in $M", "drawn from a population (75 % greedy, 25 % fair)", "Best reply to the 6 sets"):
        assert said in " ".join(text.split())


def arena_results(folder: Path) -> Any:
    return arena.results.read(folder).meta_games("money")


def test_files_for_other_programs(arena: Any, mixed: Path, tmp_path: Path) -> None:
    arena("meta", mixed, "--payoff", "money", "--out", tmp_path / "tables")
    (label,) = arena_results(mixed)
    names = {path.name.removeprefix(f"{label.edition}-") for path in (tmp_path / "tables").iterdir()}
    assert names == {"mixtures.csv", "invasions.csv", "pairs.csv", "arrays.npz"}
    arrays = numpy.load(tmp_path / "tables" / f"{label.edition}-arrays.npz")
    assert arrays["bots"].tolist() == ["fair", "greedy", "random-legal"]
    assert arrays["payoff_table"].shape == (10, 6)
    assert (arrays["payoff_table"][:, :3].sum(axis=1) == 3).all()
    assert arrays["payoff_tensor"].shape == (3, 3, 3, 3)
    matrix = arrays["payoff_matrix"]
    with (tmp_path / "tables" / f"{label.edition}-pairs.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if (row["strategy"], row["partner"]) == ("greedy", "fair")]
    assert len(rows) == 2
    assert sum(float(row["utility"]) for row in rows) / 2 == pytest.approx(matrix[1, 0], abs=1e-5)


def test_missing_mixtures_are_named_and_the_printed_command_plays_all(arena: Any, robin: Path) -> None:
    said = arena("meta", robin, "--payoff", "money")
    assert "3 of 6 mixtures" in " ".join(said.out.split())
    assert "Not played, but needed: 2 dealmaker, 2 fair, 2 greedy." in " ".join(said.out.split())
    command = shlex.split(said.err.split("play every mixture with:")[1].strip())
    assert command[:2] == ["arena", "run"]
    arena(*command[1:], "--blocks", 1, "-j", 1)
    (found,) = json.loads(arena("meta", command[command.index("--out") + 1], "--payoff", "money", "--json").out)
    assert (found["missing"], found["matches"]) == ([], 6 * 2)
    (lead,) = json.loads(arena("meta", robin, "--json").out)
    assert lead["missing"] == []


def test_the_page_has_every_array_and_its_python_runs(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (docs_folder() / "meta.md").read_text(encoding="utf-8")
    (game,) = arena_results(mixed)
    assert [f"`{name}`" in page for name in numpy.load(BytesIO(arrays_file(game)))] == [True] * 5
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {"DIR": mixed, "EDITION": game.edition}
    exec(example, names)
    assert names["tensor"].shape == (3, 3, 3, 3)
    assert "Estimate" in capsys.readouterr().out


@pytest.mark.parametrize(
    "keys",
    [
        "format: gauntlet\nchallengers: [fair]",
        "format: swiss\nrounds: 1",
        "format: list\nseat_orders: listed\nfixtures: [[0, greedy, fair], [0, fair, dealmaker]]",
    ],
)
def test_the_command_leaves_out_the_keys_of_other_formats(tmp_path: Path, keys: str) -> None:
    text = ROUND_ROBIN.replace("blocks: 3", "" if "list" in keys else "blocks: 1")
    run = play_run(tmp_path, text + keys)
    words = shlex.split(missing_command(run, meta_games_of([run], Payoff.MONEY)))
    plan = make_plan(words[2], [setting for word, setting in pairwise(words) if word == "--set"])
    assert len(plan.schedule) == 6 * 2 * plan.schedule.blocks
    assert plan.tournament.deals is Deals.DUPLICATE


def test_mistakes_are_told(arena: Any, mixed: Path) -> None:
    assert "no bot 'gredy' (did you mean 'greedy'?)" in arena("meta", mixed, "--population", "gredy=1").err
    assert "expected BOT=SHARE,BOT=SHARE, got 'greedy'" in arena("meta", mixed, "--population", "greedy").err
    others = [word for name in ("fair", "random-legal") for word in ("--without", name)]
    assert "only one bot played, greedy; a game needs two" in arena("meta", mixed, *others).err
