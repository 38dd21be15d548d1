"""How many faults there were in a run's matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from arena.tournament.records.match_record import MatchRecord


class FaultCounter:
    """Counts faults by entrant and kind, those in void matches too."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    def add_record(self, record: MatchRecord) -> None:
        """Count the faults of one match."""
        for seat in record.seats:
            if seat.faults:
                self._counts.setdefault(seat.entrant, Counter()).update(seat.faults)

    def count_through(self, records: Iterable[MatchRecord]) -> Iterator[MatchRecord]:
        """The same records, each counted as it is read."""
        for record in records:
            self.add_record(record)
            yield record

    def by_entrant(self) -> dict[str, dict[str, int]]:
        """The numbers of faults, by entrant and kind in alphabetical order, of those entrants that have any."""
        return {entrant: dict(sorted(kinds.items())) for entrant, kinds in sorted(self._counts.items())}
