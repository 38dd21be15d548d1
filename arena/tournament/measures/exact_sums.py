"""Columns of exact numbers: whole numerators over a common denominator, in machine words as long as they fit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy

from arena.tournament.measures.measures import Number

Numbers = numpy.ndarray[Any, Any]
"""An array of int64, or of Python ints where values could become too large."""

LARGEST_EXACT = 2**53
"""Up to here a float holds every whole number, so the quotient of two is rounded only once."""


class ExactColumn(NamedTuple):
    """A column of the numbers ``numerators`` ÷ ``denominator``. The sum of any of the numerators lies within
    ±``bound``."""

    numerators: Numbers
    denominator: int = 1
    bound: int = 0

    def square(self) -> ExactColumn:
        """The squares of its numbers."""
        largest = int(abs(self.numerators).max()) if len(self.numerators) else 0
        bound = largest * largest * len(self.numerators)
        wide = _fit_column(self.numerators, self.denominator**2, bound).numerators
        return ExactColumn(wide * wide, self.denominator**2, bound)

    def select_rows(self, chosen: slice) -> ExactColumn:
        """A part of the column."""
        return ExactColumn(self.numerators[chosen], self.denominator, self.bound)

    def sum_slices(self, order: Numbers, starts: Numbers) -> ExactColumn:
        """Sums of the numbers taken in this ``order``: one sum from each of the ``starts`` to the next."""
        return ExactColumn(numpy.add.reduceat(self.numerators[order], starts), self.denominator, self.bound)

    def total(self) -> Number:
        """The sum of the numbers: an int if it is whole, else a fraction."""
        sum = Fraction(int(self.numerators.sum()), self.denominator)
        return sum.numerator if sum.denominator == 1 else sum

    def floats(self) -> list[float]:
        """The numbers as floats, each rounded once."""
        return [float(each) for each in (self.numerators / self.denominator).tolist()]


def exact_column(numbers: Sequence[Number]) -> ExactColumn:
    """A column of these numbers."""
    denominator = 1
    if not set(map(type, numbers)) <= {int, bool}:
        denominator = lcm(*{each.denominator for each in numbers})
        numbers = [each.numerator * (denominator // each.denominator) for each in numbers]
    try:
        numerators: Numbers = numpy.array(numbers, dtype=numpy.int64)
    except OverflowError:
        numerators = numpy.array(numbers, dtype=object)
    return whole_column(numerators, denominator)


def whole_column(numerators: Numbers, denominator: int = 1) -> ExactColumn:
    """A column of these whole numbers over a common denominator."""
    bound = max(-int(numerators.min()), int(numerators.max()), 0) * len(numerators) if len(numerators) else 0
    return _fit_column(numerators, denominator, bound)


def join_columns(columns: Sequence[ExactColumn]) -> ExactColumn:
    """One column with the numbers of all these columns, in their order."""
    denominator = lcm(*(each.denominator for each in columns))
    scales = [denominator // each.denominator for each in columns]
    bound = sum(each.bound * scale for each, scale in zip(columns, scales, strict=True))
    wide = [_fit_column(each.numerators, denominator, bound).numerators for each in columns]
    return ExactColumn(
        numpy.concatenate([each if scale == 1 else each * scale for each, scale in zip(wide, scales, strict=True)]),
        denominator,
        bound,
    )


def _fit_column(numerators: Numbers, denominator: int, bound: int) -> ExactColumn:
    """The column, in machine words if its sums and quotients are exact there, else in Python ints."""
    small = bound <= LARGEST_EXACT and denominator <= LARGEST_EXACT
    return ExactColumn(numerators if small else numerators.astype(object), denominator, bound)
