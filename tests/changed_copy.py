"""A copy of arena in a folder of its own, to be changed as somebody who adds to it would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


class ChangedCopy:
    """The copy in ``folder``; its commands are run there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("arena", "bots", "configs"):
            shutil.copytree(ROOT / name, folder / name)  # with what is compiled

    def insert(self, file: str, before: str, line: str) -> None:
        """Put a line before text that stands in the file once."""
        self.replace(file, before, line + before)

    def replace(self, file: str, old: str, new: str) -> None:
        """Change text that stands in the file once."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (file, old)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run its command."""
        return run_arena(self.folder, *arguments)

    def run_python(self, program: str, *arguments: object) -> str:
        """What a Python program that imports the copy prints."""
        words = [sys.executable, "-c", program, *map(str, arguments)]
        ran = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120, check=True)
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
