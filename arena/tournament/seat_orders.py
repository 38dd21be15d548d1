"""The orders in which the entrants of one table take its seats.

Turns go round the table, so a seat's place and its neighbours matter. A scheme lists seat orders that even this out
over the matches of one block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import permutations
from math import factorial, isqrt

from arena.errors import UserError
from arena.tournament.computed import Computed

FEWEST_SEATS = 2


class SeatOrders(StrEnum):
    """The schemes, with the number of matches that a table of k plays in each block. ``rotations`` and ``all`` exist
    for every k from 2; ``balanced`` for 4, 6 and prime k."""

    ROTATIONS = "rotations"
    """k: the table turned round. Everybody sits in every seat once, but neighbours never change."""

    BALANCED = "balanced"
    """k(k-1): in addition every ordered pair sits at every distance round the table equally often."""

    ALL = "all"
    """k!: every order there is."""

    LISTED = "listed"
    """1: the order in which a list of matches names the entrants; for the format `list` alone."""


_PATHS = {
    4: ((0, 1, 2), (0, 1, 2), (0, 2, 1), (0, 2, 1)),
    6: (
        (0, 1, 2, 3, 4),
        (0, 1, 4, 3, 2),
        (0, 2, 4, 1, 3),
        (0, 3, 1, 4, 2),
        (0, 4, 1, 3, 2),
        (0, 4, 3, 1, 2),
    ),
}
"""For an even k, k orders of 0…k-2 whose differences modulo k-1, taken over all of them, hold every
number but 0 equally often: between neighbours and at every other distance. Found by exhaustive search."""


class Permutations(Computed):
    """All orders of 0…k-1, lexicographically; computed when needed."""

    def __init__(self, k: int) -> None:
        self.k = k

    def __len__(self) -> int:
        return factorial(self.k)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return permutations(range(self.k))

    def item(self, index: int) -> tuple[int, ...]:
        rest, left, order = index, list(range(self.k)), []
        for others in range(self.k - 1, -1, -1):
            place, rest = divmod(rest, factorial(others))
            order.append(left.pop(place))
        return tuple(order)

    def place(self, item: tuple[int, ...]) -> int | None:
        left, number = list(range(self.k)), 0
        if sorted(item) != left:
            return None
        for each in item:
            number = number * len(left) + left.index(each)
            left.remove(each)
        return number


@cache
def seat_orders(scheme: SeatOrders, seats: int) -> Sequence[tuple[int, ...]]:
    """The orders of ``scheme``, all different: ``order[seat]`` is an entrant's place in its table, 0…k-1.

    Raises UserError for a table of one, and for a number of seats for which no balanced orders are known.
    """
    if seats < FEWEST_SEATS:
        raise UserError(f"expected a table of at least {FEWEST_SEATS} seats, got {seats}")
    match scheme:
        case SeatOrders.ROTATIONS:
            return tuple(tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats))
        case SeatOrders.BALANCED if seats in _PATHS:
            return _developed(_PATHS[seats])
        case SeatOrders.BALANCED if all(seats % divisor for divisor in range(2, isqrt(seats) + 1)):
            return _affine(seats)
        case SeatOrders.BALANCED:
            problem = f"no balanced orders of {seats} seats are known here, only of 4, 6 and prime numbers"
            raise UserError(f"{problem}; take {SeatOrders.ROTATIONS} or {SeatOrders.ALL}")
        case SeatOrders.ALL:
            return Permutations(seats)
        case SeatOrders.LISTED:
            return (tuple(range(seats)),)


@cache
def order_places(scheme: SeatOrders, seats: int) -> Callable[[tuple[int, ...]], int | None]:
    """Gives the index of an order among the :func:`seat_orders`, or None where the scheme has no such order."""
    orders = seat_orders(scheme, seats)
    if isinstance(orders, Computed):
        return orders.place
    return {order: place for place, order in enumerate(orders)}.get


def _affine(k: int) -> tuple[tuple[int, ...], ...]:
    """Balanced orders for a prime k: all maps ``seat → a*seat + b`` modulo k with a ≠ 0.

    Any two entrants are sent to any two seats by exactly one of them, so every pair meets at every
    distance equally often. No set is smaller: n orders give each of k(k-1) ordered pairs n/(k-1)
    neighbourhoods and each entrant n/k turns in a seat, so n is a multiple of k(k-1).
    """
    return tuple(tuple((a * seat + b) % k for seat in range(k)) for a in range(1, k) for b in range(k))


def _developed(paths: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Balanced orders for an even k, as few as `_affine` (same bound), by developing ``paths`` modulo k-1.

    Path number s gives the orders in which entrant k-1 sits in seat s, with the path following it
    round the table and 0…k-2 added to every number of the path. Entrant k-1 so takes each seat k-1
    times, and in each other seat every entrant appears once for each path. (The method of differences of
    R. C. Bose, Annals of Eugenics 9, 1939. A decomposition into directed Hamiltonian cycles, each used
    in all its rotations, would need more: T. W. Tillson, J. Combin. Theory B 29, 1980, pp. 68-74, proves that
    there is none for k = 4 and k = 6 that covers each arc once.)
    """
    modulus = len(paths) - 1
    orders = []
    for seat, path in enumerate(paths):
        for shift in range(modulus):
            cycle = [modulus, *((place + shift) % modulus for place in path)]
            orders.append(tuple(cycle[(at - seat) % len(cycle)] for at in range(len(cycle))))
    return tuple(orders)
