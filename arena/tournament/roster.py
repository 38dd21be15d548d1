"""What every match of a tournament has to say, by its id, worked out from the schedule and the tournament's seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from arena.tournament.records import MatchRecord
from arena.tournament.schedule import Deals, Fixture, Schedule, match_seed


class Roster:
    """The matches of a ``schedule`` between entrants of these ``names``; holds none of them. Where tables follow from
    earlier results, the schedule has to have learned these first (:meth:`arena.tournament.schedule.Schedule.learn`)."""

    def __init__(self, schedule: Schedule, names: Sequence[str], seed: str, deals: Deals) -> None:
        self.schedule, self.names, self.seed, self.deals = schedule, names, seed, deals

    def __len__(self) -> int:
        return len(self.schedule)

    def __iter__(self) -> Iterator[str]:
        return (fixture.id for fixture in self.schedule)

    def number(self, id: str) -> int | None:
        """The place of the match with this id in the schedule's order, from 0; None where there is no such match."""
        fixture = self.schedule.find(id)
        return None if fixture is None else fixture.index

    def problem(self, record: MatchRecord) -> str:
        """What is wrong with a record, in words; empty where it says what its match has to."""
        fixture = self.schedule.find(record.id)
        return "is no match of this run" if fixture is None else self._difference(record, fixture)

    def _difference(self, record: MatchRecord, fixture: Fixture) -> str:
        expected = {
            "edition": self.schedule.editions[fixture.edition].label,
            "block": fixture.block,
            "seed": match_seed(self.seed, self.deals, fixture.block, fixture.id),
            "entrants": ", ".join(self.names[entrant] for entrant in fixture.entrants),
        }
        found = {
            "edition": record.edition,
            "block": record.block,
            "seed": record.seed,
            "entrants": ", ".join(seat.entrant for seat in record.seats),
        }
        for key, value in expected.items():
            if found[key] != value:
                why = " (which follows from the run's seed)" if key == "seed" else ""
                return f"has {key} {found[key]}, expected {value}{why}"
        return ""


Check = Callable[[MatchRecord], str]
"""Says in words what is wrong with a record, or nothing."""
