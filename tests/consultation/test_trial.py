"""Comparing models: one command, the same deals and opponents for all, and a run that anybody can check."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from arena.commands.models.trial import set_up_trial
from arena.commands.models.words import print_played
from arena.config.tournament_yaml import load_tournament
from arena.errors import UserError
from arena.storage.run_folder import FolderStore
from tests.conftest import Arena

CONFIG = """\
name: mine
models:
  plain: {url: scripted}
  rude: {url: scripted, model: rude}
entrants: [fair, hard]
seats: 2
editions: [outline]
"""


@pytest.mark.slow
def test_models_are_compared_on_the_same_deals_and_audited_without_asking_any(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "short.yaml").write_text("parent: eagle-gryphon\nname: short\nmax_turns: 3\n")
    (tmp_path / "mine.yaml").write_text(CONFIG)
    words = ("--deals", 1, "--rules", "short.yaml", "--seed", "5", "--language", "nl", "--ruler", 1, "-q")
    ran = arena("models", "trial", "mine.yaml", *words, "--out", "out", "--json")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert [(row["entrant"], row["model"]) for row in told["models"]] == [("plain", "plain"), ("rude", "rude")]
    assert told["models"][0]["calls"] > 0
    (rows,) = (standings["rows"] for standings in told["standings"].values())
    assert {"plain", "rude", "planner-1", "dealmaker", "fair", "hard"} == {row["entrant"] for row in rows}
    assert not any(row["faults"] for row in rows)
    facts = FolderStore(tmp_path / "out").facts()
    digests = {name: each["sha256"] for name, each in facts.entrants.items()}
    assert {each["entrant"]: each["sha256"] for each in told["bots"]} == digests
    assert sorted(digests) == sorted(row["entrant"] for row in rows)
    assert (told["editions"], told["seed"]) == (facts.editions, "5")
    with redirect_stdout(StringIO()) as printed:
        print_played(facts)
    assert all(digest in printed.getvalue() for digest in (*digests.values(), *facts.editions.values()))
    assert "talker?language=nl" in printed.getvalue()
    assert told["page"] == "out/report.html"
    assert "What language models cost" in arena("standings", "out").out
    page = (tmp_path / "out" / "report.html").read_text()
    assert "What language models cost" in page
    assert all(digest in page for digest in (*digests.values(), *facts.editions.values()))
    assert arena("verify", "out", "-q").code == 0
    audit = arena("audit", "out", "--sample", "1", "--each", "0", "-q")
    assert audit.code == 0, audit.out
    assert "identical." in audit.out
    (tmp_path / "short.yaml").rename(tmp_path / "out" / "short.yaml")  # as whoever publishes both does
    (tmp_path / "out").rename(tmp_path / "theirs")
    audit = arena("audit", "theirs", "--sample", "1", "--each", "1", "-q")
    assert audit.code == 0, audit.err
    (tmp_path / "theirs").rename(tmp_path / "out")
    talk = arena("talk", "out", "--entrant", "rude", "-q", "--money", 1)
    assert talk.code == 0, talk.err
    assert "Every null match was played as recorded" in talk.out
    records = (tmp_path / "out" / "matches.jsonl").read_text().splitlines()
    assert len(records) == 12


def test_a_search_with_so_many_playouts_is_a_measure_beside_the_models(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(CONFIG)
    config = load_tournament(tmp_path / "mine.yaml")
    plan = set_up_trial(config, ("rude",), 2, "outline", "en", "5", (100, 10, 100))
    assert plan.tournament.challengers == ("rude", "planner-100", "planner-10")
    by_name = {each.name: each for each in plan.tournament.entrants}
    assert (by_name["planner-10"].options, by_name["planner-10"].models) == ({"playouts": 10}, ())
    played = [[plan.names[each] for each in fixture.entrants] for fixture in plan.fixtures]
    assert all(sum(name in plan.tournament.challengers for name in table) == 1 for table in played)
    assert len(played) == 2 * 4 * 3


def test_models_meet_bots_that_play_the_game(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(CONFIG)
    config = load_tournament(tmp_path / "mine.yaml")
    plan = set_up_trial(config, ("rude",), 1, "card-game", "en", "5")
    assert plan.names == ("rude", "fair", "tycoon", "cousin")
    assert list(plan.warn()) == []
    with pytest.raises(UserError, match="--ruler: planner does not play the game cards"):
        set_up_trial(config, ("rude",), 1, "card-game", "en", "5", (10,))


def test_a_trial_refuses_what_it_cannot_do(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(CONFIG)
    (tmp_path / "clash.yaml").write_text(CONFIG.replace("plain:", "fair:"))
    for words, told in (
        (("quick",), "quick names no models"),
        (("mine.yaml", "--model", "plian"), "no model 'plian' (did you mean 'plain'?); there are plain, rude"),
        (("clash.yaml",), "fair is the name of a bot of the trial"),
    ):
        ran = arena("models", "trial", *words, "--out", "x")
        assert (ran.code, told in ran.err) == (2, True), ran.err
