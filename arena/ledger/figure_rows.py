"""The rows of a table of the ledger: each figure of each key, with its interval clustered by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import numpy

from arena.ledger.book import LedgerBook
from arena.ledger.cell_sums import BLOCK_BITS, BLOCK_MASK, SumsCells, TableSums, add_cells
from arena.ledger.figure import COMMON_KEYS, ENTRANT_KEYS, MET_COUNT, SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit
from arena.tournament.inference.intervals import Estimate, clustered_mean

Keys = tuple[str | int, ...]


class LedgerRow(NamedTuple):
    """A figure in a row; ``keys`` are the values of the row's keys, in the order of the request.

    ``matches`` is the number of matches behind the row (for an entrant those that it played, for a pair those in which
    both sat), ``n`` the number of cases (:attr:`LedgerFigure.of`), ``total`` their sum in the figure's unit (None if it
    is no sum). ``estimate`` is total ÷ n with its interval and the number of blocks.
    """

    keys: Keys
    figure: LedgerFigure
    matches: int
    n: int
    total: float | None
    estimate: Estimate


class BlockRows(NamedTuple):
    """The sums of one key: the ``blocks``, and a row of ``values`` for each."""

    blocks: tuple[int, ...]
    values: Any


def figure_rows(book: LedgerBook, table: FigureTable, by: Sequence[str], entrant: str = "") -> Iterator[LedgerRow]:
    """The rows of a table by the keys ``by`` (from the table's own and :data:`arena.ledger.figure.COMMON_KEYS`), in
    their order. Keys that are not in ``by`` are added up. With an ``entrant``, only rows about it, or about pairs with
    it."""
    sums = book.tables[table.name]
    places = {name: place for place, name in enumerate(sums.kind.__struct_fields__)}
    of_seats = [name for name in by if name in (*COMMON_KEYS, "entrant")]
    of_all = [name for name in by if name in COMMON_KEYS]
    seats = by_keys(book.seats, ("entrant",), of_seats, entrant)
    matches = seats if entrant else by_keys(book.matches, (), of_all)
    groups = by_keys(sums, table.keys, by, entrant)
    for keys in sorted(groups, key=_key_order):
        named = dict(zip(by, keys, strict=True))
        group = groups[keys]
        own = seats[tuple(named[name] for name in of_seats)]
        played = own if entrant or "entrant" in by else matches[tuple(named[name] for name in of_all)]
        behind = _row_matches(table, group, places, played)
        for figure in table.figures:
            clusters = _clusters(figure, group, places, own)
            n = round(sum(count for _, count in clusters))
            if n:
                total = None if figure.weight else int(group.values[:, places[figure.total]].sum()) / figure.scale
                estimate = _figure_estimate(figure, clusters)
                if table.is_by_rule(figure, named):
                    estimate = Estimate(estimate.mean, None, None, estimate.clusters)
                yield LedgerRow(keys, figure, behind, n, total, estimate)


def _row_matches(table: FigureTable, group: BlockRows, places: Mapping[str, int], played: BlockRows) -> int:
    """The number of matches behind a row."""
    return int(group.values[:, places[MET_COUNT]].sum() if table.of_pairs else played.values[:, 0].sum())


def _clusters(
    figure: LedgerFigure, group: BlockRows, places: Mapping[str, int], seats: BlockRows
) -> list[tuple[float, float]]:
    """For each block, the sum of the figure and the number of cases. With a weight, that number is the block's part of
    all cases by weight; there is no block if the weights add up to 0."""
    totals = group.values[:, places[figure.total]].tolist()
    if figure.cases == SEAT_CASES:
        of_block = dict(zip(group.blocks, totals, strict=True))
        played = zip(seats.blocks, seats.values[:, 0].tolist(), strict=True)
        return [(of_block.get(block, 0) / figure.scale, count) for block, count in played]
    counts = group.values[:, places[figure.divisor]].tolist()
    if figure.weight:
        cases, weights = int(group.values[:, places[figure.cases]].sum()), sum(counts)
        part = cases / weights if weights else 0.0
        return [(total * part, count * part) for total, count in zip(totals, counts, strict=True) if count * part]
    return [(total / figure.scale, count) for total, count in zip(totals, counts, strict=True) if count]


def _figure_estimate(figure: LedgerFigure, clusters: list[tuple[float, float]]) -> Estimate:
    share = figure.unit is LedgerUnit.SHARE
    return clustered_mean(clusters, share=share, step=1.0 if figure.yes_or_no else 0.0)


def by_keys(sums: TableSums[Any], own: Sequence[str], by: Sequence[str], entrant: str = "") -> dict[Keys, BlockRows]:
    """The sums of a table by the keys ``by`` and by block; ``own`` are the table's own keys. With an ``entrant``, only
    the sums in which one of these keys is this entrant."""
    cells, keys = sums.sum_cells(), sums.keys
    if entrant:
        sides = [at for at, name in enumerate(own, len(COMMON_KEYS) - 1) if name in ENTRANT_KEYS]
        about = numpy.array([any(key[at] == entrant for at in sides) for key in keys], dtype=bool)
        kept = about[cells.numbers >> BLOCK_BITS]
        cells = SumsCells(cells.numbers[kept], cells.values[kept])
    if not len(cells.numbers):
        return {}
    blocks, of_key = cells.numbers & BLOCK_MASK, cells.numbers >> BLOCK_BITS
    names = (*COMMON_KEYS[:-1], *own, COMMON_KEYS[-1])
    chosen = [names.index(name) for name in by]
    numbers: dict[Keys, int] = {}

    def number(key: tuple[Any, ...]) -> int:
        return numbers.setdefault(tuple(key[at] for at in chosen), len(numbers))

    if "block" in by:
        pairs = zip(of_key.tolist(), blocks.tolist(), strict=True)
        groups = numpy.array([number((*keys[at], block)) for at, block in pairs], dtype=numpy.int64)
    else:
        groups = numpy.array([number(key) for key in keys], dtype=numpy.int64)[of_key]
    return _split_groups(add_cells([SumsCells((groups << BLOCK_BITS) | blocks, cells.values)]), list(numbers))


def _split_groups(cells: SumsCells, keys: Sequence[Keys]) -> dict[Keys, BlockRows]:
    groups, blocks = cells.numbers >> BLOCK_BITS, cells.numbers & BLOCK_MASK
    ends = numpy.searchsorted(groups, numpy.arange(len(keys) + 1)).tolist()
    return {
        key: BlockRows(tuple(blocks[first:end].tolist()), cells.values[first:end])
        for key, first, end in zip(keys, ends, ends[1:], strict=False)
        if end > first
    }


def _key_order(keys: Keys) -> tuple[Any, ...]:
    """The sort key of a row's keys: enums in the order of their definition, texts and numbers in their usual order."""
    return tuple(list(type(key)).index(key) if isinstance(key, Enum) else key for key in keys)
