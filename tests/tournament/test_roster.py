"""A record is held against its place in the schedule: what its id stands for, and the seed of its block."""

from __future__ import annotations

import msgspec
import pytest

from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.schedule.deals import Deals, block_seed, match_seed
from arena.tournament.schedule.roster import Roster
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders

NAMES = ("one", "two", "three")
SCHEDULE = Schedule(3, [ScheduledEdition("base-2p", 2)], 2, SeatOrders.ROTATIONS)
ROSTER = Roster(SCHEDULE, NAMES, "seed", Deals.DUPLICATE)


def record(number: int) -> MatchRecord:
    """What the match at this place of the schedule has to say."""
    fixture = SCHEDULE[number]
    seats = tuple(SeatRecord(NAMES[entrant], 0, 1) for entrant in fixture.entrants)
    return MatchRecord(
        fixture.id, "board", "base-2p", fixture.block, block_seed("seed", fixture.block), "end roll", 9, seats
    )


def test_every_match_of_the_schedule_passes() -> None:
    assert [ROSTER.problem(record(number)) for number in range(len(SCHEDULE))] == [""] * len(SCHEDULE)
    assert list(ROSTER) == [fixture.id for fixture in SCHEDULE]
    assert len(ROSTER) == len(SCHEDULE)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"id": "base-2p/b0002/0-1"}, "is no match of this run"),
        ({"id": "base-2p/b0000/1-0"}, "has entrants one, two, expected two, one"),
        ({"edition": "other-2p"}, "has edition other-2p, expected base-2p"),
        ({"block": 1}, "has block 1, expected 0"),
        ({"seed": "x"}, f"has seed x, expected {block_seed('seed', 0)} (which follows from the run's seed)"),
        ({"seats": record(0).seats[:1]}, "has entrants one, expected one, two"),
    ],
)
def test_what_does_not_belong_to_the_match_is_told(changed: dict[str, object], problem: str) -> None:
    assert ROSTER.problem(msgspec.structs.replace(record(0), **changed)) == problem


def test_with_fresh_deals_a_record_has_the_seed_of_its_match() -> None:
    roster, of_block = Roster(SCHEDULE, NAMES, "seed", Deals.FRESH), record(0)
    seed = match_seed("seed", Deals.FRESH, 0, of_block.id)
    expected = f"has seed {of_block.seed}, expected {seed} (which follows from the run's seed)"
    assert roster.problem(of_block) == expected
    assert roster.problem(msgspec.structs.replace(of_block, seed=seed)) == ""
