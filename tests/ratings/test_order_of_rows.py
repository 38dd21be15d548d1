"""The order in which ratings read matches is that of numpy.lexsort, whatever numbers the columns hold."""

from __future__ import annotations

from itertools import product

import numpy

from arena.ratings.order_columns import Numbers, in_sequence

drawn = numpy.random.Generator(numpy.random.PCG64(1))
ROWS = 500
COLUMNS: dict[str, Numbers] = {
    "few whole numbers": drawn.integers(0, 3, ROWS),
    "numbers below zero": drawn.integers(-5, 5, ROWS).astype(numpy.int32),
    "many whole numbers": drawn.integers(-(2**40), 2**40, ROWS),
    "all of 64 bits": drawn.integers(-(2**63), 2**63 - 1, ROWS),
    "seeds of 64 bits": drawn.integers(0, 2**64 - 1, ROWS, dtype=numpy.uint64),
    "whole floats": drawn.integers(-9, 9, ROWS).astype(float),
    "broken floats": numpy.round(drawn.normal(size=ROWS), 1),
    "one number": numpy.full(ROWS, 7),
}


def test_two_columns_are_sorted_as_lexsort_does() -> None:
    for first, last in product(COLUMNS, repeat=2):
        keys = [COLUMNS["few whole numbers"][::-1], COLUMNS[first], COLUMNS[last]]
        assert numpy.array_equal(in_sequence(keys), numpy.lexsort(keys)), (first, last)


def test_all_columns_together_are_sorted_as_lexsort_does() -> None:
    keys = [column % 2 for column in COLUMNS.values()]
    assert numpy.array_equal(in_sequence(keys), numpy.lexsort(keys))


def test_no_rows_have_an_empty_order() -> None:
    assert len(in_sequence([numpy.zeros(0), numpy.zeros(0, dtype=int)])) == 0
