"""Sums of a table by key and block: whole numbers, so the order of matches changes nothing, in few bytes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
import numpy

from arena.tournament.measures.exact_sums import Numbers
from arena.tournament.measures.tally import Numbering

Sums = TypeVar("Sums", bound=msgspec.Struct)

BLOCK_BITS = 31
"""Bits of the block in a cell's number, which is one machine word: the key's number, then the block's."""
BLOCK_MASK = (1 << BLOCK_BITS) - 1
"""The mask of the block's bits in a cell's number."""
BLOCK_GROUPS = 200
"""The blocks of longer runs are combined into this many groups, none of which shares a deal with another: so memory
does not grow with the run, while intervals hardly change."""
FRESH_CELLS = 1 << 14
"""At least this many new cells are kept apart from the rest before they are sorted in."""
LARGEST_SUM = 1 << 62
"""Larger sums are kept as Python ints."""


class SumsScope(NamedTuple):
    """Which matches are added up together: of one ``edition``, with so many ``players``, of one ``block`` (or group of
    blocks)."""

    edition: str
    players: int
    block: int


class FreshSums(dict[Hashable, Sums]):
    """Sums by key, which begin at 0."""

    def __init__(self, kind: type[Sums]) -> None:
        super().__init__()
        self.kind = kind

    def __missing__(self, key: Hashable) -> Sums:
        self[key] = made = self.kind()
        return made


class SumsCells(NamedTuple):
    """Sums in the order of the cells' ``numbers``, each of which stands for a key and a block. ``values`` has a row for
    each cell and a column for each sum."""

    numbers: Numbers
    values: Numbers


class TableSums(Generic[Sums]):
    """The sums of a table by key and block; ``kind`` is the class with the sums of one cell."""

    def __init__(self, kind: type[Sums]) -> None:
        self.kind = kind
        self._keys = Numbering[tuple[Any, ...]]()
        self._fresh: dict[SumsScope, FreshSums[Sums]] = {}
        nothing = numpy.zeros(0, dtype=numpy.int64)
        self._whole = SumsCells(nothing, nothing.reshape(0, len(kind.__struct_fields__)))
        self._new: list[SumsCells] = []

    @property
    def keys(self) -> Sequence[tuple[Any, ...]]:
        """The keys in the order of their numbers: each an edition, a number of players, and the table's own key."""
        self._settle()
        return list(self._keys)

    def open_page(self, page: SumsScope) -> FreshSums[Sums]:
        """The sums by key to which matches of this page are added."""
        found = self._fresh.get(page)
        if found is None:
            found = self._fresh[page] = FreshSums(self.kind)
        return found

    def merge(self, other: TableSums[Sums]) -> None:
        """Add all that ``other`` has added up."""
        theirs = other.sum_cells()
        mine = numpy.array([self._keys[key] for key in other.keys], dtype=numpy.int64)
        if len(theirs.numbers):
            numbers = (mine[theirs.numbers >> BLOCK_BITS] << BLOCK_BITS) | (theirs.numbers & BLOCK_MASK)
            self._take(SumsCells(numbers, theirs.values))

    def sum_cells(self) -> SumsCells:
        """All cells, by key, then block."""
        self._settle()
        if self._new:
            self._whole, self._new = add_cells([self._whole, *self._new]), []
        return self._whole

    def _settle(self) -> None:
        """Move the sums added since the last call from their objects to arrays of cells."""
        if not self._fresh:
            return
        numbers, values = [], []
        for (edition, players, block), fresh in self._fresh.items():
            for key, sums in fresh.items():
                numbers.append((self._keys[(edition, players, *key)] << BLOCK_BITS) | block)  # type: ignore[misc]
                values.append(msgspec.structs.astuple(sums))
        self._fresh = {}
        self._take(SumsCells(numpy.array(numbers, dtype=numpy.int64), _number_matrix(values)))

    def _take(self, cells: SumsCells) -> None:
        self._new.append(cells)
        if sum(len(each.numbers) for each in self._new) > max(FRESH_CELLS, len(self._whole.numbers) // 2):
            self._whole, self._new = add_cells([self._whole, *self._new]), []

    def __getstate__(self) -> dict[str, Any]:
        self.sum_cells()
        return self.__dict__.copy()


def _number_matrix(values: list[tuple[Any, ...]]) -> Numbers:
    try:
        return numpy.array(values, dtype=numpy.int64)
    except OverflowError:
        return numpy.array(values, dtype=object)


def add_cells(parts: list[SumsCells]) -> SumsCells:
    """All cells of ``parts`` in the order of their numbers; cells with the same number are added up."""
    numbers = numpy.concatenate([each.numbers for each in parts])
    if not len(numbers):
        return parts[0]
    largest = sum(int(abs(each.values).max()) * len(each.values) for each in parts if each.values.size)
    wide = [each.values if largest < LARGEST_SUM else each.values.astype(object) for each in parts]
    order = numpy.argsort(numbers, kind="stable")
    numbers = numbers[order]
    starts = numpy.flatnonzero(numpy.concatenate(([True], numbers[1:] != numbers[:-1])))
    return SumsCells(numbers[starts], numpy.add.reduceat(numpy.concatenate(wide)[order], starts, axis=0))
