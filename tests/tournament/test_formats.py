"""Which tables a block plays: everybody against everybody, or challengers against a field."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, islice
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UserError
from arena.tournament.formats.gauntlet_format import MOST_TABLES, GauntletFormat
from arena.tournament.formats.list_format import ListTable
from arena.tournament.formats.make_format import LOOK_BACK, Contest, Formats, RoundRobinTables, make_format
from arena.tournament.formats.mixtures_format import MixturesFormat, MixtureTables
from arena.tournament.formats.table_subsets import TableSubsets
from arena.tournament.records.earlier_results import EarlierResults
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders

BASE = ScheduledEdition("eagle-gryphon-4p", 4)


@st.composite
def gauntlets(draw: st.DrawFn) -> tuple[GauntletFormat, int]:
    """A gauntlet, and a number of seats that it can fill."""
    entrants = draw(st.integers(2, 14))
    challengers = draw(st.lists(st.integers(0, entrants - 1), min_size=1, max_size=min(3, entrants - 1), unique=True))
    gauntlet = GauntletFormat(entrants, challengers)
    return gauntlet, draw(st.integers(2, min(7, len(gauntlet.field) + 1)))


@given(gauntlets(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_every_table_of_a_gauntlet_has_one_challenger_and_others_of_the_field(
    given: tuple[GauntletFormat, int], block: int
) -> None:
    gauntlet, seats = given
    tables = gauntlet.tables(seats, block, EarlierResults())
    assert len(tables) == gauntlet.count(seats, 0) == len(set(tables))
    for challenger, *opponents in tables:
        assert challenger in gauntlet.challengers
        assert len(set(opponents)) == seats - 1
        assert set(opponents) <= set(gauntlet.field)


@given(gauntlets(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_every_opponent_comes_equally_often_in_every_block(given: tuple[GauntletFormat, int], block: int) -> None:
    gauntlet, seats = given
    met = Counter(
        (challenger, each) for challenger, *rest in gauntlet.tables(seats, block, EarlierResults()) for each in rest
    )
    assert len(met) == len(gauntlet.challengers) * len(gauntlet.field)
    assert len(set(met.values())) == 1


@given(gauntlets(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_all_challengers_meet_the_same_opponents_in_the_same_order(
    given: tuple[GauntletFormat, int], block: int
) -> None:
    gauntlet, seats = given
    met = {each: [] for each in gauntlet.challengers}  # type: dict[int, list[tuple[int, ...]]]
    for challenger, *opponents in gauntlet.tables(seats, block, EarlierResults()):
        met[challenger].append(tuple(opponents))
    first, *others = met.values()
    assert all(other == first for other in others)


def test_few_sets_of_opponents_are_all_played_in_every_block() -> None:
    gauntlet = GauntletFormat(6, [2])
    assert comb(5, 3) <= MOST_TABLES
    expected = [(2, *opponents) for opponents in combinations([0, 1, 3, 4, 5], 3)]
    assert [list(gauntlet.tables(4, block, EarlierResults())) for block in range(3)] == [expected] * 3


def test_of_many_sets_of_opponents_other_blocks_play_others() -> None:
    gauntlet = GauntletFormat(11, [0])
    played = {opponents for block in range(100) for opponents in gauntlet.tables(4, block, EarlierResults())}
    assert gauntlet.count(4, 0) == 10
    assert len(played) == comb(10, 3)


def test_a_gauntlet_of_six_opponents_plays_two_tables_of_four_a_block() -> None:
    assert [
        GauntletFormat(7, [0]).count(4, 0),
        GauntletFormat(10, [0]).count(4, 0),
        GauntletFormat(8, [0]).count(4, 0),
    ] == [2, 3, 7]


@pytest.mark.parametrize("name", Formats)
@pytest.mark.parametrize("tables", RoundRobinTables)
def test_a_match_is_found_by_its_number_in_every_format(name: Formats, tables: RoundRobinTables) -> None:
    listed = (ListTable(0, (3, 1)), ListTable(2, (8, 7, 0, 1)), ListTable(1, (5, 4, 3, 2)))
    contest = Contest(entrants=9, challengers=(4, 1), rounds=3, listed=listed, tables=tables, copies=9)
    format = make_format(name, contest)
    schedule = Schedule(9, [ScheduledEdition("pairs", 2), BASE], None, SeatOrders.ROTATIONS, format)
    found = list(schedule)
    assert [schedule[number] for number in range(len(schedule))] == found
    assert [schedule.find(fixture.id) for fixture in found] == found
    assert len({fixture.id for fixture in found}) == len(schedule) == len(found)
    assert format.looks_back == schedule.looks_back == (name in LOOK_BACK)


def test_more_blocks_leave_the_ids_of_a_gauntlet_as_they_were() -> None:
    few, many = (Schedule(9, [BASE], blocks, format=GauntletFormat(9, [0])) for blocks in (2, 9))
    assert {fixture.id for fixture in few} < {fixture.id for fixture in many}


def test_a_schedule_plays_a_round_robin_unless_told_otherwise() -> None:
    assert list(Schedule(5, [BASE], 2)) == list(
        Schedule(5, [BASE], 2, format=make_format(Formats.ROUND_ROBIN, Contest(entrants=5)))
    )


def test_too_small_a_field_is_told_how_many_are_missing() -> None:
    with pytest.raises(UserError, match=r"expected 3 opponents or more .*eagle-gryphon-4p, got 2: enter 1 more"):
        Schedule(4, [BASE], 1, format=GauntletFormat(4, [0, 1]))


@given(st.integers(0, 9), st.data())
def test_subsets_are_those_of_combinations_one_by_one(members: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, members))
    subsets = TableSubsets(range(10, 10 + members), size)
    expected = list(combinations(range(10, 10 + members), size))
    assert list(subsets) == expected == [subsets[number] for number in range(len(subsets))]
    assert subsets[1:3] == expected[1:3]
    assert [subsets.index_of(each) for each in expected] == list(range(len(expected)))
    for other in ((*range(10, 10 + size), 99), (99,) * size if size else (10,), tuple(reversed(range(10, 11 + size)))):
        assert subsets.index_of(other) is None or other in expected
    with pytest.raises(IndexError):
        subsets[len(expected)]


def test_millions_of_subsets_need_no_time() -> None:
    subsets = TableSubsets(range(60), 8)
    assert len(subsets) == comb(60, 8)
    assert subsets[-1] == tuple(range(52, 60))
    assert list(islice(subsets, 2)) == [subsets[0], subsets[1]]


@given(st.integers(1, 5), st.integers(2, 5), st.data())
@settings(max_examples=30)
def test_mixtures_are_all_multisets_each_with_the_first_copies_of_its_bots(
    bots: int, size: int, data: st.DataObject
) -> None:
    tables = MixtureTables(bots, size)
    found = list(tables)
    expected = list(combinations_with_replacement(range(bots), size))
    assert [tuple(each % bots for each in table) for table in found] == expected
    assert all(sorted(table) == sorted(set(table)) for table in found)
    assert found == [tables[number] for number in range(len(tables))]
    assert [tables.index_of(tuple(data.draw(st.permutations(table)))) for table in found] == list(range(len(found)))
    second_alone = (bots, *found[-1][1:])
    assert bots == 1 or tables.index_of(second_alone) is None


def test_a_schedule_of_mixtures_plays_every_mixture_in_every_block_in_all_seat_orders() -> None:
    editions = [BASE, ScheduledEdition("pairs", 2)]
    schedule = Schedule(12, editions, 2, SeatOrders.ROTATIONS, MixturesFormat(12, 4))
    assert len(schedule) == 2 * (15 * 4 + 6 * 2)
    assert [schedule.find(fixture.id) for fixture in schedule] == list(schedule)
    assert schedule.find("eagle-gryphon-4p/b0000/0-1-2-6") is None
    assert schedule.find("pairs/b0001/1-4") is not None


def test_mixtures_need_as_many_copies_as_seats() -> None:
    with pytest.raises(UserError, match="expected 4 copies of each bot for eagle-gryphon-4p, got 9 entrants"):
        Schedule(9, [BASE], 1, format=MixturesFormat(9, 3))
