"""The matches of a run's folder in the schedule's order, also while it is played or after it was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.storage.consistency import roster_of
from arena.storage.facts import RunState
from arena.storage.files.line_file import LineFile
from arena.storage.layout import MATCHES, records
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord

_RECORDS = msgspec.json.Decoder(MatchRecord)


def records_in_order(folder: Path) -> Iterator[MatchRecord]:
    """The finished matches. Of a complete run the lines are in order; else their places are looked up first, a few
    numbers for each match. Raises UserError for lines that are no records, and where the order cannot be known."""
    if FolderStore(folder).state() is RunState.COMPLETE:
        return records(folder)
    return _sorted(folder)


def _sorted(folder: Path) -> Iterator[MatchRecord]:
    for _ in records(folder):  # says which line is wrong
        pass
    roster = roster_of(folder)

    def number(id: str) -> int:
        found = roster.number(id)
        return len(roster.schedule) if found is None else found

    with LineFile(folder / MATCHES, number) as lines:
        for _, line in lines:
            yield _RECORDS.decode(line)
