"""In a Swiss tournament those who stand next to each other meet, seldom twice, and everybody plays as often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UserError
from arena.tournament.formats.swiss import Swiss
from arena.tournament.formats.team_tables.teams import no_teams
from arena.tournament.records.earlier_results import EarlierResults
from arena.tournament.records.fixture import Fixture
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders
from tests.tournament.playing import by_chance, name, play, record


def swiss(
    entrants: int, seats: int, rounds: int, each: int = 1, teams: tuple[int, ...] = (), seed: str = "s"
) -> Schedule:
    """Rounds of ``each`` blocks."""
    format = Swiss(teams or no_teams(entrants), seed, rounds)
    editions = [ScheduledEdition(f"one-{seats}p", seats)]
    return Schedule(entrants, editions, rounds * each, SeatOrders.ROTATIONS, format)


def by_strength(fixture: Fixture, entrant: int) -> int:
    """Lower numbers always win."""
    return 1000 - entrant


def tables(schedule: Schedule, block: int) -> list[tuple[int, ...]]:
    """The tables of a block, in their order."""
    return list(dict.fromkeys(tuple(sorted(each.entrants)) for each in schedule.of_block(block)))


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[Schedule, int]:
    """A Swiss tournament, and how many blocks a round has."""
    seats = draw(st.integers(2, 5))
    entrants = draw(st.integers(seats, 17))
    each = draw(st.integers(1, 3))
    teams = tuple(draw(st.lists(st.integers(0, 20), min_size=entrants, max_size=entrants)))
    return swiss(entrants, seats, draw(st.integers(1, 6)), each, teams, draw(st.text(max_size=3))), each


@given(tournaments())
@settings(deadline=None, max_examples=25)
def test_every_entrant_sits_at_one_table_a_round_or_has_one_of_the_byes_which_come_in_turn(
    given: tuple[Schedule, int],
) -> None:
    schedule, each = given
    play(schedule)
    sat = Counter[int]()
    for block in range(0, schedule.blocks, each):
        drawn = tables(schedule, block)
        assert all(tables(schedule, block + more) == drawn for more in range(each))
        seated = [entrant for table in drawn for entrant in table]
        assert len(seated) == len(set(seated)) == schedule.entrants // schedule.editions[0].seats * len(drawn[0])
        sat.update(seated)
    times = [sat[entrant] for entrant in range(schedule.entrants)]
    assert max(times) - min(times) <= 1


@given(tournaments())
@settings(deadline=None, max_examples=15)
def test_the_tables_follow_from_the_seed_and_the_results_in_whatever_order_these_come(
    given: tuple[Schedule, int],
) -> None:
    schedule, _ = given
    records = play(schedule)
    format = schedule.format
    again = Schedule(schedule.entrants, schedule.editions, schedule.blocks, SeatOrders.ROTATIONS, format)
    again.learn(sorted(records, key=lambda each: hash(each.id)))
    assert list(again) == list(schedule)
    assert [again.find(each.id) for each in records] == [schedule.find(each.id) for each in records]
    assert {each.id for each in records} == {each.id for each in again}


def test_the_best_share_a_table() -> None:
    schedule = swiss(9, 3, 3)
    play(schedule, by_strength, [0])
    first = {min(table) for table in tables(schedule, 0)}
    assert first == set(tables(schedule, 1)[0])
    last = {max(table) for table in tables(schedule, 0)}
    assert last == set(tables(schedule, 1)[2])


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(16, 2, 8), (16, 4, 4), (27, 3, 6), (40, 4, 8), (20, 4, 3)])
def test_nobody_meets_twice_where_there_are_others_enough(entrants: int, seats: int, rounds: int) -> None:
    schedule = swiss(entrants, seats, rounds)
    play(schedule)
    met = Counter(
        pair for block in range(rounds) for table in tables(schedule, block) for pair in combinations(table, 2)
    )
    assert set(met.values()) == {1}


def test_members_of_a_team_are_kept_apart() -> None:
    teams = (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3)
    schedule = swiss(12, 4, 6, teams=teams)
    play(schedule, by_strength)
    together = [
        table for block in range(6) for table in tables(schedule, block) if len({teams[each] for each in table}) < 4
    ]
    assert together == []


def test_a_void_match_changes_nothing_and_costs_nobody_anything() -> None:
    schedule, other = swiss(6, 3, 2, each=2), swiss(6, 3, 2, each=2)
    play(schedule, by_strength, [0, 1], void=lambda fixture: fixture.block == 1)
    play(other, by_strength, [0])
    assert tables(schedule, 2) == tables(other, 2)


def test_results_of_the_same_round_do_not_change_its_tables() -> None:
    schedule = swiss(9, 3, 2, each=3)
    before = tables(schedule, 1)
    play(schedule, by_strength, [0])
    assert tables(schedule, 1) == before
    play(schedule, by_strength, [1, 2])
    assert tables(schedule, 3) != before


def test_whoever_is_suspended_has_the_byes() -> None:
    def out(fixture: Fixture, entrant: int) -> int:
        return -1 if entrant == 4 else by_chance(fixture, entrant)

    format = Swiss(no_teams(7), "s", 5)
    schedule = Schedule(7, [ScheduledEdition("one-3p", 3)], 5, SeatOrders.ROTATIONS, format, suspend_after=3)
    began = False
    for block in range(5):
        seated = {entrant for table in tables(schedule, block) for entrant in table}
        assert not (began and 4 in seated)
        began = began or 4 in seated
        play(schedule, out, [block])
    assert began


def test_a_late_result_changes_the_tables_that_follow_from_it() -> None:
    schedule = swiss(9, 3, 2)
    play(schedule, by_strength, [0])
    drawn = tables(schedule, 1)
    schedule.learn(record(schedule, each, by_chance) for each in list(schedule.of_block(0)))
    assert tables(schedule, 1) != drawn


def test_records_that_can_be_none_of_its_matches_change_nothing() -> None:
    schedule = swiss(6, 3, 2)
    drawn = tables(schedule, 1)
    fixture = next(schedule.of_block(0))
    for id, block in (("x", 0), (fixture.id, 1), ("one-3p/b0000/0-1", 0)):
        made = record(schedule, Fixture(0, id, 0, block, fixture.entrants), by_strength)
        schedule.add_record(made)
    assert tables(schedule, 1) == drawn


def test_a_round_has_equally_many_blocks() -> None:
    format = Swiss(no_teams(6), "s", 4)
    with pytest.raises(UserError, match="expected a multiple of 4 blocks, as many for each round, got 6; take 4 or 8"):
        Schedule(6, [ScheduledEdition("one-3p", 3)], 6, format=format)
    assert Schedule(6, [ScheduledEdition("one-3p", 3)], format=format).blocks == 4


def test_too_few_entrants_are_told_how_many_are_missing() -> None:
    with pytest.raises(
        UserError, match=r"expected 3 entrants or more, one for each seat in one-3p, got 2: enter 1 more"
    ):
        swiss(2, 3, 1)


def test_two_hundred_entrants_are_seated_quickly() -> None:
    schedule = swiss(200, 4, 3)
    began = process_time()
    play(schedule, by_strength)
    took = process_time() - began
    assert len(schedule) == 3 * 50 * 4
    assert took < 20


def test_what_is_known_of_it_beforehand_is_told() -> None:
    schedule = swiss(7, 3, 3, each=2)
    told = "3 rounds of 2 blocks, each with 2 tables and 1 bye; "
    assert schedule.format.in_words(3) == told + "the results of earlier rounds decide who meets in a round"
    assert name(3) == "bot003"
    assert schedule.format.tables(3, 5, EarlierResults()) == schedule.format.tables(3, 4, EarlierResults())
