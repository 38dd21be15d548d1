"""Sums by cell are those of fractions, whatever is added up, in parts of whatever size and in whatever order."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import chain

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.measures.design_cells import DesignCells
from arena.tournament.measures.exact_sums import LARGEST_EXACT, exact_column, join_columns
from arena.tournament.measures.measures import Number

numbers: st.SearchStrategy[Number] = st.one_of(
    st.integers(-100, 100),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.fractions(max_denominator=60),
    st.fractions(),
)
rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), numbers), max_size=30)


@given(st.lists(numbers, max_size=20))
@settings(max_examples=20)
def test_a_column_holds_just_the_numbers(given: list[Number]) -> None:
    column = exact_column(given)
    assert [Fraction(int(each), column.denominator) for each in column.numerators] == given
    assert column.total() == sum(given)
    assert column.floats() == [float(each) for each in given]


@given(st.lists(st.lists(numbers, max_size=8), min_size=1, max_size=4))
@settings(max_examples=20)
def test_joined_columns_hold_the_numbers_of_all(given: list[list[Number]]) -> None:
    column = join_columns([exact_column(each) for each in given])
    assert [Fraction(int(each), column.denominator) for each in column.numerators] == [*chain(*given)]


@given(st.lists(rows, max_size=4))
@settings(max_examples=20)
def test_cells_add_up_what_belongs_to_a_group_and_a_block(parts: list[list[tuple[int, int, Number]]]) -> None:
    cells, halves = DesignCells(1), (DesignCells(1), DesignCells(1))
    expected: dict[int, dict[int, list[Number]]] = defaultdict(lambda: defaultdict(list))
    for place, part in enumerate(parts):
        for group, block, number in part:
            expected[group][block].append(number)
        groups, blocks = (numpy.array([row[column] for row in part], dtype=numpy.int64) for column in (0, 1))
        for each in (cells, halves[place % 2]):
            each.add(groups, blocks, [exact_column([row[2] for row in part])])
    halves[0].absorb(halves[1])
    for each in (cells, halves[0]):
        assert each.groups() == sorted(expected)
        assert each.blocks() == len({block for blocks in expected.values() for block in blocks})
        for group, of_group in expected.items():
            found = each.group_cells(group)
            assert found.match_count == sum(map(len, of_group.values()))
            assert list(found.clusters(0)) == [(float(sum(added)), len(added)) for _, added in sorted(of_group.items())]
        assert each.group_cells(4).match_count == 0


def test_sums_leave_machine_words_before_they_overflow_them() -> None:
    cells = DesignCells(1)
    one = numpy.zeros(3, dtype=numpy.int64)
    for _ in range(3):
        cells.add(one, one, [exact_column([LARGEST_EXACT - 1, 2**62, 2**62])])
    assert cells.group_cells(0).columns[0].total() == 3 * (LARGEST_EXACT - 1 + 2**63)
    assert exact_column([1, 2]).numerators.dtype == numpy.int64
