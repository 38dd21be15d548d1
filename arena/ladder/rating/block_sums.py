"""Money per match and share of opponents beaten, for each version, with intervals clustered by block."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy

from arena.ratings.order_columns import Numbers, RatingMatches, RatingTables
from arena.tournament.inference.intervals import Estimate, clustered_mean


class BlockMeans(NamedTuple):
    """The means of a version: ``money`` per match, the share of opponents ``beaten`` (equal ranks half, as in
    :func:`arena.tournament.measures.measures.beaten_shares`), and its numbers of ``matches`` and ``blocks``."""

    money: Estimate
    beaten: Estimate
    matches: int
    blocks: int


class _Cells(NamedTuple):
    """A row for each version and block, ordered by version: the version's number, its matches there, and their sums."""

    version: Numbers
    matches: Numbers
    money: Numbers
    beaten: Numbers


def means_by_block(matches: RatingMatches, names: Collection[str]) -> dict[str, BlockMeans]:
    """Return the means of each of ``names`` that has played. Sums of whole numbers are exact, so the order of the
    matches changes nothing."""
    wanted = numpy.array([name in names for name in matches.names], dtype=bool)
    cells = _sum_cells(matches, wanted)
    starts = numpy.searchsorted(cells.version, numpy.arange(len(matches.names) + 1)).tolist()
    return {
        matches.names[at]: _block_means(cells, slice(starts[at], starts[at + 1]))
        for at in numpy.flatnonzero(wanted).tolist()
    }


def plain_means(matches: RatingMatches, money: bool) -> dict[str, float]:
    """Return everybody's mean without interval: of ``money``, or of the share of opponents beaten."""
    size = len(matches.names)
    totals, counts = numpy.zeros(size), matches.match_counts()
    for tables in matches.tables:
        told = tables.money if money else _beaten_opponents(tables) / (2 * (tables.players - 1))
        totals += numpy.bincount(tables.entrants.ravel(), told.ravel(), minlength=size)
    return dict(zip(matches.names, (totals / numpy.maximum(counts, 1)).tolist(), strict=True))


def _block_means(cells: _Cells, here: slice) -> BlockMeans:
    counts = cells.matches[here].tolist()
    money = clustered_mean(zip(cells.money[here].tolist(), counts, strict=True))
    beaten = clustered_mean(zip(cells.beaten[here].tolist(), counts, strict=True), share=True)
    return BlockMeans(money, beaten, sum(counts), len(counts))


def _sum_cells(matches: RatingMatches, wanted: Numbers) -> _Cells:
    """Return the sums of the ``wanted`` versions, collected from the tables of every size."""
    keys, counts, money, beaten = [], [], [], []
    for tables in matches.tables:
        rows = wanted[tables.entrants].ravel()
        key = (tables.entrants.astype(numpy.int64) * matches.blocks + tables.block[:, None]).ravel()[rows]
        order = numpy.argsort(key, kind="stable")
        key = key[order]
        first = numpy.flatnonzero(numpy.concatenate(([True], key[1:] != key[:-1]))) if len(key) else order
        keys.append(key[first])
        counts.append(numpy.diff(numpy.append(first, len(key))))
        money.append(_group_sums(tables.money.ravel()[rows][order], first))
        beaten.append(_group_sums(_beaten_opponents(tables).ravel()[rows][order], first) / (2 * (tables.players - 1)))
    if not keys:
        nothing = numpy.zeros(0)
        return _Cells(nothing, nothing, nothing, nothing)
    found = numpy.concatenate(keys)
    order = numpy.argsort(found, kind="stable")
    columns = (numpy.concatenate(each)[order] for each in (counts, money, beaten))
    return _Cells(found[order] // max(matches.blocks, 1), *columns)


def _group_sums(values: Numbers, first: Numbers) -> Numbers:
    return numpy.add.reduceat(values, first) if len(first) else numpy.zeros(0)


def _beaten_opponents(tables: RatingTables) -> Numbers:
    """For each seat of each match two for every opponent who ranks worse, and one for every equal one."""
    found = numpy.zeros(tables.ranks.shape, dtype=numpy.int32)
    for other in range(tables.players):
        theirs = tables.ranks[:, other : other + 1]
        found += (tables.ranks < theirs) * numpy.int32(2) + (tables.ranks == theirs)
    return found - 1
