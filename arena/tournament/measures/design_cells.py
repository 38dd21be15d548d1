"""Sums by group and block: a few machine words for each cell, however many matches are added up in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from arena.tournament.measures.exact_sums import ExactColumn, Numbers, exact_column, join_columns

BLOCK_BITS = 31
"""A cell's key is one word: the group's number, of 32 bits at most, and the block's."""
UNSORTED_CELLS = 1 << 17
"""Cells that are kept apart from the rest, at least, until they are sorted in."""


class CellSums(NamedTuple):
    """Cells in the order of their keys, each with the number of ``matches`` in it and, in each of the ``columns``, a
    sum."""

    keys: Numbers
    matches: Numbers
    columns: tuple[ExactColumn, ...]

    @property
    def played(self) -> int:
        """The matches of all cells."""
        return int(self.matches.sum())

    def clusters(self, column: int) -> zip[tuple[float, int]]:
        """The sums of a column, each with its number of matches."""
        return zip(self.columns[column].floats(), self.matches.tolist(), strict=True)


class DesignCells:
    """Adds up ``columns`` of numbers by group and block, exactly: the order in which they come changes nothing."""

    def __init__(self, columns: int) -> None:
        nothing = numpy.zeros(0, dtype=numpy.int64)
        self._whole = CellSums(nothing, nothing, tuple(exact_column([]) for _ in range(columns)))
        self._new: list[CellSums] = []

    def add(self, groups: Numbers, blocks: Numbers, columns: Sequence[ExactColumn]) -> None:
        """Add rows, each one match's: what is in the ``columns`` belongs to these groups and blocks, which are numbered
        from 0."""
        keys = (groups << BLOCK_BITS) | blocks
        self._take(_merge_cells([CellSums(keys, numpy.ones(len(keys), dtype=numpy.int64), tuple(columns))]))

    def absorb(self, other: DesignCells) -> None:
        """Add all cells of ``other``, whose groups and blocks have the same numbers."""
        self._take(other.all())

    def all(self) -> CellSums:
        """All cells, by group, then block."""
        if self._new:
            self._whole, self._new = _merge_cells([self._whole, *self._new]), []
        return self._whole

    def of(self, group: int) -> CellSums:
        """The cells of one group, by block."""
        keys, matches, columns = self.all()
        first, end = numpy.searchsorted(keys, [group << BLOCK_BITS, (group + 1) << BLOCK_BITS]).tolist()
        here = slice(first, end)
        return CellSums(keys[here], matches[here], tuple(column.part(here) for column in columns))

    def groups(self) -> list[int]:
        """The groups that have cells, in order."""
        return [int(group) for group in numpy.unique(self.all().keys >> BLOCK_BITS)]

    def blocks(self) -> int:
        """How many blocks have cells."""
        return len(numpy.unique(self.all().keys & ((1 << BLOCK_BITS) - 1)))

    def _take(self, cells: CellSums) -> None:
        self._new.append(cells)
        if sum(len(each.keys) for each in self._new) > max(UNSORTED_CELLS, len(self._whole.keys) // 2):
            self.all()


def _merge_cells(parts: Sequence[CellSums]) -> CellSums:
    """All rows of these with one row for each key, in order. Columns are taken one after another, to hold little."""
    keys = numpy.concatenate([part.keys for part in parts])
    if not len(keys):
        return parts[0]
    order = numpy.argsort(keys, kind="stable")
    keys = keys[order]
    starts = numpy.flatnonzero(numpy.concatenate(([True], keys[1:] != keys[:-1])))
    matches = numpy.add.reduceat(numpy.concatenate([part.matches for part in parts])[order], starts)
    columns = zip(*(part.columns for part in parts), strict=True)
    return CellSums(keys[starts], matches, tuple(join_columns(column).summed(order, starts) for column in columns))
