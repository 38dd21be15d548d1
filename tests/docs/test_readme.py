"""The README is short, and its commands print what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from arena.executors import make

from .pages import ROOT
from .recorded_matches import RecordedMatches
from .walk import is_printed

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_is_read_to_the_end() -> None:
    assert len(README.splitlines()) <= 180
    commands = re.findall(r"^pip install .*$", README, re.MULTILINE)
    assert commands == [
        "pip install . && arena run configs/tournaments/quick.yaml",
        'pip install ".[test]" && python -m pytest -n auto',
    ]


def shown_below(command: str) -> str:
    """What the README shows below a command, exactly as it is printed."""
    (shown,) = re.findall(
        rf"^{re.escape(command)}\n```\n(?:\n[^`]*?)?\n```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE
    )
    return str(shown)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["arena run configs/tournaments/quick.yaml", "arena gauntlet ./modest.py"])
def test_a_command_prints_what_the_readme_shows(
    command: str, arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "modest.py").write_text(re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[0])
    (line,) = [
        each for each in re.findall(r"^(?:pip install \. && )?(arena .*)$", README, re.MULTILINE) if command in each
    ]
    (whole,) = [each for each in README.splitlines() if each.endswith(line)]
    words = [word.replace("configs/", f"{ROOT}/configs/") for word in shlex.split(line)[1:]]
    recorded = RecordedMatches(f"readme-{words[0]}")
    monkeypatch.setattr(make, "Pool", recorded.executor)
    ran = arena(*words, "--trust", "-q", *(["-o", "out"] if words[0] == "run" else []))
    assert ran.code == 0
    shown, at = shown_below(whole), 0
    assert is_printed(shown, ran.out)
    for each in shown.splitlines():  # every digit, too
        if each != "[…]":
            at = ran.out.index(f"{each}\n", at)
    recorded.end()
