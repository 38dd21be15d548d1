"""A list says table by table what is played."""

from __future__ import annotations

import pytest

from arena.errors import UserError
from arena.tournament.formats.list_format import ListFormat, ListTable, read_fixture_line, read_tables, written_line
from arena.tournament.records.earlier_results import EarlierResults
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders

TABLES = [
    ListTable(0, (3, 1, 0)),
    ListTable(0, (0, 2)),
    ListTable(2, (1, 2)),
    ListTable(0, (2, 0)),
    ListTable(5, (4, 3, 2)),
]
PAIRS, THREES = ScheduledEdition("pairs", 2), ScheduledEdition("threes", 3)


def test_every_edition_plays_the_tables_of_its_size_in_the_order_of_the_list() -> None:
    schedule = Schedule(5, [PAIRS, THREES], None, SeatOrders.LISTED, ListFormat(TABLES))
    assert schedule.blocks == 6
    assert [each.id for each in schedule] == [
        "pairs/b0000/0-2",
        "pairs/b0000/2-0",
        "pairs/b0002/1-2",
        "threes/b0000/3-1-0",
        "threes/b0005/4-3-2",
    ]
    assert [schedule[number] for number in range(len(schedule))] == list(schedule)
    assert [schedule.find(each.id) for each in schedule] == list(schedule)
    assert [len(list(schedule.of_block(block))) for block in range(6)] == [3, 0, 1, 0, 0, 1]
    assert schedule.find("pairs/b0001/0-2") is None


def test_a_table_may_take_the_seats_in_more_orders() -> None:
    schedule = Schedule(5, [THREES], None, SeatOrders.ROTATIONS, ListFormat(TABLES))
    assert [each.entrants for each in schedule][:3] == [(3, 1, 0), (1, 0, 3), (0, 3, 1)]
    assert [schedule.find(each.id) for each in schedule] == list(schedule)


def test_the_list_says_how_many_blocks_there_are() -> None:
    with pytest.raises(UserError, match="expected 6 blocks, fixed by the format, got 3; leave the number out"):
        Schedule(5, [PAIRS], 3, SeatOrders.LISTED, ListFormat(TABLES))


def test_an_edition_without_a_table_is_refused() -> None:
    with pytest.raises(UserError, match="no table of 4 for fours in the list of fixtures, only of 2 and 3"):
        Schedule(5, [ScheduledEdition("fours", 4)], None, SeatOrders.LISTED, ListFormat(TABLES))


@pytest.mark.parametrize("names", [("one", "two"), ("a, b", 'c "d"', " e", "0")])
def test_a_line_says_what_was_written(names: tuple[str, ...]) -> None:
    line = written_line(12, names)
    assert read_fixture_line(line) == (12, names)
    assert read_tables([line], ["x", *names[::-1]]) == (ListTable(12, tuple(range(len(names), 0, -1))),)


def test_the_format_looks_at_no_results() -> None:
    assert not ListFormat.looks_back
    assert list(ListFormat(TABLES).tables(2, 0, EarlierResults())) == [(0, 2), (2, 0)]
