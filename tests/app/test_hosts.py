"""Which host played a match stands in its timing, and what hosts played is counted from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.app.folder import FolderStore
from arena.app.hosts import UNKNOWN, count_by_host
from arena.match.work import HOST, this_host
from tests.conftest import Arena

TOURNAMENT = """
name: hosts
seed: 5f1c8e0b7a94d236
entrants: [greedy, {bot: ./player.py, name: culprit}]
editions: [{rules: eagle-gryphon, changes: {max_turns: 6}}]
seats: 2
blocks: 3
isolation: none
"""


@pytest.fixture
def run(arena: Arena, tmp_path: Path, write_bot: Any) -> Path:
    """A run in which one bot is broken."""
    write_bot("def turn(self, view): 1 / 0")
    (tmp_path / "hosts.yaml").write_text(TOURNAMENT)
    assert arena("run", "hosts.yaml", "-j", "1", "-o", "out", "-q").code == 0
    return tmp_path / "out"


def renamed(run: Path, *hosts: str) -> None:
    """Have the matches been played by these hosts in turn; "" is a line as it was before hosts were named."""
    path = run / "timings.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for number, line in enumerate(lines):
        line["host"] = hosts[number % len(hosts)]
        if not line["host"]:
            del line["host"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_match_names_this_machine(run: Path) -> None:
    assert {timing.host for timing in FolderStore(run).timings()} == {this_host()}


def test_a_machine_can_be_given_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    this_host.cache_clear()
    monkeypatch.setenv(HOST, "rack-7")
    assert this_host() == "rack-7"
    this_host.cache_clear()


def test_matches_and_faults_are_counted_by_host(run: Path) -> None:
    renamed(run, "a", "b", "")
    counts = count_by_host(FolderStore(run))
    assert [count.host for count in counts] == ["a", "b", UNKNOWN]
    records = list(FolderStore(run).records())
    assert sum(count.matches for count in counts) == len(records)
    faults = sum(sum(seat.faults.values()) for record in records for seat in record.seats)
    assert sum(sum(count.faults.values()) for count in counts) == faults > 0
    assert all(set(count.faults) == {"broken"} for count in counts)


def test_matches_without_a_timing_are_counted_too(run: Path) -> None:
    lines = (run / "timings.jsonl").read_text().splitlines(keepends=True)
    (run / "timings.jsonl").write_text("".join(lines[2:]))
    counts = {count.host: count.matches for count in count_by_host(FolderStore(run))}
    assert counts[UNKNOWN] == 2
    assert counts[this_host()] == len(lines) - 2


def test_a_sample_of_every_host_comes_out_the_same_here(run: Path, arena: Arena) -> None:
    renamed(run, "a", "b")
    ran = arena("verify", "out", "--by-host", "--sample", "1")
    matches = len(list(FolderStore(run).records()))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [f"{host}: 1 of 1 identical here, of {matches // 2} matches" for host in "ab"]


def test_matches_with_faults_of_time_are_not_chosen_but_told(run: Path, arena: Arena) -> None:
    lines = [json.loads(line) for line in (run / "matches.jsonl").read_text().splitlines()]
    lines[0]["seats"][0]["faults"] = {"late": 1}
    (run / "matches.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = arena("verify", "out", "--by-host", "--sample", "99")
    rest = len(lines) - 1
    assert ran.code == 0
    assert ran.out == (
        f"{this_host()}: {rest} of {rest} identical here, of {rest + 1} matches "
        "(1 with faults of time are not chosen)\n"
    )


def test_a_sample_is_only_of_hosts_and_these_are_of_one_run(run: Path, arena: Arena) -> None:
    ran = arena("verify", "out", "--sample", "3")
    assert (ran.code, ran.err.splitlines()[-1]) == (2, "Error: --sample is for --by-host")
    ran = arena("verify", "out", "out", "--by-host")
    assert (ran.code, ran.err) == (2, "arena: --by-host expects the folder of one run, got out, out\n")
