"""The files of a run's folder: their names, and reading the records of its matches."""

from __future__ import annotations

from collections.abc import Iterator
from errno import ELOOP
from pathlib import Path

import msgspec

from arena.config.tournament_config import RESOLVED_CONFIG
from arena.errors import UnsafeFile, UserError
from arena.foreign_files import DECODE_ERRORS, foreign_lines
from arena.tournament.records.match_record import MatchRecord

CONFIG_FILE, MANIFEST_FILE, MATCHES_FILE, TIMINGS_FILE = (
    RESOLVED_CONFIG,
    "manifest.json",
    "matches.jsonl",
    "timings.jsonl",
)
AUDIT_FILE = "audit.json"
BOT_LOGS, RUN_LOG, RUN_LOCK, RUN_PROGRESS = "logs/bots", "logs/run.log", "logs/lock", "logs/progress.json"
_RECORD_DECODER = msgspec.json.Decoder(MatchRecord)


def check_folders(folder: Path) -> None:
    """Raise UnsafeFile where a folder within the run's folder is a symbolic link, which would lead outside the run."""
    for name in ("logs", BOT_LOGS, "replays", "cassettes", "cassettes/open"):
        if (folder / name).is_symlink():
            hint = "put the folder itself there; only the whole folder of a run may be a link"
            raise UnsafeFile(ELOOP, f"expected a folder, got a link; {hint}", str(folder / name))


def read_records(folder: Path) -> Iterator[MatchRecord]:
    """The finished matches in file order. A last line that is cut off (the run was killed) is skipped."""
    path = folder / MATCHES_FILE
    if not path.exists():
        return
    for number, line in enumerate(foreign_lines(path), 1):
        try:
            yield _RECORD_DECODER.decode(line)
        except DECODE_ERRORS as problem:
            foreign = isinstance(problem, msgspec.ValidationError)
            hint = "; was it written by another version of arena?" if foreign else ""
            raise UserError(f"{path}:{number}: no match record: {problem}{hint}") from None
