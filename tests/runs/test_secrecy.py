"""A seed that a bot of strangers could guess is warned of, and refused where nobody knows the bots."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from arena.finding.programs import refer_command
from arena.finding.reference import find_file, refer_file, refer_module
from arena.runs.planning import isolation_level
from arena.runs.planning.guessable_seed import draw_seed, judge_seed
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, Isolation, strictest_isolation
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import Level
from arena.tournament.schedule.seed_strength import seed_bits

ISOLATED = Isolation(SandboxPolicy())
LEAGUE = """
name: league
entrants: [./mine.py, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 2
"""
GUESSED = "seed '42' can be guessed (about 6 bits; a secret needs 80)"
WARNING = f"{GUESSED}. Against bots you do not trust, omit the seed to get a random one"
REFUSED = f"{GUESSED}; level locked needs a secret seed: omit the seed to get a random one"


@pytest.fixture
def league(tmp_path: Path, write_bot: Any) -> Path:
    write_bot("pass", "mine")
    (tmp_path / "league.yaml").write_text(LEAGUE)
    return tmp_path / "league.yaml"


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have whatever this machine reaches do: that is not what is tested here."""
    monkeypatch.setattr(
        isolation_level, "strictest_isolation", lambda limits=None, at_least=Level.NONE: strictest_isolation(limits)
    )


def test_a_guessable_seed_is_told_of_where_strangers_are_held_off(league: Path) -> None:
    mine, bundled = refer_file(str(league.parent / "mine.py"), None), find_file("greedy")
    assert judge_seed("42", [bundled, mine], ISOLATED) == WARNING
    assert judge_seed("42", [bundled, refer_module("arena.testing", "Bot")], ISOLATED) == WARNING
    assert judge_seed("42", [bundled, refer_command(["cat"])], ISOLATED) == WARNING
    with pytest.raises(UserError) as refused:
        judge_seed("42", [bundled, mine], ISOLATED, Level.LOCKED)
    assert str(refused.value) == REFUSED


def test_it_is_not_told_of_trusted_bots_bundled_ones_and_seeds_that_nobody_guesses(league: Path) -> None:
    mine, bundled = refer_file(str(league.parent / "mine.py"), None), find_file("random-legal")
    assert judge_seed("42", [mine, bundled], TRUSTED_ISOLATION) == ""
    assert judge_seed("42", [bundled, bundled], ISOLATED, Level.SEALED) == ""
    for level in Level:
        assert judge_seed(draw_seed(), [mine, bundled], ISOLATED, level) == ""


@pytest.mark.slow
def test_a_run_warns_of_it_and_plays(arena: Any, league: Path) -> None:
    ran = arena("run", league, "--seed", "42", "-o", "out", "-q")
    assert (ran.code, ran.err.splitlines()[-2:]) == (0, [WARNING, "faults: none"])
    assert WARNING not in arena("run", league, "--seed", "42", "-o", "trusted", "-q", "--trust").err
    assert WARNING not in arena("run", league, "--seed", "42", "-o", "own", "-q", "--set", "entrants[0]=fair").err


@pytest.mark.slow
def test_where_strangers_are_locked_in_it_is_refused_wherever_it_was_given(
    arena: Any, league: Path, locked: None, tmp_path: Path
) -> None:
    assert arena("run", league, "--require", "locked", "--seed", "42", "-o", "out") == (2, "", f"arena: {REFUSED}\n")
    assert arena("run", league, "--require", "locked", "--set", "seed=42", "-o", "out") == (
        2,
        "",
        f"arena: --set seed: {REFUSED}\n",
    )
    match = ("match", "./mine.py", "silent", "--rule", "max_turns=2")
    assert arena(*match, "--require", "locked", "--seed", "42") == (2, "", f"arena: {REFUSED}\n")
    league.write_text(f"{LEAGUE}seed: 42\n")
    assert arena("run", league, "--require", "locked", "-o", "out") == (
        2,
        "",
        f"arena: {league}:6:7: seed: {REFUSED}\n",
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_where_they_are_128_bits_are_drawn_which_repeat_the_run(
    arena: Any, league: Path, locked: None, tmp_path: Path
) -> None:
    ran = arena("run", league, "--require", "locked", "-o", "one", "-q")
    told = ran.err.replace("\n  ", " ").splitlines()
    assert (ran.code, len(told)) == (0, 2 + bool(strictest_isolation().warn())), "the first line may be folded"
    (seed,) = re.findall(r"seed ([0-9a-f]{32}),", ran.err)
    assert seed_bits(seed) > 100
    assert f"seed: {seed}\n" in (tmp_path / "one" / "config.resolved.yaml").read_text().replace('"', "").replace(
        "'", ""
    )
    assert arena("run", "one/config.resolved.yaml", "--require", "locked", "-o", "two", "-q").code == 0
    assert (tmp_path / "one" / "matches.jsonl").read_bytes() == (tmp_path / "two" / "matches.jsonl").read_bytes()
    played = json.loads(
        arena("match", "./mine.py", "silent", "--rule", "max_turns=2", "--require", "locked", "--json").out
    )
    assert len(played["seed"]) == 32


@pytest.mark.slow
def test_a_league_may_require_it_in_its_file(arena: Any, league: Path, locked: None, tmp_path: Path) -> None:
    league.write_text(f"{LEAGUE}require: locked\n")
    assert arena("run", league, "--seed", "42", "-o", "out") == (2, "", f"arena: {REFUSED}\n")
    trusted = "level locked is required, but trusted bots have level none; choose one of the two"
    assert arena("run", league, "--trust", "-o", "out") == (2, "", f"arena: {league}:6:10: require: {trusted}\n")
    assert arena("run", league, "--set", "isolation=none", "-o", "out").err.endswith(f"require: {trusted}\n")
    assert not (tmp_path / "out").exists()
    assert arena("run", league, "--trust", "--require", "none", "-q", "-o", "mine").code == 0
    given = arena("run", league, "--trust", "--require", "sealed", "-o", "out")
    assert (given.code, given.err) == (2, f"arena: --require: {trusted.replace('locked', 'sealed')}\n")


@pytest.mark.slow
def test_a_run_that_is_resumed_requires_what_it_began_with(
    arena: Any, league: Path, locked: None, tmp_path: Path
) -> None:
    (tmp_path / "helper.py").write_text("")
    (tmp_path / "mine.py").write_text((tmp_path / "mine.py").read_text() + "\nNAMED = 'other.py'\n")
    (tmp_path / "other.py").write_text((tmp_path / "mine.py").read_text().replace("NAMED", "UNNAMED"))
    league.write_text(LEAGUE.replace("greedy", "./other.py"))
    assert arena("run", league, "--require", "locked", "-q", "-o", "out").code == 0
    records = (tmp_path / "out" / "matches.jsonl").read_bytes()
    (tmp_path / "out" / "matches.jsonl").write_bytes(records.splitlines(keepends=True)[0])
    ran = arena("run", "--resume", "out", "-q")
    assert (ran.code, (tmp_path / "out" / "matches.jsonl").read_bytes()) == (0, records), ran.err
    assert arena("run", "--resume", "out", "--require", "none").code == 2
