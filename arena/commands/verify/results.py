"""What arena verify finds, as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arena.errors import Mismatch, ReplayError
from arena.match.walk.verify import verify_replay
from arena.recorded.replay_names import name_file_in, read_named
from arena.storage.consistency import Consistency


class VerifyReport(msgspec.Struct):
    """All that was verified: replays, and the runs that they are of."""

    verified: bool
    replays: list[FileVerdict]
    runs: list[Consistency]


class FileVerdict(msgspec.Struct):
    """What verification says of one file: whether it ``verified``, the ``problem`` and the exit code if it did not, and
    else its fields that were ``unchecked``: nothing in the match depends on them, or the hash alone holds them."""

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
