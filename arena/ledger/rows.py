"""The rows of a table of the ledger: each figure of each key, with its interval clustered by block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import numpy

from arena.ledger.book import Book
from arena.ledger.figure import ALWAYS, MET, SEATS, SIDES, Figure, Table, Unit
from arena.ledger.sums import BLOCK_BITS, Cells, TableSums, added
from arena.tournament.intervals import Estimate, clustered_mean

Keys = tuple[str | int, ...]


class LedgerRow(NamedTuple):
    """A figure: its ``keys`` say of what, in the order in which they were asked for.

    ``matches`` is how many matches are behind the row (of an entrant those that it played, of a pair those in which
    both sat), ``n`` the number of cases (:attr:`Figure.of`), ``total`` what they add up to in the figure's unit (None
    where it is no sum). ``estimate`` is total ÷ n with its interval, which says of how many blocks.
    """

    keys: Keys
    figure: Figure
    matches: int
    n: int
    total: float | None
    estimate: Estimate


class _ByBlock(NamedTuple):
    """The sums of one key: the ``blocks``, and a row of ``values`` for each."""

    blocks: tuple[int, ...]
    values: Any


def rows_of(book: Book, table: Table, by: Sequence[str], entrant: str = "") -> Iterator[LedgerRow]:
    """The rows of a table, whose keys are ``by`` (of the table's own and :data:`arena.ledger.figure.ALWAYS`), in their
    order; with an ``entrant`` only those of this one, or of pairs with it. What is not in ``by`` is added up."""
    sums = book.tables[table.name]
    places = {name: place for place, name in enumerate(sums.kind.__struct_fields__)}
    shown = [name for name in by if name in SIDES]
    seats = _by_keys(book.seats, ("entrant",), [name for name in by if name in (*ALWAYS, "entrant")])
    matches = _by_keys(book.matches, (), [name for name in by if name in ALWAYS])
    groups = _by_keys(sums, table.keys, by)
    for keys in sorted(groups, key=_order):
        named = dict(zip(by, keys, strict=True))
        if entrant and entrant not in [named[name] for name in shown]:
            continue
        group = groups[keys]
        own = seats[tuple(named[name] for name in by if name in (*ALWAYS, "entrant"))]
        all = matches[tuple(named[name] for name in by if name in ALWAYS)]
        played = _played(table, group, places, own if "entrant" in by else all)
        for figure in table.figures:
            clusters = _clusters(figure, group, places, own)
            n = sum(count for _, count in clusters)
            if n:
                total = int(group.values[:, places[figure.total]].sum()) / figure.scale
                yield LedgerRow(keys, figure, played, n, total, _estimate(figure, clusters))


def _played(table: Table, group: _ByBlock, places: Mapping[str, int], played: _ByBlock) -> int:
    """The matches behind a row."""
    return int(group.values[:, places[MET]].sum() if table.of_pairs else played.values[:, 0].sum())


def _clusters(figure: Figure, group: _ByBlock, places: Mapping[str, int], seats: _ByBlock) -> list[tuple[float, int]]:
    """What is added up in each block, and the number of cases there."""
    totals = group.values[:, places[figure.total]].tolist()
    if figure.cases == SEATS:
        of_block = dict(zip(group.blocks, totals, strict=True))
        played = zip(seats.blocks, seats.values[:, 0].tolist(), strict=True)
        return [(of_block.get(block, 0) / figure.scale, count) for block, count in played]
    counts = group.values[:, places[figure.cases]].tolist()
    return [(total / figure.scale, count) for total, count in zip(totals, counts, strict=True) if count]


def _estimate(figure: Figure, clusters: list[tuple[float, int]]) -> Estimate:
    share = figure.unit is Unit.SHARE
    return clustered_mean(clusters, share=share, step=1.0 if figure.yes_or_no else 0.0)


def _by_keys(sums: TableSums[Any], own: Sequence[str], by: Sequence[str]) -> dict[Keys, _ByBlock]:
    """The sums by these keys and block; ``own`` are the table's own keys."""
    cells = sums.all()
    if not len(cells.numbers):
        return defaultdict(lambda: _ByBlock((), cells.values))
    blocks = cells.numbers & ((1 << BLOCK_BITS) - 1)
    if "block" in by:
        return _of_blocks(sums, cells, blocks, own, by)
    names = ("edition", "players", *own)
    chosen = [names.index(name) for name in by]
    numbers: dict[Keys, int] = {}
    groups = [numbers.setdefault(tuple(key[at] for at in chosen), len(numbers)) for key in sums.keys]
    numbered = (numpy.array(groups, dtype=numpy.int64)[cells.numbers >> BLOCK_BITS] << BLOCK_BITS) | blocks
    return _apart(added([Cells(numbered, cells.values)]), list(numbers))


def _of_blocks(
    sums: TableSums[Any], cells: Cells, blocks: Any, own: Sequence[str], by: Sequence[str]
) -> dict[Keys, _ByBlock]:
    """The same where blocks are kept apart: each group has a single one."""
    names = ("edition", "players", *own, "block")
    chosen = [names.index(name) for name in by]
    keys = list(sums.keys)
    numbers: dict[Keys, int] = {}
    groups = []
    for number, block in zip((cells.numbers >> BLOCK_BITS).tolist(), blocks.tolist(), strict=True):
        key = (*keys[number], block)
        groups.append(numbers.setdefault(tuple(key[at] for at in chosen), len(numbers)))
    numbered = (numpy.array(groups, dtype=numpy.int64) << BLOCK_BITS) | blocks
    return _apart(added([Cells(numbered, cells.values)]), list(numbers))


def _apart(cells: Cells, keys: Sequence[Keys]) -> dict[Keys, _ByBlock]:
    groups, blocks = cells.numbers >> BLOCK_BITS, cells.numbers & ((1 << BLOCK_BITS) - 1)
    ends = numpy.searchsorted(groups, numpy.arange(len(keys) + 1)).tolist()
    return {
        key: _ByBlock(tuple(blocks[first:end].tolist()), cells.values[first:end])
        for key, first, end in zip(keys, ends, ends[1:], strict=False)
    }


def _order(keys: Keys) -> tuple[Any, ...]:
    """Enums in their own order, texts and numbers in theirs."""
    return tuple(list(type(key)).index(key) if isinstance(key, Enum) else key for key in keys)
