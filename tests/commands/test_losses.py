"""``arena losses``: the matches and deals that cost a bot most, and the commands that look at them."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from arena.storage.layout import read_records
from tests.played_run import play_run

TOURNAMENT = """
name: mix
seed: 5
entrants: [greedy, fair, random-legal, dealmaker]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 12}}
  - {rules: card-game, changes: {rounds: {3: 2}}}
seats: 3
seat_orders: rotations
blocks: 1
isolation: none
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_run(tmp_path_factory.mktemp("lost"), TOURNAMENT)


def test_a_match_costs_what_others_had_more_in_the_same_seat_of_the_same_deal(arena: Any, run: Path) -> None:
    found = json.loads(arena("losses", run, "random-legal", "--json", "--top", 1000).out)
    assert [each["game"] for each in found] == ["board", "cards"]
    records = {record.id: record for record in read_records(run)}
    for each in found:
        costs = [loss["cost"] for loss in each["costly_matches"]]
        assert costs == sorted(costs, reverse=True)
        assert costs[-1] > 0
        for loss in each["costly_matches"]:
            record, seat = records[loss["match"]], loss["seat"]
            assert record.seats[seat].entrant == "random-legal"
            others = [
                other.seats[seat].money
                for other in records.values()
                if (other.edition, other.seed) == (record.edition, record.seed)
                and other.seats[seat].entrant != "random-legal"
            ]
            assert loss["compared"] == len(others) > 0
            assert loss["cost"] == pytest.approx(fmean(others) - record.seats[seat].money)


def test_a_deal_costs_what_another_gained_more_and_every_command_works(arena: Any, run: Path) -> None:
    found = json.loads(arena("losses", run, "random-legal", "--json").out)
    for each in found:
        assert each["costly_deals"]
        for deal in each["costly_deals"][:1]:
            listed = arena("picture", run, deal["match"], "--list").out.splitlines()
            assert f"{deal['number']:>4}  {deal['summary']}" in listed
            assert deal["cost"] > 0
        shown = [shlex.split(line) for line in each["commands"] if " --scan " not in line]
        assert {words[1] for words in shown} == {"view", "picture"}
        for words in shown:
            assert arena(*words[1:], *(["-o", "page.html"] if words[1] == "view" else [])).code == 0
    told = arena("losses", run, "random-legal").out
    assert "Look closer:" in told
    for line in found[0]["commands"]:
        assert f"  {line}\n" in told


def test_who_does_not_play_there_is_told_who_does(arena: Any, run: Path) -> None:
    ran = arena("losses", run, "faire")
    assert (ran.code, ran.out) == (2, "")
    assert "no entrant 'faire'" in ran.err
    assert "did you mean 'fair'?" in ran.err


def test_who_has_no_finished_match_yet_gets_one_line(arena: Any, run: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    begun.mkdir()
    shutil.copy(run / "manifest.json", begun)
    (begun / "matches.jsonl").touch()
    ran = arena("losses", begun, "greedy")
    assert (ran.code, " ".join(ran.out.split())) == (0, f"greedy has no finished match in {begun} that counts.")
    assert not ran.out.endswith("\n\n")


def test_a_scan_that_finds_nothing_names_the_match_to_scan_next(arena: Any, run: Path) -> None:
    every = json.loads(arena("losses", run, "greedy", "--json").out)[0]
    words = ("--asks", 1, "--few", 2, "--repeat", 3, "--trust", "-q", "-j", 1)
    others = [each for each in every["costly_matches"][1:] if each["has_replay"]]
    ran = arena("branch", run, others[0]["match"], "--scan", others[0]["seat"], *words)
    assert ran.code == 0, ran.err
    assert "seems to have cost it anything" in ran.out or "no decision of" in ran.out
    best = every["costly_matches"][0]
    assert f"arena branch {run} {best['match']} --scan {best['seat']}" in ran.out
