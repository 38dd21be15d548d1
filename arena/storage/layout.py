"""The files of a run's folder: what they are called, and the records of its matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.config.tournament_config import RESOLVED
from arena.errors import UserError
from arena.tournament.records.match_record import MatchRecord

CONFIG, MANIFEST, MATCHES, TIMINGS = RESOLVED, "manifest.json", "matches.jsonl", "timings.jsonl"
AUDIT = "audit.json"
LOG, LOCK, HOW_FAR = "logs/run.log", "logs/lock", "logs/progress.json"
_RECORDS = msgspec.json.Decoder(MatchRecord)


def records(folder: Path) -> Iterator[MatchRecord]:
    """The finished matches in file order. A last line that is cut off (the run was killed) is skipped."""
    path = folder / MATCHES
    if not path.is_file():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield _RECORDS.decode(line)
            except msgspec.DecodeError as problem:
                foreign = isinstance(problem, msgspec.ValidationError)
                hint = "; was it written by another version of arena?" if foreign else ""
                raise UserError(f"{path}:{number}: no match record: {problem}{hint}") from None
