"""A bot that dies in every match holds a run up for a declared number of matches, and no longer."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.executors.executor import Look, UnplayedMatch, no_look
from arena.executors.serial import Serial
from arena.match.work import WorkResult
from arena.runs import play_run as runs
from arena.runs.planning.make_plan import make_plan
from arena.storage.run_facts.facts import RunState
from arena.storage.store import MemoryStore
from tests.conftest import CopiedRun
from tests.runs.calling import Calling

pytestmark = pytest.mark.slow

TOURNAMENT = """
name: night
seed: 5
entrants: [random-legal, ./dies.py, greedy]
editions: [{rules: eagle-gryphon, set: {max_turns: 3}}]
seats: 2
blocks: 4
suspend_after: 5
strikes: 1
isolation: none
"""
DIES = """
from arena.games.board import BoardBot

class Dies(BoardBot):
    def turn(self, view):
        raise ValueError
"""
TOLD = "dies: its bot was put out of 5 matches or more before block 2, so it no longer plays from that block on"
ALL = 4 * 6
LEFT = 2 * 6 + 2 * 2  # two blocks of all, two of the others' table


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TOURNAMENT)
    (tmp_path / "dies.py").write_text(DIES)


def results(folder: Path) -> dict[str, bytes]:
    names = ("matches.jsonl", "standings.json", "standings.md", "standings.csv", "crosstable.csv")
    return {name: (folder / name).read_bytes() for name in names}


def played(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "matches.jsonl").read_text().splitlines()]


def test_it_plays_no_more_from_the_next_block_on_and_everybody_is_told(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES.replace("raise ValueError", "__import__('os')._exit(3)"))
    ran = arena("run", "t.yaml", "-o", "out", "-q", "--set", "isolation=process")
    assert ran.code == 0
    assert f"suspended: {TOLD}\n" in ran.err
    records = played(tmp_path / "out")
    assert len(records) == LEFT
    blocks = {record["block"] for record in records if any(seat["entrant"] == "dies" for seat in record["seats"])}
    assert blocks == {0, 1}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (manifest["state"], manifest["suspended"], manifest["finished"]) == ("complete", {"dies": 2}, LEFT)
    assert f"\nSuspended: {TOLD}\n" in (tmp_path / "out" / "standings.md").read_text()
    verified = arena("verify", "out")
    assert verified.code == 0
    fell = f"({ALL - LEFT} dropped: an entrant is suspended)"
    assert f"out: complete, {LEFT} of {ALL} matches {fell}; " in verified.out
    before = results(tmp_path / "out")
    assert arena("standings", "out").code == 0
    assert results(tmp_path / "out") == before


def test_the_bytes_do_not_depend_on_processes_or_on_when_a_run_was_broken_off(
    arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    expected = results(copied_run(TOURNAMENT, "one", "-j", 1))
    assert arena("run", "t.yaml", "-o", "two", "-q", "-j", "2").code == 0
    assert results(tmp_path / "two") == expected
    lines = sorted(
        (tmp_path / "one" / "matches.jsonl").read_bytes().splitlines(keepends=True),
        key=lambda line: json.loads(line)["block"],  # the order in which they were played
    )
    for finished in (7, 13):
        (tmp_path / "two" / "matches.jsonl").write_bytes(b"".join(lines[:finished]))
        assert arena("run", "--trust", "--resume", "two", "-q", "-j", 1).code == 0
        assert results(tmp_path / "two") == expected


def test_a_run_that_is_made_longer_is_as_if_it_had_been_so_from_the_start(
    arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    copied_run(TOURNAMENT, "one", "-j", 1).rename(tmp_path / "long")
    for blocks in (1, 2):
        assert arena("run", "t.yaml", "-o", f"short{blocks}", "-q", "--blocks", blocks).code == 0
        assert json.loads((tmp_path / f"short{blocks}" / "manifest.json").read_text())["suspended"] == {}
        assert arena("run", "--trust", "--resume", f"short{blocks}", "--blocks", 4, "-q").code == 0
        assert results(tmp_path / f"short{blocks}") == results(tmp_path / "long")


def test_verification_finds_a_suspension_that_was_edited_away(
    arena: Any, copied_run: CopiedRun, tmp_path: Path
) -> None:
    copied_run(TOURNAMENT, "one", "-j", 1).rename(tmp_path / "out")
    manifest = tmp_path / "out" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"dies": 2', '"dies": 3'))
    ran = arena("verify", "out", "-q")
    assert ran.code == 3
    assert ran.out == "out/manifest.json: suspended is {'dies': 3}, by matches.jsonl it is {'dies': 2}\n"


class Flaky(Serial):
    """Cannot play one match of block 1."""

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        for result in super().completed(look):
            if isinstance(result, WorkResult) and result.record.id.endswith("/b0001/0-1"):
                yield UnplayedMatch(result.record.id, "no luck")
            else:
                yield result


def test_a_match_that_cannot_be_played_keeps_later_blocks_waiting(tmp_path: Path) -> None:
    plan, store = make_plan(tmp_path / "t.yaml"), MemoryStore()
    with closing(Flaky()) as executor:
        outcome = runs.start_run(plan, store, executor)
    assert outcome.state is RunState.INCOMPLETE
    assert {record.block for record in store.records()} == {0, 1}
    fallen: list[int] = []
    with closing(Serial()) as executor:
        outcome = runs.resume_run(plan, store, executor, listener=Calling(fallen_away=fallen.append))
    assert (outcome.state, outcome.finished, outcome.total) == (RunState.COMPLETE, LEFT, LEFT)
    assert store.suspended == {"dies": 2}
    assert fallen == [4, 4]
