"""Numbers of blocks and matches that keep the balance, and how often everybody comes."""

from __future__ import annotations

import pytest

from arena.errors import UserError
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.spread_tables.spread import SpreadFormat
from arena.tournament.formats.team_tables.teams import teams_of
from arena.tournament.schedule.appearances import MOST_COUNTED, CountRange, count_appearances
from arena.tournament.schedule.balance import Balance, blocks_for, check_blocks, cycle_of
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders

FOUR, THREE = ScheduledEdition("a-4p", 4), ScheduledEdition("a-3p", 3)


def spread(blocks: int | None, *editions: ScheduledEdition, entrants: int = 6) -> Schedule:
    return Schedule(entrants, editions or (FOUR,), blocks, SeatOrders.ROTATIONS, SpreadFormat(entrants))


def test_without_a_number_of_blocks_one_cycle_of_all_table_sizes_is_played() -> None:
    assert (spread(None).blocks, spread(None, THREE).blocks, spread(None, THREE, FOUR).blocks) == (5, 10, 10)


def test_blocks_that_are_no_whole_cycles_are_refused_with_the_nearest_that_are() -> None:
    told = (
        r"expected 10 or 15 blocks, so that every two entrants meet equally often \(a cycle has 5\), got 12; or set "
        "balance: entrants"
    )
    with pytest.raises(UserError, match=told):
        check_blocks(spread(12), Balance.PAIRS)
    with pytest.raises(UserError, match="expected 5 blocks, so"):
        check_blocks(spread(3), Balance.PAIRS)


@pytest.mark.parametrize("blocks", [5, 10, 500])
def test_whole_cycles_of_blocks_are_balanced(blocks: int) -> None:
    check_blocks(spread(blocks), Balance.PAIRS)


def test_any_number_of_blocks_will_do_where_only_entrants_are_balanced() -> None:
    check_blocks(spread(12), Balance.ENTRANTS)
    check_blocks(Schedule(6, [FOUR], 7, format=RoundRobin(6)), Balance.PAIRS)


def test_where_no_cycle_is_even_any_number_of_blocks_will_do() -> None:
    assert not SpreadFormat(200).is_even(4)
    large = spread(3, entrants=200)
    check_blocks(large, Balance.PAIRS)
    assert blocks_for(spread(None, entrants=200), 400, Balance.PAIRS) == 2
    assert all(SpreadFormat(entrants).is_even(4) for entrants in range(5, 21))


def test_a_number_of_matches_becomes_blocks() -> None:
    assert blocks_for(spread(None), 120, Balance.PAIRS) == 10
    assert blocks_for(spread(None), 36, Balance.ENTRANTS) == 3
    assert blocks_for(spread(None, FOUR, THREE), 10 * 18, Balance.PAIRS) == 10


def test_other_numbers_of_matches_are_refused_with_the_nearest() -> None:
    with pytest.raises(
        UserError, match=r"expected 60 or 120 matches \(60 make up 5 blocks, a cycle, .*\), got 100; or"
    ):
        blocks_for(spread(None), 100, Balance.PAIRS)
    with pytest.raises(UserError, match=r"expected 96 or 108 matches \(12 make up a block\), got 100$"):
        blocks_for(spread(None), 100, Balance.ENTRANTS)
    with pytest.raises(UserError, match=r"expected 60 matches"):
        blocks_for(spread(None), 1, Balance.PAIRS)


def test_a_cycle_comes_to_so_many_appearances_of_each_entrant_pair_and_seat() -> None:
    counted = count_appearances(spread(10), Deals.TABLE)
    assert counted is not None
    assert (counted.entrants, counted.pairs, counted.seats) == (
        CountRange(80, 80),
        CountRange(48, 48),
        CountRange(20, 20),
    )
    assert counted.in_words() == (
        "every entrant in 80 matches, every pair in 48, every entrant in every seat 20 times; 30 deals in 10 blocks (5 "
        "make up a cycle)"
    )


def test_what_is_unequal_is_told_from_least_to_most() -> None:
    counted = count_appearances(spread(3), Deals.TABLE)
    assert counted is not None
    assert counted.in_words() == (
        "every entrant in 24 matches, pairs in 12 to 16, every entrant in every seat 6 times; 9 deals in 3 blocks (5 "
        "make up a cycle)"
    )


@pytest.mark.parametrize(("deals", "count"), [(Deals.DUPLICATE, 5), (Deals.TABLE, 15), (Deals.FRESH, 60)])
def test_deals_are_counted_as_they_are_shared(deals: Deals, count: int) -> None:
    counted = count_appearances(spread(5), deals)
    assert counted is not None
    assert counted.deals == count


def test_team_mates_are_no_pair() -> None:
    teams = teams_of(list("AABBCCDD"))
    schedule = Schedule(8, [FOUR], None, SeatOrders.ROTATIONS, SpreadFormat(8, teams))
    counted = count_appearances(schedule, Deals.TABLE, teams)
    assert counted is not None
    assert counted.pairs.is_even
    assert counted.pairs.least > 0


def test_a_schedule_too_long_to_be_counted_is_not() -> None:
    assert count_appearances(spread(MOST_COUNTED), Deals.TABLE) is None


def test_the_cycle_of_several_table_sizes_is_their_least_common_multiple() -> None:
    assert cycle_of(spread(10, THREE, FOUR)) == 10


def test_seats_that_not_all_tables_have_are_not_spoken_of() -> None:
    mixed = count_appearances(spread(None, THREE, FOUR), Deals.TABLE)
    assert mixed is not None
    assert "every entrant in every seat that all tables have 30 times" in mixed.in_words()
