"""The matches of a run's folder in the schedule's order, also while it is played or after it was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.app.audit import roster_of
from arena.app.folder import MATCHES, FolderStore, records
from arena.app.store import RunState
from arena.tournament.records import MatchRecord

_RECORDS = msgspec.json.Decoder(MatchRecord)


class _Id(msgspec.Struct):
    id: str


_IDS = msgspec.json.Decoder(_Id)


def records_in_order(folder: Path) -> Iterator[MatchRecord]:
    """The finished matches. Of a complete run the lines are in order; else their places are looked up first, a few
    numbers for each match. Raises UserError for lines that are no records, and where the order cannot be known."""
    if FolderStore(folder).state() is RunState.COMPLETE:
        return records(folder)
    return _sorted(folder)


def _sorted(folder: Path) -> Iterator[MatchRecord]:
    places: list[tuple[int, int]] = []
    offset = 0
    path = folder / MATCHES
    if not path.is_file():
        return
    for _ in records(folder):  # says which line is wrong
        pass
    roster = roster_of(folder)
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                number = roster.number(_IDS.decode(line).id)
                places.append((len(roster) if number is None else number, offset))
            offset += len(line)
        for _, place in sorted(places):
            file.seek(place)
            yield _RECORDS.decode(file.readline())
