"""The matches of a run's folder in the schedule's order, also while the run is played or after it was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.storage.consistency import roster_of
from arena.storage.files.line_file import LineFile
from arena.storage.layout import MATCHES_FILE, read_records
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord

_RECORD_DECODER = msgspec.json.Decoder(MatchRecord)


def records_in_order(folder: Path) -> Iterator[MatchRecord]:
    """The finished matches in the schedule's order. In a complete run the file is already in order; else the places are
    looked up first, a few numbers for each match. Raises UserError for lines that are no records, and where the order
    cannot be determined."""
    if FolderStore(folder).state() is RunState.COMPLETE:
        return read_records(folder)
    return _sorted_records(folder)


def _sorted_records(folder: Path) -> Iterator[MatchRecord]:
    for _ in read_records(folder):  # says which line is wrong
        pass
    roster = roster_of(folder)

    def number(id: str) -> int:
        found = roster.number(id)
        return len(roster.schedule) if found is None else found

    with LineFile(folder / MATCHES_FILE, number) as lines:
        for _, line in lines:
            yield _RECORD_DECODER.decode(line)
