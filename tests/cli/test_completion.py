"""The page tells how commands are completed in three shells; bash does it, the others get what they read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import environment_of
from tests.docs.pages import section

LINES = dict(re.findall(r"^\| (bash|zsh|fish) .*`([^`]*)` *\|$", section("installing", "Completion"), re.MULTILINE))


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which ``arena`` is this one."""
    command = tmp_path / "arena"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m arena "$@"\n')
    command.chmod(0o755)
    root = str(Path(__file__).parents[2])
    return environment_of(PATH=f"{tmp_path}:/usr/bin:/bin", PYTHONPATH=root, PYTHONHASHSEED="0")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("arena re", "refeed register report rerun"), ("arena run --blo", "--blocks"), ("arena ladder subm", "submit")],
)
def test_bash_completes_commands_and_options(typed: str, offered: str, shell: dict[str, str]) -> None:
    *before, last = typed.split()
    script = f"""
{LINES["bash"]}
COMP_WORDS=({typed}) COMP_CWORD={len(before)}
_arena_completion arena {last} {before[-1]}
echo "${{COMPREPLY[*]}}"
complete -p arena
"""
    ran = subprocess.run(["bash", "-c", script], env=shell, capture_output=True, text=True, check=True)
    found, registered = ran.stdout.splitlines()
    assert set(found.split()) == set(offered.split())
    assert registered.endswith("-F _arena_completion arena")
    assert ran.stderr == ""


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells_are_given_their_own_script(name: str, shell: dict[str, str]) -> None:
    assert f"_ARENA_COMPLETE={name}_source arena" in LINES[name]
    kind = {**shell, "_ARENA_COMPLETE": f"{name}_source"}
    script = subprocess.run(["arena"], env=kind, capture_output=True, text=True, check=True).stdout
    assert {"zsh": "compdef _arena_completion arena", "fish": "complete --no-files --command arena"}[name] in script
    kind |= {
        "_ARENA_COMPLETE": f"{name}_complete",
        "COMP_WORDS": "arena re",
        "COMP_CWORD": "1" if name == "zsh" else "re",
    }
    told = subprocess.run(["arena"], env=kind, capture_output=True, text=True, check=True).stdout
    assert all(command in told for command in ("refeed", "report", "rerun"))
