"""What arena verify finds, as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arena.errors import Mismatch, ReplayError
from arena.match.walk.verify import verify_replay
from arena.recorded.replay_names import name_file_in, read_named
from arena.storage.consistency import Consistency


class VerifyReport(msgspec.Struct):
    """The whole result: the verdict on each replay, and on each run that they belong to."""

    verified: bool
    replays: list[FileVerdict]
    runs: list[Consistency]


class FileVerdict(msgspec.Struct):
    """The verdict on one file: whether it ``verified``; if not, the ``problem`` and the exit code; if so, the fields
    that stay ``unchecked``, because nothing in the match depends on them, or only the hash covers them."""

    file: str
    verified: bool
    problem: str = ""
    exit_code: int = 0
    unchecked: tuple[str, ...] = ()


def verify_file(path: Path) -> FileVerdict:
    """Verify one file."""
    try:
        return FileVerdict(str(path), True, unchecked=verify_replay(read_named(path)).unchecked)
    except Mismatch as problem:
        return FileVerdict(str(path), False, f"{path}: {problem}", problem.exit_code)
    except ReplayError as problem:
        return FileVerdict(str(path), False, str(name_file_in(path, problem)), problem.exit_code)
