"""Runs of a design: rounds of few tables, whole cycles, teams; and folders that are older than all of these."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.storage.run_facts.facts import Facts

pytestmark = pytest.mark.slow

TOURNAMENT = """
name: rounds
seed: 5
entrants: [silent, {bot: silent, name: b}, {bot: silent, name: c}, {bot: silent, name: d}]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 2
isolation: none
replays: none
"""
CYCLE = 3 * 2 * 2
"""Rounds, tables, seat orders of a cycle: matches."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.yaml").write_text(TOURNAMENT)
    return tmp_path


def ids(folder: Path, out: str = "out") -> list[str]:
    return [json.loads(line)["id"] for line in (folder / out / "matches.jsonl").read_text().splitlines()]


def tables(found: list[str]) -> list[tuple[int, ...]]:
    return [tuple(sorted(map(int, id.rpartition("/")[2].split("-")))) for id in found]


def test_without_a_number_of_blocks_a_run_is_one_cycle_in_which_every_pair_meets_equally_often(
    arena: Any, folder: Path
) -> None:
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    played = tables(ids(folder))
    assert len(played) == CYCLE
    assert Counter(played) == dict.fromkeys(combinations(range(4), 2), 2)
    assert "\nblocks: 3\n" in (folder / "out" / "config.resolved.yaml").read_text()
    assert arena("verify", "out", "-q").code == 0


def test_a_number_of_matches_may_be_given_in_place_of_blocks(arena: Any, folder: Path) -> None:
    assert arena("run", "t.yaml", "-o", "out", "-q", "--matches", 2 * CYCLE).code == 0
    assert len(ids(folder)) == 2 * CYCLE
    assert arena("run", "t.yaml", "--blocks", 3, "--matches", 12).code == 2


BROKEN = {
    (
        "--blocks",
        "4",
    ): "--blocks: expected 3 or 6 blocks, so that every two entrants meet equally often (a cycle has 3), "
    "got 4; or set balance: entrants",
    (
        "--matches",
        "20",
    ): "--matches: expected 12 or 24 matches (12 make up 3 blocks, a cycle, in which every two entrants "
    "meet equally often), got 20; or set balance: entrants",
    (
        "--matches",
        "18",
        "--set",
        "balance=entrants",
    ): "--matches: expected 16 or 20 matches (4 make up a block), got 18",
}


@pytest.mark.parametrize("options", BROKEN)
def test_numbers_that_break_the_balance_are_refused_with_the_nearest_that_keep_it(
    options: tuple[str, ...], arena: Any, folder: Path
) -> None:
    assert arena("run", "t.yaml", *options, "-o", "out") == (2, "", f"arena: {BROKEN[options]}\n")
    assert not (folder / "out").exists()


def test_any_number_of_blocks_is_played_where_only_entrants_are_balanced(arena: Any, folder: Path) -> None:
    assert arena("run", "t.yaml", "-o", "out", "-q", "--blocks", 4, "--set", "balance=entrants").code == 0
    assert len(ids(folder)) == 16


def test_a_run_is_made_longer_by_whole_cycles(arena: Any, folder: Path) -> None:
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    refused = arena("run", "--trust", "--resume", "out", "--blocks", 5)
    assert (refused.code, refused.out) == (2, "")
    assert "expected 3 or 6 blocks, so that every two entrants meet equally often" in refused.err
    assert arena("run", "--trust", "--resume", "out", "--blocks", 6, "-q").code == 0
    assert arena("run", "--trust", "--resume", "out", "--matches", 3 * CYCLE, "-q").code == 0
    assert arena("run", "t.yaml", "-o", "whole", "-q", "--blocks", 9).code == 0
    assert (folder / "out" / "matches.jsonl").read_bytes() == (folder / "whole" / "matches.jsonl").read_bytes()


def without_new_keys(out: Path) -> None:
    """Make a folder what one of before looked like."""
    config = out / "config.resolved.yaml"
    kept = [line for line in config.read_text().splitlines() if line.partition(":")[0] not in ("tables", "balance")]
    config.write_text("\n".join(line for line in kept if line.strip() != "team: ''") + "\n")
    path = out / "manifest.json"
    manifest = json.loads(path.read_text())
    for key in ("tables", "balance"):
        del manifest["settings"][key]
    path.write_text(json.dumps(manifest))
    update_digest(out)


def update_digest(out: Path) -> None:

    path = out / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["config_sha256"] = msgspec.convert(manifest, Facts).digest()
    path.write_text(json.dumps(manifest))


def test_a_folder_of_before_is_verified_resumed_and_repeated_as_every_table_on_one_deal(
    arena: Any, folder: Path
) -> None:
    options = ("--set", "tables=all", "--set", "deals=duplicate", "--blocks", 2)
    assert arena("run", "t.yaml", "-o", "out", "-q", *options).code == 0
    without_new_keys(folder / "out")
    assert arena("verify", "out").out.count("agree") == 1
    matches = folder / "out" / "matches.jsonl"
    whole = matches.read_bytes()
    assert len(whole.splitlines()) == 2 * 6 * 2
    matches.write_bytes(b"".join(whole.splitlines(keepends=True)[:5]))
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert matches.read_bytes() == whole
    assert arena("run", "--trust", "--resume", "out", "--blocks", 3, "-q").code == 0
    assert arena("run", "t.yaml", "-o", "longer", "-q", *options[:4], "--blocks", 3).code == 0
    assert matches.read_bytes() == (folder / "longer" / "matches.jsonl").read_bytes()
    assert arena("run", "out/config.resolved.yaml", "-o", "again", "-q").code == 0
    assert (folder / "again" / "matches.jsonl").read_bytes() == matches.read_bytes()


def test_team_mates_never_meet_in_a_run(arena: Any, folder: Path) -> None:
    text = TOURNAMENT.replace(
        "[silent, {bot: silent, name: b}", "[{bot: silent, team: x}, {bot: silent, name: b, team: x}"
    )
    (folder / "t.yaml").write_text(text)
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    assert (0, 1) not in tables(ids(folder))
    assert json.loads((folder / "out" / "manifest.json").read_text())["entrants"]["b"]["team"] == "x"
    assert arena("verify", "out", "-q").code == 0
    config = folder / "out" / "config.resolved.yaml"
    config.write_text(config.read_text().replace("team: x", "team: y", 1))
    refused = arena("run", "--trust", "--resume", "out", "-q")
    assert refused.code == 2
    assert 'entrants[0].team: "x" then, "y" now' in refused.err


def test_a_dry_run_says_how_often_everybody_comes(arena: Any, folder: Path) -> None:
    told = " ".join(arena("run", "t.yaml", "--dry-run").out.split())
    often = "every entrant in 6 matches, every pair in 2, every entrant in every seat 3 times; 6 deals in 3 blocks"
    assert often in told
    found = json.loads(arena("run", "t.yaml", "--dry-run", "--json").out)["appearances"]
    even = {"least": 6, "most": 6}
    assert (found["entrants"], found["deals"], found["blocks"], found["cycle"]) == (even, 6, 3, 3)


def test_where_a_bot_is_left_out_the_others_play_though_pairs_may_not_be_equal(arena: Any, folder: Path) -> None:
    (folder / "broken.py").write_text("1 +")
    (folder / "t.yaml").write_text(TOURNAMENT.replace("[silent,", "[./broken.py, silent,") + "blocks: 5\n")
    assert arena("run", "t.yaml", "-o", "out", "-q", "--skip-broken").code == 0
    assert len(ids(folder)) == 5 * 2 * 2
    assert "\nbalance: entrants\n" in (folder / "out" / "config.resolved.yaml").read_text()
