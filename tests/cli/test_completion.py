"""The page tells how commands are completed in three shells; bash does it, the others get what they read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Arena, environment_of
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


TYPED = {
    "arena re": "refeed register report rerun",
    "arena run --blo": "--blocks",
    "arena ladder subm": "submit",
}


def test_bash_completes_commands_and_options(shell: dict[str, str]) -> None:
    script = f"{LINES['bash']}\ncomplete -p arena\n"
    for typed in TYPED:
        *before, last = typed.split()
        script += f"COMPREPLY=() COMP_WORDS=({typed}) COMP_CWORD={len(before)}\n"
        script += f'_arena_completion arena {last} {before[-1]}\necho "${{COMPREPLY[*]}}"\n'
    ran = subprocess.run(["bash", "-c", script], env=shell, capture_output=True, text=True, check=True)
    registered, *found = ran.stdout.splitlines()
    assert [set(each.split()) for each in found] == [set(each.split()) for each in TYPED.values()]
    assert registered.endswith("-F _arena_completion arena")
    assert ran.stderr == ""


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells_are_given_their_own_script(name: str, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"_ARENA_COMPLETE={name}_source arena" in LINES[name]
    monkeypatch.setenv("_ARENA_COMPLETE", f"{name}_source")
    script = arena()
    assert (script.code, script.err) == (0, "")
    wanted = {"zsh": "compdef _arena_completion arena", "fish": "complete --no-files --command arena"}
    assert wanted[name] in script.out
    monkeypatch.setenv("_ARENA_COMPLETE", f"{name}_complete")
    monkeypatch.setenv("COMP_WORDS", "arena re")
    monkeypatch.setenv("COMP_CWORD", "1" if name == "zsh" else "re")
    told = arena()
    assert (told.code, told.err) == (0, "")
    assert all(command in told.out for command in ("refeed", "report", "rerun"))
