"""A copy of arena in a folder of its own, to be changed as somebody who adds to it would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FORK_EACH = """
import gc, json, os, sys
from tempfile import TemporaryFile
import numpy, arena.commands.run.command, arena.ladder.play.play_ladder, arena.runs.play_run
import arena.tournament.standings.standings
from arena.cli.main import main
from arena.runs.machine_speed import this_machine
this_machine()  # measured once, not by each run
ran = []
gc.freeze()  # the garbage collector would copy the pages of each fork
for words in json.loads(sys.argv[1]):
    with TemporaryFile() as out, TemporaryFile() as err:
        if not (child := os.fork()):
            os.dup2(out.fileno(), 1), os.dup2(err.fileno(), 2)
            sys.argv = ["arena", *words]
            main()
            break
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0), err.seek(0)
        ran.append([code, out.read().decode(), err.read().decode()])
else:
    print(json.dumps(ran))
"""
"""A program that runs the commands of its argument, each in a fork of its own."""


def copy_folder(source: Path, target: Path) -> None:
    """Copy a folder of the checkout, with what is compiled. What is in it must be replaced, not written to: files are
    linked where that can be, which takes a tenth of the time."""

    def link(one: str, other: str) -> None:
        try:
            os.link(one, other)
        except OSError:
            shutil.copy2(one, other)

    shutil.copytree(source, target, copy_function=link)


class ChangedCopy:
    """The copy in ``folder``; its commands are run there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        copy_folder(ROOT / "arena", folder / "arena")
        for name in ("bots", "configs"):  # arena takes no bots that are linked from elsewhere
            shutil.copytree(ROOT / name, folder / name)

    def insert(self, file: str, before: str, line: str) -> None:
        """Put a line before text that stands in the file once."""
        self.replace(file, before, line + before)

    def replace(self, file: str, old: str, new: str) -> None:
        """Change text that stands in the file once."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (file, old)
        path.unlink()  # it may be one with the file that it is a copy of
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run its command."""
        return run_arena(self.folder, *arguments)

    def run_each(self, *commands: Sequence[object]) -> list[tuple[int, str, str]]:
        """Run its commands one after another, each in a process forked from one that has imported the copy. The exit
        code, standard output and error of each."""
        found = json.loads(self.run_python(FORK_EACH, json.dumps([[*map(str, words)] for words in commands])))
        return [(code, out, err) for code, out, err in found]

    def run_python(self, program: str, *arguments: object) -> str:
        """What a Python program that imports the copy prints."""
        words = [sys.executable, "-c", program, *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONHASHSEED": "0"}
        ran = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=240, check=True
        )
        return ran.stdout


def run_arena(root: Path, *arguments: object, path: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
    """Run the command in the folder ``root``: that of the arena there, or of what lies on the ``path``."""
    words = [sys.executable, "-m", "arena", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path or (root,)))}
    return subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, timeout=240, check=False)


def with_bank_fee(folder: Path) -> ChangedCopy:
    """A copy whose board game has one rule more, written in the rules alone: of every deal the bank keeps
    ``bank_fee`` $M."""
    copy, rules = ChangedCopy(folder), "arena/games/board/rules.py"
    copy.insert(rules, "import msgspec\n", "from arena.games.canonical_rules import LATER\n")
    copy.insert(rules, "    fair_share: bool\n", "    bank_fee: Annotated[Count, LATER] = 0\n")
    pays = "rules.spaces[space].dividends * rules.deals[number]"
    copy.replace(rules, f"return {pays}\n", f"return max({pays} - rules.bank_fee, 0)\n")
    return copy
