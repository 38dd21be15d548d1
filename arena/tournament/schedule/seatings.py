"""The tables of a block in all their seat orders, as one sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.tournament.computed_sequence import ComputedSequence
from arena.tournament.schedule.seat_orders import SeatOrders, order_places, seat_orders


class Seatings:
    """The entrants of each match in seat order, by table and then seat order. Tables of a :class:`ComputedSequence` are
    not stored."""

    def __init__(self, tables: Sequence[tuple[int, ...]], orders: SeatOrders, seats: int) -> None:
        self._tables = tables
        self._orders, self._order_place = seat_orders(orders, seats), order_places(orders, seats)
        self._places: dict[tuple[int, ...], list[int]] = {}
        if not isinstance(tables, ComputedSequence):
            for place, table in enumerate(tables):
                self._places.setdefault(tuple(sorted(table)), []).append(place)

    def __len__(self) -> int:
        return len(self._tables) * len(self._orders)

    def __getitem__(self, index: int) -> tuple[int, ...]:
        table, order = divmod(index, len(self._orders))
        return _seat_table(self._tables[table], self._orders[order])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (_seat_table(table, order) for table in self._tables for order in self._orders)

    def find(self, entrants: tuple[int, ...]) -> int | None:
        """The index of the match with these entrants in seat order; None if no table seats them like this."""
        for place in self._with_members(tuple(sorted(entrants))):
            table = self._tables[place]
            order = self._order_place(tuple(map(table.index, entrants)))
            if order is not None:
                return place * len(self._orders) + order
        return None

    def _with_members(self, members: tuple[int, ...]) -> Sequence[int]:
        """The tables with exactly these entrants."""
        if not isinstance(self._tables, ComputedSequence):
            return self._places.get(members, ())
        place = self._tables.index_of(members)
        return () if place is None else (place,)


def _seat_table(table: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(table[place] for place in order)
