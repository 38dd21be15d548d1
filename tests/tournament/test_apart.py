"""Entrants swap tables until nobody sits with somebody it should not, if that can be."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.formats.separate_tables import kept_apart


def weight_of(tables: list[tuple[int, ...]], pairs: set[tuple[int, int]]) -> int:
    return sum(pair in pairs for table in tables for pair in combinations(sorted(table), 2))


@st.composite
def seated(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], set[tuple[int, int]]]:
    """Some tables of one size, and some pairs that should not meet."""
    size, count = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    order = draw(st.permutations(range(size * count)))
    tables = [tuple(order[first : first + size]) for first in range(0, size * count, size)]
    every = list(combinations(range(size * count), 2))
    return tables, set(draw(st.lists(st.sampled_from(every), max_size=12))) if every else set()


@given(seated())
@settings(deadline=None, max_examples=40)
def test_everybody_keeps_a_seat_and_no_more_share_a_table_than_before(
    given: tuple[list[tuple[int, ...]], set[tuple[int, int]]],
) -> None:
    tables, pairs = given
    found = kept_apart(tables, lambda one, other: (min(one, other), max(one, other)) in pairs)
    assert sorted(each for table in found for each in table) == sorted(each for table in tables for each in table)
    assert [len(table) for table in found] == [len(table) for table in tables]
    assert weight_of(found, pairs) <= weight_of(tables, pairs)
    if not weight_of(tables, pairs):
        assert found == tables


def test_the_neighbouring_table_is_preferred() -> None:
    found = kept_apart([(0, 1), (2, 3), (4, 5)], lambda one, other: {one, other} == {0, 1})
    assert found in (
        [(2, 1), (0, 3), (4, 5)],
        [(0, 2), (1, 3), (4, 5)],
        [(3, 1), (2, 0), (4, 5)],
        [(0, 3), (2, 1), (4, 5)],
    )


def test_where_it_cannot_be_the_least_bad_is_found() -> None:
    teams = (0, 0, 0, 1, 1, 1)  # one of the two tables has two of each team, whatever is done
    found = kept_apart([(0, 1, 2), (3, 4, 5)], lambda one, other: teams[one] == teams[other])
    assert sorted(len({teams[each] for each in table}) for table in found) == [2, 2]


def test_more_than_one_swap_is_made_where_it_takes_more() -> None:
    rows = [tuple(range(first, first + 4)) for first in range(0, 16, 4)]
    found = kept_apart(rows, lambda one, other: one // 4 == other // 4)
    assert all(len({each // 4 for each in table}) == 4 for table in found)
