"""A schedule holds every match once, and knows each of them by its index alone."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from hashlib import sha256
from itertools import combinations, islice
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UserError
from arena.tournament.formats.format import Format
from arena.tournament.formats.gauntlet_format import GauntletFormat
from arena.tournament.records.earlier_results import EarlierResults
from arena.tournament.schedule.deals import Deals, block_seed, match_seed
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders, seat_orders

BASE = ScheduledEdition("eagle-gryphon", 4)
CALL = ScheduledEdition("eagle-gryphon+last-call", 3)


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    sizes = draw(st.lists(st.integers(2, 4), min_size=1, max_size=3))
    editions = [ScheduledEdition(f"edition-{number}", seats) for number, seats in enumerate(sizes)]
    entrants = draw(st.integers(max(sizes), 6))
    return Schedule(entrants, editions, draw(st.integers(1, 3)), draw(st.sampled_from(SeatOrders)))


@given(schedules())
@settings(max_examples=30, deadline=None)
def test_a_match_is_the_same_by_its_index_as_in_its_turn(schedule: Schedule) -> None:
    listed = list(schedule)
    assert [schedule[index] for index in range(len(schedule))] == listed
    assert [fixture.index for fixture in listed] == list(range(len(schedule)))
    assert schedule[-1] == listed[-1]


@given(schedules())
@settings(max_examples=30, deadline=None)
def test_no_two_matches_have_the_same_id(schedule: Schedule) -> None:
    assert len({fixture.id for fixture in schedule}) == len(schedule)


@given(schedules())
@settings(max_examples=30, deadline=None)
def test_matches_go_by_edition_then_block_then_table(schedule: Schedule) -> None:
    keys = [(fixture.edition, fixture.block, tuple(sorted(fixture.entrants))) for fixture in schedule]
    assert keys == sorted(keys)


@pytest.mark.parametrize("scheme", SeatOrders)
def test_every_table_plays_every_seat_order_in_every_block_of_every_edition(scheme: SeatOrders) -> None:
    schedule = Schedule(5, [BASE, CALL], 2, scheme)
    played = {(fixture.edition, fixture.block, fixture.entrants) for fixture in schedule}
    assert played == {
        (number, block, tuple(table[place] for place in order))
        for number, edition in enumerate([BASE, CALL])
        for block in range(2)
        for table in combinations(range(5), edition.seats)
        for order in seat_orders(scheme, edition.seats)
    }
    assert len(schedule) == len(played)


@pytest.mark.parametrize("scheme", [scheme for scheme in SeatOrders if scheme is not SeatOrders.LISTED])
def test_everybody_plays_equally_often_in_every_seat_of_a_block(scheme: SeatOrders) -> None:
    schedule = Schedule(6, [BASE], 1, scheme)
    turns = Counter((seat, entrant) for fixture in schedule for seat, entrant in enumerate(fixture.entrants))
    assert len(turns) == 4 * 6
    assert len(set(turns.values())) == 1


def test_an_id_is_a_path_of_edition_block_and_entrants_in_seat_order() -> None:
    schedule = Schedule(6, [CALL, BASE], 5, SeatOrders.ROTATIONS)
    fixture = next(one for one in schedule if one.edition == 1 and one.block == 3 and one.entrants[0] == 5)
    assert fixture.entrants == (5, 0, 1, 2)
    assert fixture.id == "eagle-gryphon/b0003/5-0-1-2"


def test_more_blocks_or_entrants_leave_the_ids_of_the_others_as_they_were() -> None:
    few = {fixture.id for fixture in Schedule(4, [BASE, CALL], 2)}
    assert few < {fixture.id for fixture in Schedule(4, [BASE, CALL], 9)}
    assert few < {fixture.id for fixture in Schedule(6, [BASE, CALL], 2)}


@given(schedules())
@settings(max_examples=30, deadline=None)
def test_a_match_is_found_by_its_id(schedule: Schedule) -> None:
    assert [schedule.find(fixture.id) for fixture in schedule] == list(schedule)


@pytest.mark.parametrize(
    "id",
    [
        "eagle-gryphon/b0002/0-1-2-3",  # a block too many
        "eagle-gryphon/b00001/0-1-2-3",
        "eagle-gryphon/b0001/0-1-2-03",
        "eagle-gryphon/b0001/0-1-2-5",
        "eagle-gryphon/b0001/0-1-2-2",
        "eagle-gryphon/b0001/0-1-2",
        "eagle-gryphon/b0001/0-1-2-3-4",
        "eagle-gryphon/b0001/0-1-3-2",  # no rotation
        "eagle-gryphon/b0001/0-1-2-3/",
        "eagle-gryphon/b001/0-1-2-3",
        "eagle-gryphon/b0001/0-1-2-\N{SUPERSCRIPT TWO}",
        "eagle/b0001/0-1-2-3",
        "eagle-gryphon/b" + "9" * 5000 + "/0-1-2-3",
        "",
    ],
)
@pytest.mark.parametrize("format", [None, GauntletFormat(5, [0])])
def test_no_other_id_is_that_of_a_match(id: str, format: Format | None) -> None:
    schedule = Schedule(5, [BASE], 2, SeatOrders.ROTATIONS, format)
    assert schedule.find(id) is None
    assert schedule.find("eagle-gryphon/b0001/0-1-2-3") is not None


def test_of_all_orders_of_many_seats_a_match_is_found_at_once() -> None:
    schedule = Schedule(13, [ScheduledEdition("wide", 12)], 2, SeatOrders.ALL)
    for index in (0, 1, len(schedule) // 3, len(schedule) - 1):
        assert schedule.find(schedule[index].id) == schedule[index]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_matches() -> None:
    schedule = Schedule(6, [ScheduledEdition("big", 3)], 5000, SeatOrders.ROTATIONS, GauntletFormat(6, [0, 1]))
    assert len(schedule) >= 100_000

    def peak(matches: int) -> int:
        tracemalloc.start()
        for fixture in islice(schedule, matches):
            schedule.find(fixture.id)
        schedule[-1]
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    few = peak(6_500)
    assert peak(9_000) < few + 20_000


class Uneven(Format):
    """Block 0 has one table, block 1 two, and so again and again."""

    def check(self, seats: int, label: str) -> None:
        return None

    def cycle(self, seats: int) -> int:
        return 2

    def count(self, seats: int, block: int) -> int:
        return 1 + block % 2

    def tables(self, seats: int, block: int, earlier: EarlierResults) -> list[tuple[int, ...]]:
        return [(0, 1, 2), (2, 3, 4)][: self.count(seats, block)]


@pytest.mark.parametrize("blocks", range(1, 6))
def test_blocks_may_differ_in_size(blocks: int) -> None:
    editions = [ScheduledEdition("one", 3), ScheduledEdition("two", 3)]
    schedule = Schedule(5, editions, blocks, SeatOrders.ROTATIONS, Uneven())
    listed = list(schedule)
    assert len(listed) == len(schedule) == 2 * 3 * (blocks + blocks // 2)
    assert [schedule[number] for number in range(len(schedule))] == listed
    assert [schedule.find(fixture.id) for fixture in listed] == listed
    assert [fixture.index for fixture in listed] == list(range(len(listed)))
    by_block = [list(schedule.of_block(block)) for block in range(blocks)]
    assert [len(fixtures) for fixtures in by_block] == [schedule.matches_in(block) for block in range(blocks)]
    assert sorted((each for fixtures in by_block for each in fixtures), key=lambda each: each.index) == listed
    assert schedule.edition_size(0) == schedule.edition_size(1) == len(listed) // 2


def test_without_a_number_of_blocks_there_is_one_cycle() -> None:
    assert Schedule(5, [CALL], format=Uneven()).blocks == 2
    assert Schedule(5, [CALL]).blocks == 1


def test_with_deals_by_table_the_matches_of_a_table_and_no_others_share_one() -> None:
    schedule = Schedule(5, [ScheduledEdition("one", 3), ScheduledEdition("two", 3)], 2, SeatOrders.ALL)
    dealt = {}  # type: dict[tuple[int, tuple[int, ...]], set[str]]
    for each in schedule:
        seed = match_seed("s", Deals.TABLE, each.block, each.id)
        dealt.setdefault((each.block, tuple(sorted(each.entrants))), set()).add(seed)
    assert {len(seeds) for seeds in dealt.values()} == {1}
    assert len(set.union(*dealt.values())) == len(dealt)
    expected = sha256(b"s/block/7/table/2-10-11").hexdigest()[:32]
    assert match_seed("s", Deals.TABLE, 7, "one/b0007/11-2-10") == expected


def test_a_schedule_of_billions_is_there_at_once() -> None:
    schedule = Schedule(50, [ScheduledEdition("big", 6)], 1000, SeatOrders.ALL)
    assert len(schedule) == 15_890_700 * 720 * 1000
    last = schedule[-1]
    assert (last.block, last.entrants) == (999, (49, 48, 47, 46, 45, 44))
    assert [schedule[index] for index in range(2000)] == list(islice(schedule, 2000))


@pytest.mark.parametrize("index", [12 * 5, -12 * 5 - 1])
def test_there_is_no_match_beyond_the_ends(index: int) -> None:
    schedule = Schedule(5, [BASE], 1)
    assert len(schedule) == 12 * 5
    with pytest.raises(IndexError, match=f"match {index} of a schedule of 60"):
        schedule[index]


def test_a_blocks_seed_is_the_documented_digest_and_every_block_has_its_own() -> None:
    assert block_seed("2024", 7) == "e53eadc3aad8c46f8fffbf88a4febf3a"
    assert len({block_seed(seed, block) for seed in ("1", "11") for block in range(100)}) == 200


def test_too_few_entrants_are_told_how_many_are_missing() -> None:
    with pytest.raises(UserError, match=r"expected 4 entrants or more.*eagle-gryphon, got 2: enter 2 more"):
        Schedule(2, [CALL._replace(seats=2), BASE], 1)


@pytest.mark.parametrize("label", ["", "a/b", "../up", ".hidden", "two words", "line\n"])
def test_a_label_that_cannot_name_a_folder_is_refused(label: str) -> None:
    with pytest.raises(UserError, match="edition's label"):
        Schedule(4, [ScheduledEdition(label, 4)], 1)


def test_editions_need_labels_of_their_own() -> None:
    with pytest.raises(UserError, match="'Base' is listed twice"):
        Schedule(4, [ScheduledEdition("base", 4), ScheduledEdition("Base", 3)], 1)
    with pytest.raises(UserError, match="'all' is reserved for standings"):
        Schedule(4, [ScheduledEdition("all", 4)], 1)
    with pytest.raises(UserError, match="'board' is reserved for standings over all editions of that game"):
        Schedule(4, [ScheduledEdition("board", 4)], 1)


def test_a_schedule_of_nothing_is_refused() -> None:
    with pytest.raises(UserError, match="1 block or more, got 0"):
        Schedule(4, [BASE], 0)
    with pytest.raises(UserError, match="at least one edition"):
        Schedule(4, [], 1)


def test_a_table_of_one_is_refused() -> None:
    with pytest.raises(UserError, match="at least 2 seats, got 1"):
        Schedule(10, [ScheduledEdition("odd", 1)], 1)


def test_a_table_has_as_many_seats_as_the_game_allows() -> None:
    schedule = Schedule(13, [ScheduledEdition("wide", 12)], 2, SeatOrders.ALL)
    assert len(schedule) == 2 * 13 * factorial(12)
    assert schedule[-1].entrants == tuple(range(12, 0, -1))
    assert len(Schedule(13, [ScheduledEdition("wide", 9)], 1, SeatOrders.ROTATIONS)) == 715 * 9


def test_a_number_of_seats_that_cannot_be_balanced_is_refused_with_what_can_be_had() -> None:
    problem = (
        "there are no balanced orders of 9 seats, only of prime numbers and of primes plus one; take rotations, "
        "williams or all"
    )
    with pytest.raises(UserError, match=problem):
        Schedule(10, [ScheduledEdition("wide", 9)], 1, SeatOrders.BALANCED)
