"""Counts for the report from the records of a run, in one pass over ``matches.jsonl``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from arena.tournament.records.fault_count import FaultCounter
from arena.tournament.records.match_record import MatchRecord

FAULT_MATCHES_EACH = 4
"""How many matches with faults are kept for each entrant and kind of fault."""
FAULT_MATCHES_OTHER = 60
"""How many matches with faults are kept in addition: the first ones of the run."""


@dataclass(slots=True)
class TimingsReader:
    """Counts matches, ``voids``, those ``without_replay``, and faults; ``games`` has each edition's game, by label.
    ``faulty`` are matches with faults and a stored replay, the most informative first: one for each entrant and kind,
    then a second one, and so on."""

    matches: int = 0
    voids: int = 0
    without_replay: int = 0
    faults: FaultCounter = field(default_factory=FaultCounter)
    games: dict[str, str] = field(default_factory=dict)
    void_ids: list[str] = field(default_factory=list)
    _of_kind: dict[tuple[str, str], list[MatchRecord]] = field(default_factory=dict)
    _others: list[MatchRecord] = field(default_factory=list)

    def count_through(self, records: Iterable[MatchRecord]) -> Iterator[MatchRecord]:
        """Yield the same records, and count each as it is read."""
        for record in self.faults.count_through(records):
            self.matches += 1
            self.games.setdefault(record.edition, record.game)
            if record.void:
                self.voids += 1
                self.void_ids.append(record.id)
            if not record.replay:
                self.without_replay += 1
            elif any(seat.faults for seat in record.seats):
                self._keep(record)
            yield record

    def _keep(self, record: MatchRecord) -> None:
        if len(self._others) < FAULT_MATCHES_OTHER:
            self._others.append(record)
        for seat in record.seats:
            for kind in seat.faults:
                of_kind = self._of_kind.setdefault((seat.entrant, kind), [])
                if len(of_kind) < FAULT_MATCHES_EACH:
                    of_kind.append(record)

    @property
    def faulty_matches(self) -> list[MatchRecord]:
        """Matches with faults and a stored replay; see the class."""
        kinds = [self._of_kind[key] for key in sorted(self._of_kind)]
        turns = [of[turn] for turn in range(FAULT_MATCHES_EACH) for of in kinds if turn < len(of)]
        return list({record.id: record for record in (*turns, *self._others)}.values())
