"""Members of a team never sit at one table, whatever the format."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UserError
from arena.tournament.formats.gauntlet_format import GauntletFormat
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.spread_tables.spread import SpreadFormat
from arena.tournament.formats.team_tables.team_subsets import TeamSubsets
from arena.tournament.formats.team_tables.teams import Teams, check_table, check_teams, teams_apart, teams_of
from arena.tournament.records.earlier_results import EarlierResults

from .test_spread import meetings


@st.composite
def fields(draw: st.DrawFn) -> tuple[Teams, int]:
    """Teams, and a number of seats at which all of them can play equally often."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=6))
    entrants = sum(sizes)
    seats = draw(st.integers(2, 5))
    if len(sizes) < seats or max(sizes) * seats > entrants:
        sizes, seats = [1, *sizes, *[1] * 12], min(seats, 4)
    named = [str(team) for team, size in enumerate(sizes) for _ in range(size)]
    return teams_of(draw(st.permutations(named))), seats


def test_whoever_names_no_team_is_alone() -> None:
    assert teams_of(["a", "", "b", "a", ""]) == (0, 1, 2, 0, 3)
    assert teams_apart(teams_of(["", ""]), (0, 1))
    assert not teams_apart(teams_of(["a", "a"]), (0, 1))


@pytest.mark.slow
@given(fields(), st.integers(0, 1000))
@settings(deadline=None, max_examples=2)
def test_in_a_spread_round_team_mates_are_apart_and_everybody_plays_equally_often(
    field: tuple[Teams, int], block: int
) -> None:
    teams, seats = field
    spread = SpreadFormat(len(teams), teams)
    spread.check(seats, "x")
    tables = spread.tables(seats, block, EarlierResults())
    assert len(tables) == spread.count(seats, block) == len({frozenset(table) for table in tables})
    assert all(teams_apart(teams, table) for table in tables)
    assert len(set(Counter(entrant for table in tables for entrant in table).values())) == 1


@pytest.mark.parametrize(
    ("named", "seats", "times"), [("AABBCCDD", 4, 2), ("AABBCC", 3, 2), ("AABBCCDD", 2, 1), ("AAABBBCCC", 2, 1)]
)
def test_over_a_cycle_all_pairs_of_different_teams_meet_equally_often(named: str, seats: int, times: int) -> None:
    teams = teams_of(list(named))
    spread = SpreadFormat(len(teams), teams)
    blocks = range(spread.cycle(seats))
    met = meetings([table for block in blocks for table in spread.tables(seats, block, EarlierResults())])
    apart_pairs = [pair for pair in combinations(range(len(teams)), 2) if teams_apart(teams, pair)]
    multiple = set(met.values())
    assert set(met) == set(apart_pairs)
    assert multiple == {times}


def test_where_teams_are_of_different_sizes_pairs_meet_nearly_equally_often() -> None:
    teams = teams_of(list("AABB") + [""] * 8)
    spread = SpreadFormat(12, teams)
    blocks = range(spread.cycle(4))
    met = meetings([table for block in blocks for table in spread.tables(4, block, EarlierResults())])
    often = [met[pair] for pair in combinations(range(12), 2) if teams_apart(teams, pair)]
    assert max(often) - min(often) <= 2


@given(fields())
@settings(deadline=None, max_examples=10)
def test_of_all_tables_those_with_team_mates_are_left_out(field: tuple[Teams, int]) -> None:
    teams, seats = field
    teams = teams[:12]
    sets = TeamSubsets(teams, seats)
    expected = [table for table in combinations(range(len(teams)), seats) if teams_apart(teams, table)]
    assert list(sets) == expected
    assert len(sets) == len(expected)
    assert [sets[index] for index in range(len(sets))][:300] == expected[:300]
    assert [sets.index_of(table) for table in expected[:300]] == list(range(len(expected[:300])))
    assert sets.index_of((0,) * seats) is None
    assert sets.index_of((*range(seats - 1), 99)) is None


def test_a_round_robin_of_all_tables_has_only_those_without_team_mates() -> None:
    format = RoundRobin(5, teams_of(["a", "a", "", "", ""]))
    assert format.count(3, 0) == 7
    assert all(not {0, 1} <= set(table) for table in format.tables(3, 0, EarlierResults()))


@pytest.mark.parametrize("opponents", [5, 12])
def test_a_gauntlet_keeps_team_mates_apart_in_as_many_tables_in_every_block(opponents: int) -> None:
    teams = teams_of(["a", "b", "a", "b", "c", "c", *[""] * (opponents - 4)])
    gauntlet = GauntletFormat(len(teams), [0, 1], teams)
    gauntlet.check(4, "x")
    for block in range(20):
        tables = gauntlet.tables(4, block, EarlierResults())
        assert all(teams_apart(teams, table) for table in tables)
        assert len(tables) == gauntlet.count(4, 0) > 0
        assert {table[0] for table in tables} == {0, 1}


def test_a_team_too_large_to_play_equally_often_is_refused_with_numbers() -> None:
    told = "expected 12 entrants or more, so that a team of 3 can sit at 3 tables of 4 in x at a time, got 8"
    with pytest.raises(UserError, match=told):
        check_teams(teams_of(["a", "a", "a", *[""] * 5]), 4, "x")


def test_too_few_teams_for_a_table_are_refused() -> None:
    with pytest.raises(UserError, match=r"expected 3 teams or more .* one for each seat in x, .* got 2"):
        check_table(teams_of(["a", "a", "b", "b"]), 3, "x")
    with pytest.raises(UserError, match="for every challenger, one for each other seat in x, got 2"):
        GauntletFormat(5, [0], teams_of(["a", "a", "b", "b", "c"])).check(4, "x")
