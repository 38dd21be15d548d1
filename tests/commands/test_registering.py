"""``arena register``: what was written down before the first match, and what deviates from it."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.played_run import play_run

CONFIG = """
name: versions
entrants: [greedy, fair, silent, {bot: silent, name: other}]
editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]
format: gauntlet
challengers: [greedy, fair]
seats: 3
blocks: 2
isolation: none
"""


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tournament file, its registration, and a run of it."""
    from click.testing import CliRunner

    from arena.cli.main import cli

    below = tmp_path_factory.mktemp("registered")
    config, plan, out = (str(below / name) for name in ("v.yaml", "plan.json", "out"))
    Path(config).write_text(CONFIG)
    words = ["register", config, "greedy", "fair", "--margin", "0.4", "--exclude", "none else", "-o", plan]
    ran = CliRunner().invoke(cli, words)
    assert ran.exit_code == 0, ran.output
    digest = sha256(Path(plan).read_bytes()).hexdigest()
    assert ran.stdout == f"{digest}  {plan}\n"
    ran = CliRunner().invoke(cli, ["run", config, "--registration", plan, "-o", out, "-q", "-j", "1"])
    assert ran.exit_code == 0, ran.output
    assert "deviates" not in ran.output
    return below


def test_a_registration_names_test_bots_and_rules_and_hides_the_seed(registered: Path) -> None:
    written = json.loads((registered / "plan.json").read_text())
    secret = json.loads((registered / "plan.json.secret").read_text())
    assert written["contrast"] == ["greedy", "fair"]
    assert (written["measure"], written["margin"]) == ("beaten", 0.4)
    assert written["stopping"] == {"blocks": 2, "alpha": 0.05, "beta": 0.05, "null": 0.0}
    assert written["exclusions"] == ["void matches", "none else"]
    assert secret["seed"] not in (registered / "plan.json").read_text()
    assert written["seed_commitment"] == sha256(f"{secret['salt']}\n{secret['seed']}".encode()).hexdigest()
    assert (registered / "plan.json.secret").stat().st_mode & 0o077 == 0
    manifest = json.loads((registered / "out" / "manifest.json").read_text())
    assert manifest["seed"] == secret["seed"]
    assert manifest["registration"]["sha256"] == sha256((registered / "plan.json").read_bytes()).hexdigest()
    assert manifest["registration"]["registration"] == written
    assert set(written["entrants"]) == {"greedy", "fair", "silent", "other"}
    assert written["entrants"]["fair"]["sha256"] == manifest["entrants"]["fair"]["sha256"]


def test_a_run_as_registered_verifies_and_its_results_say_so(arena: Any, registered: Path) -> None:
    out = registered / "out"
    assert arena("verify", out, "-q").code == 0
    told = re.sub(r"\s+", " ", arena("standings", out).out)
    assert "Registered before the first match" in told
    assert "whether greedy is better than fair, by beaten. Everything else is exploratory. Root digest" in told
    assert "Registered before the first match" in (out / "standings.md").read_text()
    told = arena("compare", "greedy", "fair", "--from", out, "--difference", 0.4, "--json")
    assert re.fullmatch(r"Registered before the first match \([0-9a-f]{16}\)\.", json.loads(told.out)["standing"])
    for words, why in (
        (("greedy", "fair"), "another margin"),
        (("fair", "greedy", "--difference", 0.4), "another contrast"),
        (("greedy", "fair", "--difference", 0.4, "--measure", "money"), "another measure"),
        (("greedy", "fair", "--difference", 0.4, "--alpha", 0.1), "another alpha"),
    ):
        standing = json.loads(arena("compare", *words, "--from", out, "--json").out)["standing"]
        assert standing == f"Exploratory: {why} was registered before the first match."


def test_a_run_without_a_registration_is_exploratory(arena: Any, tmp_path: Path) -> None:
    out = play_run(tmp_path, CONFIG)
    assert "registration" not in json.loads((out / "manifest.json").read_text())
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    assert "Exploratory: nothing was registered" in arena("standings", out).out
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == before
    told = json.loads(arena("compare", "greedy", "fair", "--from", out, "--json").out)
    assert told["standing"].startswith("Exploratory: nothing was registered")


def test_everything_that_deviates_is_listed(arena: Any, registered: Path, tmp_path: Path) -> None:
    words = ["--blocks", 3, "--strikes", 2, "--set", "entrants[3].bot=dealmaker", "-j", 1]
    ran = arena("run", registered / "v.yaml", "--registration", registered / "plan.json", *words, "-o", "out", "-q")
    deviations = (
        "2 blocks were registered, the run has 3",
        "the bot of other is not the one registered",
        "strikes: 3 was registered, the run has 2",
    )
    for each in deviations:
        assert f"this deviates from the registration: {each}\n" in ran.err
    ran = arena("verify", "out", "-q")
    assert (ran.code, ran.out.count("deviates from its registration")) == (3, 3)
    assert all(f"the run deviates from its registration: {each}\n" in ran.out for each in deviations)
    assert all(
        f"deviates from its registration: {each}\n" in arena("audit", "out", "-q").err for each in deviations[:1]
    )
    ran = arena("compare", "greedy", "fair", "--from", "out", "--difference", 0.4, "--json")
    assert "The run deviates from the registration: 2 blocks" in json.loads(ran.out)["standing"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"margin": 0.4', '"margin": 0.3', "the registration was changed: its digest is"),
        ('"salt": "', '"salt": "0', "the seed is not the one that the registration commits to"),
    ],
)
def test_a_registration_that_was_changed_afterwards_is_found(
    arena: Any, registered: Path, tmp_path: Path, old: str, new: str, told: str
) -> None:
    shutil.copytree(registered / "out", tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text()
    assert old in text
    (tmp_path / "out" / "manifest.json").write_text(text.replace(old, new))
    ran = arena("verify", "out", "-q")
    assert ran.code == 3
    assert told in ran.out


def test_mistakes_are_told(arena: Any, registered: Path, tmp_path: Path) -> None:
    config, plan = registered / "v.yaml", registered / "plan.json"
    assert "is there already" in arena("register", config, "greedy", "fair", "-o", plan).err
    assert "got fair twice" in arena("register", config, "fair", "fair", "-o", "x").err
    assert "'fai'" in arena("register", config, "greedy", "fai", "-o", "x").err
    assert "leave out --seed" in arena("run", config, "--registration", plan, "--seed", 1).err
    assert "plan.json is missing" in arena("run", config, "--registration", "plan.json").err
    shutil.copy(plan, tmp_path / "plan.json")
    (tmp_path / "plan.json.secret").write_text('{"seed":"1","salt":"2"}')
    ran = arena("run", config, "--registration", "plan.json")
    assert (ran.code, "another seed than the one that plan.json commits to" in ran.err) == (2, True)
