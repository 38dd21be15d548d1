"""Who is suspended follows from the records of finished blocks, in whatever order they come."""

from __future__ import annotations

from itertools import permutations

import pytest

from arena.penalties import SeatEnd
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.records.suspension import Suspension, suspension_words
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition

NAMES = ("steady", "shaky", "third")


def record(block: int, **ends: SeatEnd) -> MatchRecord:
    seats = tuple(SeatRecord(name, 0, 1, end) for name, end in ends.items())
    return MatchRecord(f"e/b{block:04d}", "board", "e", block, "s", "end", 1, seats)


def counted(after: int | None, *records: MatchRecord) -> Suspension:
    suspension = Suspension(after)
    for each in records:
        suspension.add_record(each)
    return suspension


FOUR = (
    record(0, steady=SeatEnd.PLAYED, shaky=SeatEnd.STRUCK_OUT),
    record(2, steady=SeatEnd.PLAYED, shaky=SeatEnd.FORFEIT),
    record(2, steady=SeatEnd.STRUCK_OUT, third=SeatEnd.PLAYED),
    record(3, shaky=SeatEnd.STRUCK_OUT, third=SeatEnd.PLAYED),
)


def test_an_entrant_is_suspended_from_the_block_after_the_one_that_was_too_much() -> None:
    suspension = counted(2, *FOUR)
    assert suspension.first_blocks() == {"shaky": 3}
    assert [sorted(suspension.suspended_entrants(block)) for block in range(5)] == [[], [], [], ["shaky"], ["shaky"]]


@pytest.mark.parametrize("order", list(permutations(FOUR)))
def test_the_order_of_matches_does_not_matter(order: tuple[MatchRecord, ...]) -> None:
    assert counted(1, *order).first_blocks() == {"shaky": 1, "steady": 3}


def test_without_the_key_nobody_is_suspended() -> None:
    assert counted(None, *FOUR).first_blocks() == {}


def test_of_a_run_without_that_block_nobody_is_said_to_miss_it() -> None:
    assert counted(1, *FOUR).first_blocks(blocks=3) == {"shaky": 1}


def test_the_matches_of_the_others_are_left() -> None:
    schedule = Schedule(3, [ScheduledEdition("e-2p", 2), ScheduledEdition("f-2p", 2)], 4)
    suspension = counted(2, *FOUR)
    by_block = [suspension.matches_of(schedule.of_block(block), NAMES, block) for block in range(4)]
    assert [len(block) for block in by_block] == [12, 12, 12, 4]
    assert {entrant for each in by_block[3] for entrant in each.entrants} == {0, 2}
    left = list(suspension.remaining_fixtures(schedule, NAMES))
    assert sorted(each.index for each in left) == [each.index for each in left]
    assert {each.id for each in left} == {each.id for block in by_block for each in block}


def test_a_record_of_somebody_who_is_suspended_is_a_problem() -> None:
    suspension = counted(2, *FOUR)
    assert suspension.problem(FOUR[3]) == "has shaky, suspended before block 3"
    assert [suspension.problem(each) for each in FOUR[:3]] == ["", "", ""]


def test_it_is_told_in_words() -> None:
    assert suspension_words({"shaky": 3}, 1) == [
        "shaky: its bot was put out of 1 match or more before block 3, so it no longer plays from that block on"
    ]
