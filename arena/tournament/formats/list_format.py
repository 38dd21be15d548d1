"""The format whose tables are listed one by one."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import NamedTuple

from arena.errors import UserError
from arena.tournament.formats.format import Format
from arena.tournament.records.earlier_results import EarlierResults
from arena.tournament.tables.csv_cells import write_csv

MOST_BLOCKS = 1_000_000
"""The most blocks that a list may have: each needs some memory, even without a table."""


class ListTable(NamedTuple):
    """A table of a list: its block (from 0), and its entrants in the listed order."""

    block: int
    entrants: tuple[int, ...]


class ListFormat(Format):
    """Every edition plays the listed tables that have as many entrants as the edition has seats. A block may have
    none."""

    def __init__(self, tables: Iterable[ListTable]) -> None:
        self._tables: dict[tuple[int, int], list[tuple[int, ...]]] = {}
        for block, entrants in tables:
            self._tables.setdefault((len(entrants), block), []).append(entrants)

    def check(self, seats: int, label: str) -> None:
        """Raise UserError for an edition without a table."""
        if not any(size == seats for size, _ in self._tables):
            sizes = " and ".join(map(str, sorted({size for size, _ in self._tables})))
            raise UserError(f"no table of {seats} for {label} in the list of fixtures, only of {sizes}")

    def blocks(self, seats: int) -> int:
        """The number of blocks up to the last one in the list, whatever the size of its tables."""
        return max(block for _, block in self._tables) + 1

    def count(self, seats: int, block: int) -> int:
        """The number of listed tables of this size in this block."""
        return len(self._tables.get((seats, block), ()))

    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """The listed tables of this size, in the order of the list; each has its entrants in the listed order."""
        return self._tables.get((seats, block), ())


def written_line(block: int, names: Sequence[str]) -> str:
    """A table as a line of CSV: its block, then the names of its entrants."""
    text = StringIO()
    write_csv(text, [[block, *names]], written={}, end="")
    return text.getvalue()


def read_fixture_line(line: str) -> tuple[int, tuple[str, ...]]:
    """Parse a line from :func:`written_line` into its block and the names of its entrants."""
    block, *names = next(csv.reader([line]))
    return int(block), tuple(names)


def read_tables(lines: Iterable[str], names: Sequence[str]) -> tuple[ListTable, ...]:
    """Parse lines from :func:`written_line`; entrants become indices into ``names``. Raises KeyError for an unknown
    name."""
    places = {name: place for place, name in enumerate(names)}
    read = (read_fixture_line(line) for line in lines)
    return tuple(ListTable(block, tuple(places[each] for each in entrants)) for block, entrants in read)
