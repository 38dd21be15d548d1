"""Orders of finish, cut where components end, and grouped by the places at which ranks are shared.

Entrants of different components (:mod:`arena.ratings.connected`) say nothing about each other's worth, so each
component has an order of its own in a match. An entrant without opponents of its component says nothing, and is left
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from arena.ratings.order_columns import Numbers, RatingMatches, RatingTables


@dataclass(frozen=True, slots=True)
class FinishOrders:
    """Orders of finish of equal length, a row each, sorted by block. ``tied`` says for each place but the last whether
    it shares its rank with the next. ``worths`` are the indices of the parameters whose sum is the log-worth of each
    place: that of its entrant and, with effects of seats, that of its seat."""

    tied: tuple[bool, ...]
    worths: tuple[Numbers, ...]
    block: Numbers

    def select_rows(self, chosen: slice) -> FinishOrders:
        """Some of the rows."""
        return FinishOrders(self.tied, tuple(column[chosen] for column in self.worths), self.block[chosen])

    def groups(self) -> list[range]:
        """The places that share each rank, the best first."""
        ends = [at + 1 for at, tied in enumerate(self.tied) if not tied] + [len(self.tied) + 1]
        return [range(first, end) for first, end in zip([0, *ends], ends, strict=False)]


def finish_orders(
    matches: RatingMatches, component: Numbers, seats: Sequence[int | None], nothing: int
) -> list[FinishOrders]:
    """All orders of finish in these matches. ``component`` has the component of each entrant. ``seats`` has for each
    group the index of the parameter of its seat 0, which those of its other seats follow, or None if its seats have no
    effect; then they have the index ``nothing``."""
    found: dict[tuple[bool, ...], list[FinishOrders]] = {}
    with_seats = any(first is not None for first in seats)
    for tables in matches.tables:
        rows = [
            numpy.full(tables.players, nothing) if first is None else first + numpy.arange(tables.players)
            for first in seats
        ]
        for each in _table_orders(tables, component, numpy.array(rows) if with_seats else None):
            found.setdefault(each.tied, []).append(each)
    return [_join_orders(found[tied]) for tied in sorted(found, key=lambda tied: (len(tied), tied))]


def _table_orders(tables: RatingTables, component: Numbers, seats: Numbers | None) -> Iterator[FinishOrders]:
    """The orders at tables of one size, in groups in which ranks and components break at the same places."""
    components = component[tables.entrants]
    order = numpy.lexsort((tables.ranks, components), axis=1)
    entrants, ranks, components = (
        numpy.take_along_axis(column, order, axis=1) for column in (tables.entrants, tables.ranks, components)
    )
    at_seats = order if seats is None else seats[tables.group[:, None], order]
    new_component = components[:, 1:] != components[:, :-1]
    tied = ~new_component & (ranks[:, 1:] == ranks[:, :-1])
    bits = 1 << numpy.arange(tables.players - 1)
    patterns = (new_component @ bits) << tables.players | tied @ bits
    for pattern in numpy.unique(patterns).tolist():
        rows = numpy.flatnonzero(patterns == pattern)
        ends = [at + 1 for at in range(tables.players - 1) if pattern >> tables.players >> at & 1]
        for first, end in zip([0, *ends], [*ends, tables.players], strict=True):
            if end - first > 1:
                worths = [entrants[rows, first:end]]
                if seats is not None:
                    worths.append(at_seats[rows, first:end])
                flags = tuple(bool(pattern >> at & 1) for at in range(first, end - 1))
                yield FinishOrders(flags, tuple(worths), tables.block[rows])


def _join_orders(parts: Sequence[FinishOrders]) -> FinishOrders:
    """All rows of these orders, which share ranks at the same places, sorted by block."""
    block = numpy.concatenate([each.block for each in parts])
    order = numpy.argsort(block, kind="stable")
    columns = zip(*(each.worths for each in parts), strict=True)
    worths = tuple(numpy.concatenate(column)[order].astype(numpy.int32) for column in columns)
    return FinishOrders(parts[0].tied, worths, block[order])
