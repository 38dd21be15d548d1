"""What arena verify finds, as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arena.errors import Mismatch, ReplayError
from arena.match.verify import verify
from arena.recorded.replay_names import named, read_named
from arena.storage.consistency import Consistency


class Report(msgspec.Struct):
    """All that was verified: replays, and the runs that they are of."""

    verified: bool
    replays: list[Checked]
    runs: list[Consistency]


class Checked(msgspec.Struct):
    """What verification says of one file: whether it ``verified``, the ``problem`` and the exit code if it did not, and
    else its fields that were ``unchecked``: nothing in the match depends on them, or the hash alone holds them."""

    file: str
    verified: bool
    problem: str = ""
    exit_code: int = 0
    unchecked: tuple[str, ...] = ()


def verify_file(path: Path) -> Checked:
    """Verify one file."""
    try:
        return Checked(str(path), True, unchecked=verify(read_named(path)).unchecked)
    except Mismatch as problem:
        return Checked(str(path), False, f"{path}: {problem}", problem.exit_code)
    except ReplayError as problem:
        return Checked(str(path), False, str(named(path, problem)), problem.exit_code)
