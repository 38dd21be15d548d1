"""Sums by group and block: a few machine words for each cell, however many matches are added up in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from arena.tournament.measures.exact_sums import ExactColumn, Numbers, exact_column, join_columns

BLOCK_BITS = 31
"""Bits of the block's number in a cell's key, which is one word; before it stands the group's number, of at most 32
bits."""
UNSORTED_CELLS = 1 << 17
"""At least this many new cells are kept apart from the rest before they are sorted in."""


class CellSums(NamedTuple):
    """Cells in the order of their ``keys``, each with its number of ``matches`` and a sum in each of the
    ``columns``."""

    keys: Numbers
    matches: Numbers
    columns: tuple[ExactColumn, ...]

    @property
    def match_count(self) -> int:
        """The number of matches in all cells."""
        return int(self.matches.sum())

    def clusters(self, column: int) -> zip[tuple[float, int]]:
        """For each cell, the sum in this column and the number of matches."""
        return zip(self.columns[column].floats(), self.matches.tolist(), strict=True)


class DesignCells:
    """Adds up ``columns`` of numbers by group and block, exactly: the order of additions changes nothing."""

    def __init__(self, columns: int) -> None:
        nothing = numpy.zeros(0, dtype=numpy.int64)
        self._whole = CellSums(nothing, nothing, tuple(exact_column([]) for _ in range(columns)))
        self._new: list[CellSums] = []

    def add(self, groups: Numbers, blocks: Numbers, columns: Sequence[ExactColumn]) -> None:
        """Add rows, each of which counts as one match: row i of the ``columns`` belongs to group ``groups[i]`` and
        block ``blocks[i]``, both numbered from 0."""
        keys = (groups << BLOCK_BITS) | blocks
        self._take(_merge_cells([CellSums(keys, numpy.ones(len(keys), dtype=numpy.int64), tuple(columns))]))

    def absorb(self, other: DesignCells) -> None:
        """Add all cells of ``other``, which must number groups and blocks in the same way."""
        self._take(other.sum_cells())

    def sum_cells(self) -> CellSums:
        """All cells, by group, then block."""
        if self._new:
            self._whole, self._new = _merge_cells([self._whole, *self._new]), []
        return self._whole

    def group_cells(self, group: int) -> CellSums:
        """The cells of one group, by block."""
        keys, matches, columns = self.sum_cells()
        first, end = numpy.searchsorted(keys, [group << BLOCK_BITS, (group + 1) << BLOCK_BITS]).tolist()
        here = slice(first, end)
        return CellSums(keys[here], matches[here], tuple(column.select_rows(here) for column in columns))

    def groups(self) -> list[int]:
        """The groups that have cells, in order."""
        return [int(group) for group in numpy.unique(self.sum_cells().keys >> BLOCK_BITS)]

    def blocks(self) -> int:
        """How many blocks have cells."""
        return len(numpy.unique(self.sum_cells().keys & ((1 << BLOCK_BITS) - 1)))

    def _take(self, cells: CellSums) -> None:
        self._new.append(cells)
        if sum(len(each.keys) for each in self._new) > max(UNSORTED_CELLS, len(self._whole.keys) // 2):
            self.sum_cells()


def _merge_cells(parts: Sequence[CellSums]) -> CellSums:
    """Merge cells: one row for each key, in order. Columns are merged one after another, to save memory."""
    keys = numpy.concatenate([part.keys for part in parts])
    if not len(keys):
        return parts[0]
    order = numpy.argsort(keys, kind="stable")
    keys = keys[order]
    starts = numpy.flatnonzero(numpy.concatenate(([True], keys[1:] != keys[:-1])))
    matches = numpy.add.reduceat(numpy.concatenate([part.matches for part in parts])[order], starts)
    columns = zip(*(part.columns for part in parts), strict=True)
    return CellSums(keys[starts], matches, tuple(join_columns(column).sum_slices(order, starts) for column in columns))
