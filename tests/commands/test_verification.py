"""``arena verify`` of many matches: in several processes, each replay read once."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.replay.frame import unpack_replay
from tests.conftest import CopiedRun
from tests.kept import loosen

TOURNAMENT = """
name: many
seed: 5
entrants: [random-legal, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 1}}]
seats: 2
blocks: 20
isolation: none
"""
MATCHES = 40


@pytest.fixture
def many(copied_run: CopiedRun) -> Path:
    """The folder of a complete run of many short matches."""
    return copied_run(TOURNAMENT, "many")


def test_as_many_processes_as_are_asked_for_find_the_same(
    arena: Any, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.commands.verify.verify_matches.SERIAL_REPLAYS", 10)
    loosen(many)
    lines = (many / "matches.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    (many / records[3]["replay"]).write_text((many / records[30]["replay"]).read_text())
    (many / records[38]["replay"]).unlink()
    aside = many / records[16]["replay"]
    aside.write_text(aside.read_text().replace('"event":"marker","space":', '"event":"marker","space":1', 1))
    lines[34] = re.sub(r'"opened":\[\d+', '"opened":[77', lines[34])
    (many / "matches.jsonl").write_text("\n".join([*lines[:8], *lines[9:]]) + "\n")
    alone, together = (arena("verify", "many", "-j", jobs) for jobs in (1, 2))
    assert together.out == alone.out
    assert (alone.code, together.code, together.err) == (3, 3, "")
    found = together.out.splitlines()
    assert found[0].startswith(f"many/{records[16]['replay']}: line ")
    by_match = {number: [line for line in found if f" {records[number]['id']}" in line] for number in (3, 34, 38)}
    assert any("is of another match" in line for line in by_match[3])
    assert any("has other counts: counts.opened" in line for line in by_match[34])
    assert any("is missing" in line for line in by_match[38])
    assert any(line.startswith(f"many/{records[8]['replay']}: no line of matches.jsonl") for line in found)


def test_each_replay_is_unpacked_once(arena: Any, many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = Counter[bytes]()

    def count(frame: bytes) -> bytes:
        unpacked[frame] += 1
        return unpack_replay(frame)

    monkeypatch.setattr("arena.storage.packs.pack.unpack_replay", count)
    assert arena("verify", "many", "-j", 1, "-q").code == 0
    assert sorted(unpacked.values()) == [1] * MATCHES


def test_more_processes_than_cores_are_refused(arena: Any, many: Path) -> None:
    ran = arena("verify", "many", "-j", 1000)
    assert (ran.code, ran.out) == (2, "")
    assert "1000 jobs on " in ran.err
