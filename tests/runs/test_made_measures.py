"""Measures of a tournament file stand in all files of the run, and are kept with it."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import arena.results
from arena.games import load_game
from arena.runs.planning import plan_facts
from arena.tournament.measures import custom_measures
from arena.tournament.measures.measures import MEASURES, Measure, MeasureUnit, money_of

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
  deals: {of: count, count: opened}
"""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arena: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(TOURNAMENT)
    assert arena("run", "own.yaml", "-o", "out", "-q", "-j", 1, "--set", "measures.long={of: asks}").code == 0
    return tmp_path / "out"


def test_they_stand_in_every_file_and_the_run_still_verifies(played: Path, arena: Any) -> None:
    (line, *_) = csv.DictReader(StringIO((played / "standings.csv").read_text()))
    assert {"second_place", "second_place_half_width", "lead", "long", "deals", "deals_low"} <= set(line)
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


def test_what_a_game_counts_is_averaged_from_the_records_of_its_matches(played: Path) -> None:
    lines = [json.loads(line) for line in (played / "matches.jsonl").read_text().splitlines()]
    assert {tuple(line["counts"]) for line in lines} == {load_game("board").summary.counts}  # type: ignore[union-attr]
    opened = [
        count
        for line in lines
        for seat, count in zip(line["seats"], line["counts"]["opened"], strict=True)
        if seat["entrant"] == "greedy"
    ]
    (standings,) = arena_standings(played)
    row = next(row for row in standings.rows if row.entrant == "greedy")
    assert row["deals"].mean == pytest.approx(sum(opened) / len(opened))
    assert sum(opened) > 0


@pytest.mark.slow
def test_counts_that_are_not_those_of_the_replay_are_told(played: Path, arena: Any) -> None:
    assert arena("run", "own.yaml", "-o", "kept", "-q", "-j", 1, "--replays", "all").code == 0
    matches = played.parent / "kept" / "matches.jsonl"
    lines = matches.read_text().splitlines(keepends=True)
    first = json.loads(lines[0])
    first["counts"]["opened"][0] += 1
    matches.write_text("".join([json.dumps(first, separators=(",", ":")) + "\n", *lines[1:]]))
    ran = arena("verify", "kept", "-q")
    assert ran.code == 3
    assert "has other counts: counts.opened is [" in ran.out


def later_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on all standings have a measure more."""
    later = Measure("later", "what came later", money_of, MeasureUnit.MONEY, header="later", interval=True)
    for module in (custom_measures, plan_facts):
        monkeypatch.setattr(module, "MEASURES", (*MEASURES, later))


@pytest.mark.slow
def test_a_run_keeps_the_measures_that_it_began_with_when_a_column_is_added_later(
    played: Path, arena: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = played / "manifest.json"
    assert json.loads(manifest.read_text())["measure_names"] == [each.name for each in MEASURES]
    later_column(monkeypatch)
    assert arena("verify", "out", "-q").code == 0
    before = (played / "standings.json").read_bytes()
    assert arena("standings", "out").code == 0
    assert (played / "standings.json").read_bytes() == before
    assert arena("run", "--trust", "--resume", "out", "--blocks", 4, "-q", "-j", 1).code == 0
    assert arena("verify", "out", "-q").code == 0
    assert json.loads(manifest.read_text())["measure_names"] == [each.name for each in MEASURES]
    assert '"later"' not in (played / "standings.json").read_text()
    assert arena("run", "own.yaml", "-o", "new", "-q", "-j", 1).code == 0
    assert '"later"' in (played.parent / "new" / "standings.json").read_text()
    assert arena("verify", "new", "-q").code == 0


def test_a_run_of_before_says_nothing_of_its_measures_and_is_verified_with_all(played: Path, arena: Any) -> None:
    manifest = played / "manifest.json"
    told = json.loads(manifest.read_text())
    del told["measure_names"]
    manifest.write_text(json.dumps(told))
    assert arena("verify", "out", "-q").code == 0
    manifest.write_text(json.dumps({**told, "measure_names": ["wins", "faults"]}))
    ran = arena("verify", "out", "-q")
    assert ran.code == 3
    assert "standings.json: it contradicts matches.jsonl" in ran.out
    manifest.write_text(json.dumps({**told, "measure_names": ["win"]}))
    assert "measure_names: this arena has no measure 'win' (did you mean 'wins'?)" in arena("verify", "out", "-q").out


def arena_standings(folder: Path) -> Any:
    return arena.results.read(folder).standings()


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("measures.x.of=rnk", "termination, count or module:Name, got 'rnk' (did you mean 'rank'?)"),
        ("measures.x={of: rank, equal: 2}", "measures.x.equal: unknown key (did you mean 'equals'?)"),
        ("measures.x={of: ended, equals: playd}", "got 'playd' (did you mean 'played'?)"),
        ("measures.x={of: termination, equals: end rol}", "got 'end rol' (did you mean 'end roll'?)"),
        (
            "measures.x={of: count, count: opend}",
            "the game board has no count 'opend' (did you mean 'opened'?)",
        ),
        ("measures.x={of: count}", "expected one of the game's counts"),
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
    assert told.startswith("Design factor: unknown after 6 blocks (")
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
