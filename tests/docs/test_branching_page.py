"""``arena docs branching`` is played, and prints what the page shows."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from .walk import in_order, is_printed, shown_by

PAGE = "branching"


def last_close(replay: Path) -> int:
    """The ask at which the last deal was closed: where it is depends on the bundled bots."""
    lines = map(json.loads, replay.read_bytes().splitlines())
    return max((each["ask"] for each in lines if each["event"] == "answer" and each["hook"] == "close"), default=0)


@pytest.mark.slow
def test_the_page_is_played(arena: Any, tmp_path: Path) -> None:
    played = []
    for _, block in in_order(PAGE):
        for command, shown in shown_by(block):
            if "--at ask" in command:
                command = re.sub(r"--at ask\d+", f"--at ask{last_close(tmp_path / 'match.jsonl')}", command)
                command = command.replace("--repeat 20", "--repeat 10")  # each ± is there of so few, too
            _, *words = shlex.split(command)
            ran = arena(*words, *(["--trust"] if words[0] == "match" else []))
            assert ran.code == 0, ran.err
            assert is_printed(shown, ran.out, ran.err), (command, ran)
            played.append(words[0])
    assert played == ["match", "branch"]
