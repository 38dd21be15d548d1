"""What arena verify finds, as JSON."""

from __future__ import annotations

import msgspec

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
