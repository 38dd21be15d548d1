"""Bots named on the command line that consult the models of a file: one match, a gauntlet, a comparison."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.consultation.model_spec import MatchModels, ModelSpec
from arena.errors import UserError
from arena.runs.models.live_desks import LiveDesks
from arena.runs.models.model_access import ModelOptions, check_recorded_models
from arena.runs.models.named_models import read_named_models
from arena.storage.packs.replay_packs import OPEN_CALLS_FOLDER
from tests.conftest import Arena
from tests.consultation.asking import FakeModel, write_asker
from tests.consultation.test_runs_with_models import Models, models

__all__ = ["models"]
FILE = "models:\n  fast: {url: scripted, price: {prompt: 1000, completion: 1000}}\n"
SHORT = ("--rule", "max_turns=3")


@pytest.fixture(autouse=True)
def file(tmp_path: Path) -> Path:
    """The file of models, beside a bot that asks."""
    write_asker(tmp_path)
    (tmp_path / "fast.yaml").write_text(FILE)
    return tmp_path / "fast.yaml"


def test_a_file_of_models_may_be_that_of_a_tournament_and_says_how_long_bots_may_think(file: Path) -> None:
    named = read_named_models(str(file), ModelOptions(money=3), {})
    assert (named.limits.ask, named.limits.match, named.budgets.run.money) == (180, None, 3)
    assert named.of_match(2).allowed == (("fast",), ("fast",))
    file.write_text(f"name: t\nentrants: [greedy]\nlimits: {{ask: 150}}\n{FILE}consulting: {{tries: 3}}\n")
    named = read_named_models(str(file), ModelOptions(), {"bank": 7})
    assert (named.limits.ask, named.limits.bank, named.budgets.tries) == (150, 7, 3)
    for text, told in (
        ("modles: {}\n", "modles"),
        ("models: {}\n", "expected at least one model"),
        (FILE.replace("scripted", "http://x/v1") + "limits: {ask: 1, bank: 1}\n", "a call may take 120 s"),
    ):
        file.write_text(text)
        with pytest.raises(UserError, match=told):
            read_named_models(str(file), ModelOptions(), {})
    theirs = file.with_name("config.resolved.yaml")
    theirs.write_text(FILE.replace("scripted", "http://x/v1"))
    with pytest.raises(UserError, match="asks the model fast at http://x/v1"):
        read_named_models(str(theirs), ModelOptions(), {})


def test_whoever_allows_the_models_of_a_folder_was_shown_where_each_of_them_is() -> None:
    mine = ModelSpec(url="https://models.example.org/v1", key_env="MY_KEY")
    theirs = ModelSpec(url="https://evil.example/v1", key_env="OTHER_KEY")
    shown = (
        "asks the model fast at https://models.example.org/v1, with the key in MY_KEY; "
        "the model b at https://evil.example/v1, with the key in OTHER_KEY; if all of them are yours"
    )
    with pytest.raises(UserError, match=shown):
        check_recorded_models({"fast": mine, "b": theirs}, ModelOptions())
    with pytest.raises(UserError, match=r"the model m4 at .*; and 4 more, which you must look up there"):
        check_recorded_models({f"m{number}": mine for number in range(9)}, ModelOptions())
    for url in (
        f"https://models.example.org:{'0' * 300}@evil.example/v1",
        "https://models.example.org@evil.example/v1",
        "https://@evil.example/v1",
        "https://evil.example\\models.example.org/v1",
        "https://evil.example/v1\r\nX: y",
        f"https://{'a.' * 120}evil.example/v1",
        "file:///etc/passwd",
    ):
        with pytest.raises(UserError, match="the url of the model fast: expected"):
            check_recorded_models({"fast": ModelSpec(url=url)}, ModelOptions(allowed=True))


def test_the_word_for_the_models_of_one_match_is_none_for_those_of_another(models: Models) -> None:
    mine = MatchModels({"fast": ModelSpec(url="scripted")}, (("fast",),))
    theirs = MatchModels({"fast": ModelSpec(url="https://evil.example/v1", key_env="MY_KEY")}, (("fast",),))
    models(FakeModel())
    with LiveDesks(ModelOptions(allowed=True), None) as desks:
        for _ in range(2):
            desks.open_desk("m1", mine, ("a",), ())
        with pytest.raises(UserError, match="the match m2 names other models than the matches before it"):
            desks.open_desk("m2", theirs, ("a",), ())


def test_a_match_keeps_its_calls_beside_its_replay_and_is_played_again_from_them(
    arena: Arena, models: Models, tmp_path: Path
) -> None:
    model = models(FakeModel())
    words = ("match", "./asker.py", "greedy", "--seed", 7, *SHORT, "--models", "fast.yaml", "--money", 50)
    ran = arena(*words, "--out", "m.jsonl")
    assert ran.code == 0, ran.err
    assert "--models fast.yaml --money 50" in ran.err
    assert model.asked
    assert r"{\"n\": 1}" in (tmp_path / "m.cassette").read_text()
    silent = models(FakeModel())
    for command in (("rerun", "m.jsonl"), ("refeed", "m.jsonl", "--bot", "./asker.py", "--seat", 0)):
        again = arena(*command)
        assert again.code == 0, again.out + again.err
    assert silent.asked == []
    (tmp_path / "m.cassette").write_text((tmp_path / "m.cassette").read_text().replace('[["fast"],["fast"]]', "[]"))
    assert "the models are not those of 2 seats" in arena("rerun", "m.jsonl").err


def test_a_match_refuses_what_it_cannot_do_with_models(arena: Arena) -> None:
    for words, told in (
        (("--models", "fast.yaml", "--pdb"), "consult no models: leave out --models, or --pdb"),
        (("--money", 3), "name them with --models FILE"),
        (("--models", "none.yaml"), "none.yaml"),
    ):
        ran = arena("match", "./asker.py", "greedy", *words)
        assert (ran.code, told in ran.err) == (2, True), ran.err


def test_a_gauntlet_with_models_is_a_run_with_cassettes(arena: Arena, models: Models, tmp_path: Path) -> None:
    model = models(FakeModel())
    words = ("./asker.py", "greedy", "--deals", 1, "--seed", 7, *SHORT, "--models", "fast.yaml", "-q")
    ran = arena("gauntlet", *words, "--out", "out")
    assert ran.code == 0, ran.err
    assert "16 slots in one process" in ran.err
    assert "--models fast.yaml" in ran.out + ran.err
    assert model.asked
    assert arena("verify", "out", "-q").code == 0


def test_a_comparison_of_bots_that_consult_models_plays_every_match_whole_and_goes_on(
    arena: Arena, models: Models, tmp_path: Path
) -> None:
    model = models(FakeModel())
    (tmp_path / "newer.py").write_text((tmp_path / "asker.py").read_text())
    words = ("./newer.py", "./asker.py", "greedy", "--max-deals", 1, "--seed", 7, *SHORT, "-q", "--seats", 2)
    ran = arena("compare", *words, "--models", "fast.yaml", "--out", "out")
    assert ran.code == 1, ran.err
    assert "played in full: because bots may consult language models" in ran.out
    asked = len(model.asked)
    assert asked
    models(FakeModel())
    more = arena("compare", "--resume", "out", "--max-deals", 2, "--money", 100, "-q")
    assert more.code == 1, more.err
    assert arena("verify", "out", "-q").code == 0


def test_no_match_is_played_beyond_the_verdict_of_a_comparison_that_costs_money(
    arena: Arena, models: Models, tmp_path: Path
) -> None:
    model = models(FakeModel())
    words = ("greedy", "greedy", "./asker.py", "--difference", 0.9, "--seed", 7, *SHORT, "-q", "--seats", 2)
    ran = arena("compare", *words, "--models", "fast.yaml", "--out", "out")
    assert ran.code == 0, ran.err
    assert not (tmp_path / "out" / OPEN_CALLS_FOLDER).exists()
    timings = [json.loads(line) for line in (tmp_path / "out" / "timings.jsonl").read_text().splitlines()]
    used = [seat["models"].get("fast", {"calls": 0})["calls"] for timing in timings for seat in timing["seats"]]
    assert sum(used) == len(model.asked) != 0
