"""In a knockout the best half of each table goes on, until one has won the final."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.formats.knockout import Knockout
from arena.tournament.formats.team_tables.teams import no_teams
from arena.tournament.records.fixture import Fixture
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders
from arena.tournament.standings.placings import elimination_words, placings_csv
from tests.tournament.playing import by_chance, name, play


def knockout(
    entrants: int, *seats: int, each: int = 1, teams: tuple[int, ...] = (), seed: str = "s", after: int | None = None
) -> Schedule:
    """With rounds of ``each`` blocks in the edition with the most rounds."""
    format = Knockout(teams or no_teams(entrants), seed)
    editions = [ScheduledEdition(f"of-{number}p", number) for number in seats]
    blocks = None if each == 1 else format.rounds(seats[0]) * each
    return Schedule(entrants, editions, blocks, SeatOrders.ROTATIONS, format, after)


def by_strength(fixture: Fixture, entrant: int) -> int:
    """Lower numbers always win."""
    return 1000 - entrant


def tables(schedule: Schedule, block: int) -> list[tuple[int, ...]]:
    """The tables of a block, in their order."""
    return list(dict.fromkeys(tuple(sorted(each.entrants)) for each in schedule.of_block(block)))


@st.composite
def tournaments(draw: st.DrawFn) -> Schedule:
    seats = draw(st.integers(2, 6))
    entrants = draw(st.integers(seats, 40))
    teams = tuple(draw(st.lists(st.integers(0, 50), min_size=entrants, max_size=entrants)))
    return knockout(entrants, seats, each=draw(st.integers(1, 2)), teams=teams, seed=draw(st.text(max_size=3)))


@given(tournaments())
@settings(deadline=None, max_examples=15)
def test_a_knockout_ends_with_one_winner_and_everybody_else_is_out_once(schedule: Schedule) -> None:
    play(schedule)
    seats = schedule.editions[0].seats
    (places,) = schedule.placings().values()
    assert sorted(each.entrant for each in places) == list(range(schedule.entrants))
    assert [each.entrant for each in places if each.out is None] == [places[0].entrant]
    outs = [each.out for each in places[1:] if each.out is not None]
    assert outs == sorted(outs, reverse=True)
    assert len(tables(schedule, schedule.blocks - 1)) == 1
    assert outs.count(schedule.format.cycle(seats)) == seats - 1


@given(tournaments())
@settings(deadline=None, max_examples=15)
def test_every_round_fills_as_many_tables_as_it_can_with_those_who_are_in(schedule: Schedule) -> None:
    play(schedule)
    seats = schedule.editions[0].seats
    rounds = schedule.format.cycle(seats)
    each = schedule.blocks // rounds
    (places,) = schedule.placings().values()
    out = {place.entrant: place.out or rounds + 1 for place in places}
    for round in range(rounds):
        still_in = {entrant for entrant, when in out.items() if when > round}
        drawn = tables(schedule, round * each)
        seated = Counter(entrant for table in drawn for entrant in table)
        assert set(seated.values()) == {1}
        assert set(seated) <= still_in
        assert len(drawn) == len(still_in) // seats
        assert tables(schedule, round * each + each - 1) == drawn


@given(tournaments())
@settings(deadline=None, max_examples=15)
def test_all_follows_from_the_seed_and_the_results_in_whatever_order_these_come(schedule: Schedule) -> None:
    records = play(schedule)
    again = Schedule(schedule.entrants, schedule.editions, schedule.blocks, SeatOrders.ROTATIONS, schedule.format)
    again.learn(sorted(records, key=lambda each: hash(each.id)))
    assert list(again) == list(schedule)
    assert [each.id for each in records] == [each.id for each in schedule]
    assert again.placings() == schedule.placings()


@pytest.mark.parametrize(
    ("entrants", "seats", "sizes"),
    [
        (16, 4, [16, 8, 4]),
        (27, 3, [27, 9, 3]),
        (8, 2, [8, 4, 2]),
        (4, 4, [4]),
        (7, 4, [7, 5, 4]),  # one table of four, three byes; then one table, one bye, one lucky loser
        (5, 2, [5, 3, 2]),
        (10, 5, [10, 5]),  # 2 of each table, and one lucky loser
    ],
)
def test_the_number_of_rounds_follows_from_entrants_and_seats(entrants: int, seats: int, sizes: list[int]) -> None:
    schedule = knockout(entrants, seats)
    play(schedule)
    assert schedule.blocks == len(sizes)
    assert [len(tables(schedule, block)) for block in range(len(sizes))] == [size // seats for size in sizes]
    (places,) = schedule.placings().values()
    left = Counter(each.out for each in places)
    ends = [*sizes[1:], 1]
    assert [left[round + 1] for round in range(len(sizes))] == [one - two for one, two in zip(sizes, ends, strict=True)]


def test_the_strongest_wins_and_the_strong_do_not_meet_before_they_have_to() -> None:
    schedule = knockout(16, 4)
    play(schedule, by_strength)
    (places,) = schedule.placings().values()
    assert places[0].entrant == 0
    for round in (0, 1):
        of_round = tables(schedule, round)
        assert {each for table in of_round for each in sorted(table)[:2]} == {
            each for table in tables(schedule, round + 1) for each in table
        }


def test_a_lucky_loser_is_the_best_of_those_who_lost() -> None:
    schedule = knockout(10, 5)
    play(schedule, by_strength)
    first, second = (sorted(table) for table in tables(schedule, 0))
    final = set(tables(schedule, 1)[0])
    assert final - {*first[:2], *second[:2]} <= {first[2], second[2]}


def test_equal_results_are_decided_by_what_was_before_and_then_by_the_draw() -> None:
    def equal(fixture: Fixture, entrant: int) -> int:
        return 1

    one, two, other = knockout(8, 2), knockout(8, 2), knockout(8, 2, seed="other")
    for schedule in (one, two, other):
        play(schedule, equal)
    assert one.placings() == two.placings() != other.placings()
    (places,) = one.placings().values()
    drawn = one.format.drawn  # type: ignore[attr-defined]
    assert places[0].entrant == drawn[0]


def test_members_of_a_team_are_kept_apart_where_they_can_be() -> None:
    teams = tuple(number // 4 for number in range(16))
    schedule = knockout(16, 4, teams=teams)
    assert all(len({teams[each] for each in table}) == 4 for table in tables(schedule, 0))


def test_editions_of_several_sizes_share_out_the_blocks_among_their_rounds() -> None:
    schedule = knockout(16, 4, 2)
    assert schedule.blocks == 12
    play(schedule)
    assert [len(places) for places in schedule.placings().values()] == [16, 16]
    assert [schedule.block_size(0, block) // 4 for block in range(12)] == [4] * 4 + [2] * 4 + [1] * 4
    assert [schedule.block_size(1, block) // 2 for block in range(12)] == [8] * 3 + [4] * 3 + [2] * 3 + [1] * 3


def test_void_matches_leave_everybody_where_they_were() -> None:
    schedule = knockout(8, 4)
    play(schedule, by_strength, void=lambda fixture: True)
    (places,) = schedule.placings().values()
    assert places[0].entrant == schedule.format.drawn[0]  # type: ignore[attr-defined]


def test_whoever_is_suspended_goes_on_only_where_nobody_else_can() -> None:
    def out(fixture: Fixture, entrant: int) -> int:
        return -1 if entrant == 0 else by_chance(fixture, entrant)

    schedule = knockout(16, 4, each=2, after=1)
    fixtures = list(schedule.of_block(0))
    (table,) = (each for each in tables(schedule, 0) if 0 in each)
    assert len({each.id for each in fixtures}) == 16
    play(schedule, out, [0])
    assert schedule.placings() == {}
    play(schedule, out, [1])
    (places,) = schedule.placings().values()
    assert {each.entrant: each.out for each in places}[0] == 1
    assert sum(each.out is None for each in places if each.entrant in table) == 2


def test_what_is_decided_is_told_as_far_as_rounds_are_finished() -> None:
    names = [name(each) for each in range(8)]
    schedule = knockout(8, 4, each=2)
    assert elimination_words(schedule, names) == []
    play(schedule, by_strength, [0])
    assert elimination_words(schedule, names) == []
    play(schedule, by_strength, [1])
    (told,) = elimination_words(schedule, names)
    assert told.startswith("of-4p: still in: ")
    assert "out in round 1: " in told
    play(schedule, by_strength, [2, 3])
    (told,) = elimination_words(schedule, names)
    final = ", ".join(names[each] for each in tables(schedule, 3)[0][1:])
    assert told.startswith(f"of-4p: bot000 has won; out in the final: {final}; out in round 1: ")
    lines = placings_csv(schedule.placings(), names).splitlines()
    assert lines[:3] == [
        "edition,place,entrant,out_in_round",
        "of-4p,1,bot000,",
        f"of-4p,2,{names[tables(schedule, 3)[0][1]]},2",
    ]


def test_what_is_known_of_it_beforehand_is_told() -> None:
    told = "3 rounds of 2 blocks: 9 entrants at 2 tables, then 5 entrants at 1 table, then the final of 4"
    assert knockout(9, 4, each=2).format.in_words(4) == told + "; the results decide who goes on"
