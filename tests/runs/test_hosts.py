"""Which host played a match stands in its timing, and what hosts played is counted from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.match.work import HOST_VARIABLE, this_host
from arena.runs.host_counts import UNKNOWN_HOST, count_by_host
from arena.storage.run_folder import FolderStore
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
    monkeypatch.setenv(HOST_VARIABLE, "rack-7")
    assert this_host() == "rack-7"
    this_host.cache_clear()


def test_matches_and_faults_are_counted_by_host(run: Path) -> None:
    renamed(run, "a", "b", "")
    counts = count_by_host(FolderStore(run))
    assert [count.host for count in counts] == ["a", "b", UNKNOWN_HOST]
    records = list(FolderStore(run).records())
    assert sum(count.matches for count in counts) == len(records)
    faults = sum(sum(seat.faults.values()) for record in records for seat in record.seats)
    assert sum(sum(count.faults.values()) for count in counts) == faults > 0
    assert all(set(count.faults) == {"broken"} for count in counts)


def test_matches_without_a_timing_are_counted_too(run: Path) -> None:
    lines = (run / "timings.jsonl").read_text().splitlines(keepends=True)
    (run / "timings.jsonl").write_text("".join(lines[2:]))
    counts = {count.host: count.matches for count in count_by_host(FolderStore(run))}
    assert counts[UNKNOWN_HOST] == 2
    assert counts[this_host()] == len(lines) - 2


def test_what_verify_did_by_host_is_an_audit_now(run: Path, arena: Arena) -> None:
    for given in (("--by-host",), ("--by-host", "--sample", "9")):
        ran = arena("verify", "out", *given)
        each = given[-1] if len(given) > 1 else 5
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.splitlines()[-1].endswith(f"in place of --by-host use: arena audit out --each {each}")
