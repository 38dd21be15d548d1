"""What makes reports in the tests of the server: in a module of its own, because a process that makes a report imports
the module of what makes it."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from arena.errors import ReplayError


def report(folder: Path, jobs: int, tell: Any, served: str) -> str:
    tell(1)
    return f"<!DOCTYPE html><title>report of {folder.name} at {served}</title>"


def no_report(folder: Path, jobs: int, tell: Any, served: str) -> str:
    raise ReplayError("a replay is damaged")


def damaged_once(folder: Path, jobs: int, tell: Any, served: str) -> str:
    """Fails with a bug where no other file lies beside the run."""
    if not (folder.parent / "mended").exists():
        raise KeyError("cause")
    return "<!DOCTYPE html><title>made</title>"


def killed(folder: Path, jobs: int, tell: Any, served: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def game_known(folder: Path, jobs: int, tell: Any, served: str) -> str:
    return f"<!DOCTYPE html><title>{'tests.thirdgame.pie' in sys.modules}</title>"
