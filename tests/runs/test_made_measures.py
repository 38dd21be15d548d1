"""Measures of a tournament file stand in all files of the run, and are kept with it."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import arena.results

TOURNAMENT = """name: own
seed: 1
entrants: [greedy, fair, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 3}}]
seats: 3
blocks: 3
isolation: none
replays: none
measures:
  second_place: {of: rank, equals: 2}
  lead: {of: lead}
"""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arena: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(TOURNAMENT)
    assert arena("run", "own.yaml", "-o", "out", "-q", "-j", 1, "--set", "measures.long={of: asks}").code == 0
    return tmp_path / "out"


def test_they_stand_in_every_file_and_the_run_still_verifies(played: Path, arena: Any) -> None:
    (line, *_) = csv.DictReader(StringIO((played / "standings.csv").read_text()))
    assert {"second_place", "second_place_half_width", "lead", "long"} <= set(line)
    (seat, *_) = csv.DictReader(StringIO((played / "seats.csv").read_text()))
    assert {"second_place", "lead", "long"} <= set(seat)
    ((_, standings),) = json.loads((played / "standings.json").read_text()).items()
    assert {"second_place", "lead", "long"} <= set(standings["rows"][0]) & set(standings["design_factor"])
    assert "second place" in (played / "standings.md").read_text()
    assert "measures:\n  second_place:\n    of: rank\n    equals: 2\n" in (played / "config.resolved.yaml").read_text()
    assert json.loads((played / "manifest.json").read_text())["settings"]["measures"]["long"] == {"of": "asks"}
    assert arena("verify", "out", "-q").code == 0


def test_a_run_that_goes_on_keeps_them(played: Path, arena: Any) -> None:
    ran = arena("run", "--trust", "--resume", "out", "--blocks", 4, "-q", "-j", 1)
    assert ran.code == 0
    (line, *_) = csv.DictReader(StringIO((played / "standings.csv").read_text()))
    assert "second_place" in line
    assert "second place" in arena("standings", "out").out
    (standings,) = arena_standings(played)
    assert "second_place" in standings.rows[0].values
    assert arena("verify", "out", "-q").code == 0


def arena_standings(folder: Path) -> Any:
    return arena.results.read(folder).standings()


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("measures.x.of=rnk", "termination or module:Name, got 'rnk' (did you mean 'rank'?)"),
        ("measures.x={of: rank, equal: 2}", "measures.x.equal: unknown key (did you mean 'equals'?)"),
        ("measures.x={of: ended, equals: playd}", "got 'playd' (did you mean 'played'?)"),
        ("measures.x={of: termination, equals: end rol}", "got 'end rol' (did you mean 'end roll'?)"),
        ("measures.wins={of: rank}", "standings have 'wins' already; expected another name"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    setting: str, told: str, arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(TOURNAMENT)
    ran = arena("run", "own.yaml", "--set", setting)
    assert ran.code == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_a_pilot_tells_what_the_design_is_worth(arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(TOURNAMENT)
    ran = arena("run", "own.yaml", "--set", "blocks=12", "--dry-run", "--pilot", 6, "--json")
    pilot = json.loads(ran.out)["pilot"]
    assert (pilot["blocks"], pilot["matches"], pilot["why_not"]) == (6, 18, "")
    ((label, told),) = pilot["told"].items()
    assert told.startswith("Design factor: not known from 6 blocks (")
    assert pilot["factors"][label]["mean_money"]["clusters"] == 6
    again = json.loads(arena("run", "own.yaml", "--set", "blocks=12", "--dry-run", "--pilot", 6, "--json").out)
    assert again["pilot"] == pilot
    assert not (tmp_path / "results").exists()


def test_a_pilot_that_is_too_small_says_what_it_takes(
    arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(TOURNAMENT)
    few = " ".join(arena("run", "own.yaml", "--dry-run").out.split())
    assert "no pilot was played for the design factor: it takes 5 blocks or more, and the run has 3" in few
    chosen = " ".join(arena("run", "own.yaml", "--set", "blocks=9", "--dry-run", "--pilot", 2).out.split())
    assert "a pilot of 2 blocks is too short for the design factor; --pilot 5 or more (15 matches in about" in chosen
    assert " s in 1 process)" in chosen
    assert "add --dry-run" in arena("run", "own.yaml", "--pilot", 6).err
