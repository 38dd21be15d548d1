"""Matches of a block share a deal, or, with fresh deals, no two matches do; the run's folder knows which."""

from __future__ import annotations

import json
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

TOURNAMENT = """
name: deals
seed: 5
entrants: [random-legal, greedy, silent]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 2}}
  - {rules: outline, changes: {max_turns: 2}, seats: 3}
seats: 2
blocks: 2
isolation: none
"""


@pytest.fixture
def run(arena: Any, tmp_path: Path) -> Any:
    (tmp_path / "t.yaml").write_text(TOURNAMENT)

    def run(*options: object) -> dict[str, Any]:
        assert arena("run", "t.yaml", "-o", "out", "-q", *options).code == 0
        lines = (tmp_path / "out" / "matches.jsonl").read_text().splitlines()
        return {record["id"]: record for record in map(json.loads, lines)}

    return run


def test_matches_of_a_table_share_a_deal_with_the_documented_seed_unless_told_otherwise(
    run: Any, tmp_path: Path
) -> None:
    records = run()
    tables = {(record["block"], tuple(entrants_of(id))) for id, record in records.items()}
    assert len({record["seed"] for record in records.values()}) == len(tables) == 2 * (3 + 1)
    for id, record in records.items():
        table = "-".join(entrants_of(id))
        assert record["seed"] == sha256(f"5/block/{record['block']}/table/{table}".encode()).hexdigest()[:32]
    assert "\ndeals: table\n" in (tmp_path / "out" / "config.resolved.yaml").read_text()


def entrants_of(id: str) -> list[str]:
    return sorted(id.rpartition("/")[2].split("-"))


@pytest.mark.parametrize("options", [("--set", "deals=duplicate"), ("--set", "tables=all")])
def test_matches_of_a_block_share_a_deal_where_that_is_said_or_all_tables_play(
    options: tuple[str, str], run: Any, tmp_path: Path
) -> None:
    seeds = defaultdict(set)
    for record in run(*options).values():
        seeds[record["block"]].add(record["seed"])
    assert [len(each) for each in seeds.values()] == [1, 1]
    assert "\ndeals: duplicate\n" in (tmp_path / "out" / "config.resolved.yaml").read_text()


def test_with_fresh_deals_every_match_has_the_documented_seed_of_its_own(run: Any, arena: Any, tmp_path: Path) -> None:
    records = run("--set", "deals=fresh")
    assert len({record["seed"] for record in records.values()}) == len(records) == 2 * (3 * 2 + 3)
    for id, record in records.items():
        assert record["seed"] == sha256(f"5/match/{id}".encode()).hexdigest()[:32]
    assert "\ndeals: fresh\n" in (tmp_path / "out" / "config.resolved.yaml").read_text()
    standings = json.loads((tmp_path / "out" / "standings.json").read_text())
    assert {each["blocks"] for each in standings.values()} == {2}
    assert arena("verify", "out", "-q").code == 0


@pytest.mark.slow
def test_a_run_is_repeated_and_resumed_with_its_own_deals(run: Any, arena: Any, tmp_path: Path) -> None:
    records = run("--set", "deals=fresh")
    matches = tmp_path / "out" / "matches.jsonl"
    whole = matches.read_bytes()
    assert arena("run", "out/config.resolved.yaml", "-o", "again", "-q").code == 0
    assert (tmp_path / "again" / "matches.jsonl").read_bytes() == whole
    matches.write_bytes(b"".join(whole.splitlines(keepends=True)[: len(records) // 2]))
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert matches.read_bytes() == whole


@pytest.mark.parametrize(("played", "claimed"), [("fresh", "duplicate"), ("duplicate", "fresh"), ("table", "fresh")])
def test_verify_finds_matches_whose_seed_is_not_that_of_the_run_s_deals(
    played: str, claimed: str, run: Any, arena: Any, tmp_path: Path
) -> None:
    records = run("--set", f"deals={played}")
    config = tmp_path / "out" / "config.resolved.yaml"
    config.write_text(config.read_text().replace(f"deals: {played}", f"deals: {claimed}"))
    manifest = tmp_path / "out" / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"deals": "{played}"', f'"deals": "{claimed}"'))
    ran = arena("verify", "out", "-q")
    assert ran.code == 3
    first = next(iter(records.values()))
    wrong = [line for line in ran.out.splitlines() if line.endswith(" (which follows from the run's seed)")]
    assert len(wrong) == len(records)
    assert wrong[0].startswith(f"out/matches.jsonl:1: {first['id']} has seed {first['seed']}, expected ")


def test_verify_finds_a_run_whose_seed_was_chosen_after_its_matches(run: Any, arena: Any, tmp_path: Path) -> None:
    run()
    config = tmp_path / "out" / "config.resolved.yaml"
    config.write_text(config.read_text().replace("seed: '5'", "seed: '6'").replace('seed: "5"', 'seed: "6"'))
    assert arena("verify", "out", "-q").code == 3
