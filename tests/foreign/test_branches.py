"""A bot in another language takes over a seat of a recorded match, told all that happened before."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from arena.finding.reference import find_file
from arena.match.runner import play_here
from tests.conftest import small, spec_of

from .conftest import Commands

pytestmark = pytest.mark.slow


def test_a_bot_in_another_language_takes_over(arena: Any, commands: Commands, tmp_path: Path) -> None:
    refs = tuple(map(find_file, ("dealmaker", "greedy", "fair")))
    (tmp_path / "match.jsonl").write_bytes(play_here(spec_of(refs, small(turns=6)), refs).replay)
    program = f"cmd:{shlex.join(commands['broker'])}"
    ran = arena("branch", "match.jsonl", "--at", "ask12", "--bot", program, "--repeat", 3, "-q", "--strict", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert (found["played"], found["unrepeated"], found["parted"], found["faults"]) == (8, [], None, [])
    assert found["variants"][1]["pairs"] == 3
    assert found["variants"][1]["bot"] == "cmd:broker"
