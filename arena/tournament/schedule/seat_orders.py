"""The orders in which the entrants of one table take its seats.

Turns go round the table, so a seat's place and its neighbours matter. A scheme lists seat orders that even this out
over the matches of one block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import permutations, product
from math import factorial, isqrt

from arena.errors import UserError
from arena.tournament.computed_sequence import ComputedSequence

FEWEST_SEATS = 2


class SeatOrders(StrEnum):
    """The schemes, with the number of matches that a table of k plays in each block. All but ``balanced`` exist for
    every k from 2."""

    ROTATIONS = "rotations"
    """k: the table turned round. Everybody sits in every seat once, but neighbours never change."""

    WILLIAMS = "williams"
    """k for even k, 2k for odd: everybody sits in every seat equally often, and comes directly behind everybody else
    equally often, counted from seat 0 to the last and not from there round to seat 0."""

    BALANCED = "balanced"
    """Every ordered pair sits in every ordered pair of seats equally often: k(k-1) for prime k and for 4, and
    k(k-1)(k-2)/2 for other k that are one more than a prime, such as 60 for 6."""

    ALL = "all"
    """k!: every order there is."""

    LISTED = "listed"
    """1: the order in which a list of matches names the entrants; for the format `list` alone."""


class Permutations(ComputedSequence):
    """All orders of 0…k-1, lexicographically; computed when needed."""

    def __init__(self, k: int) -> None:
        self.k = k

    def __len__(self) -> int:
        return factorial(self.k)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return permutations(range(self.k))

    def tuple_at(self, index: int) -> tuple[int, ...]:
        rest, left, order = index, list(range(self.k)), []
        for others in range(self.k - 1, -1, -1):
            place, rest = divmod(rest, factorial(others))
            order.append(left.pop(place))
        return tuple(order)

    def index_of(self, item: tuple[int, ...]) -> int | None:
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
        case SeatOrders.WILLIAMS:
            return _williams(seats)
        case SeatOrders.BALANCED if _is_prime(seats):
            return _affine(seats)
        case SeatOrders.BALANCED if _is_prime(seats - 1):
            return _projective(seats - 1)
        case SeatOrders.BALANCED:
            problem = f"there are no balanced orders of {seats} seats, only of prime numbers and of primes plus one"
            raise UserError(f"{problem}; take {SeatOrders.ROTATIONS}, {SeatOrders.WILLIAMS} or {SeatOrders.ALL}")
        case SeatOrders.ALL:
            return Permutations(seats)
        case SeatOrders.LISTED:
            return (tuple(range(seats)),)


@cache
def order_places(scheme: SeatOrders, seats: int) -> Callable[[tuple[int, ...]], int | None]:
    """Gives the index of an order among the :func:`seat_orders`, or None where the scheme has no such order."""
    orders = seat_orders(scheme, seats)
    if isinstance(orders, ComputedSequence):
        return orders.index_of
    return {order: place for place, order in enumerate(orders)}.get


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def _williams(k: int) -> tuple[tuple[int, ...], ...]:
    """The rows 0, 1, k-1, 2, k-2, … and its shifts modulo k; for odd k also all of these read backwards (E. J.
    Williams, Australian Journal of Scientific Research A 2, 1949). The steps of the first row are all different."""
    zigzag = [(place + 1) // 2 if place % 2 else (k - place // 2) % k for place in range(k)]
    rows = [tuple((each + shift) % k for each in zigzag) for shift in range(k)]
    return tuple(rows + [row[::-1] for row in rows] if k % 2 else rows)


def _affine(p: int) -> tuple[tuple[int, ...], ...]:
    """Balanced orders for a prime p: all maps ``seat → a*seat + b`` modulo p with a ≠ 0. Exactly one of them sends two
    given seats to two given entrants, so no set is smaller."""
    return tuple(tuple((a * seat + b) % p for seat in range(p)) for a in range(1, p) for b in range(p))


def _projective(p: int) -> tuple[tuple[int, ...], ...]:
    """Balanced orders of p+1 seats for an odd prime p: the group PSL(2, p) on the projective line, whose points are 0,
    1, …, p-1 and infinity, here p. It is all maps ``x → (a*x + b) / (c*x + d)`` modulo p in which a*d - b*c is a square
    other than 0; equally many of them send two given seats to any two entrants (P. J. Cameron, Permutation Groups,
    1999). For p = 3 these are the 12 even permutations of four seats, the fewest there can be."""
    inverse = {x: pow(x, -1, p) for x in range(1, p)}

    def image(a: int, b: int, c: int, d: int, x: int) -> int:
        above, below = (a, c) if x == p else ((a * x + b) % p, (c * x + d) % p)
        return above * inverse[below] % p if below else p

    # a map can be scaled until a*d - b*c is 1, if that is a square at all
    maps = {
        tuple(image(a, b, c, d, x) for x in range(p + 1))
        for a, b, c, d in product(range(p), repeat=4)
        if (a * d - b * c) % p == 1
    }
    return tuple(sorted(maps))
