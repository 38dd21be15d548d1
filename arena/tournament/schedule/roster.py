"""What the record of every match of a tournament must say, computed from the match's id, the schedule and the
tournament's seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.tournament.records.fixture import Fixture
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.deals import Deals, match_seed
from arena.tournament.schedule.schedule import Schedule
from arena.tournament.schedule.share import Share, fixtures_of


class Roster:
    """The matches of a ``schedule``, or of a ``share`` of it, between entrants of these ``names``; it stores none of
    them. If tables depend on earlier results, the schedule must have learned these first
    (:meth:`arena.tournament.schedule.schedule.Schedule.learn`)."""

    def __init__(
        self,
        schedule: Schedule,
        names: Sequence[str],
        seed: str,
        deals: Deals,
        share: Share | None = None,
        called: str = "run",
    ) -> None:
        """``called`` is the word that messages use for the whole of these matches."""
        self.called = called
        self.schedule, self.names, self.seed, self.deals, self.share = schedule, names, seed, deals, share
        self.fixtures = fixtures_of(schedule, share)
        self._found: Fixture | None = None

    def __len__(self) -> int:
        return len(self.fixtures)

    def __iter__(self) -> Iterator[str]:
        return (fixture.id for fixture in self.fixtures)

    def number(self, id: str) -> int | None:
        """The index of the match with this id in the whole schedule, from 0; None if there is no such match."""
        fixture = self._find(id)
        return None if fixture is None else fixture.index

    def problem(self, record: MatchRecord) -> str:
        """What is wrong with a record, in words; empty if it agrees with its match in the schedule."""
        fixture = self._find(record.id)
        if fixture is None:
            return f"is no match of this {self.called}"
        if self.share is not None and not self.share.has_match(fixture.index):
            return f"is no match of share {self.share}, which is what this run plays"
        return self._difference(record, fixture)

    def _find(self, id: str) -> Fixture | None:
        """The match with this id. The last one is cached, because callers ask several things about each match."""
        if self._found is None or self._found.id != id:
            self._found = self.schedule.find(id)
        return self._found

    def _difference(self, record: MatchRecord, fixture: Fixture) -> str:
        label = self.schedule.editions[fixture.edition].label
        seed = match_seed(self.seed, self.deals, fixture.block, fixture.id)
        names = [self.names[entrant] for entrant in fixture.entrants]
        told = [seat.entrant for seat in record.seats]
        for key, found, expected, why in (
            ("edition", record.edition, label, ""),
            ("block", record.block, fixture.block, ""),
            ("seed", record.seed, seed, f" (which follows from the {self.called}'s seed)"),
            ("entrants", told, names, ""),
        ):
            if found != expected:
                return f"has {key} {_in_words(found)}, expected {_in_words(expected)}{why}"
        return ""


def _in_words(value: str | int | list[str]) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
