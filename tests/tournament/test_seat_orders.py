"""Seat orders even out who sits where and, where promised, who sits next to whom."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations, product

import pytest

from arena.tournament.schedule.seat_orders import SeatOrders, seat_orders

SIZES = range(2, 7)
SCHEMES = [scheme for scheme in SeatOrders if scheme is not SeatOrders.LISTED]
EXTRA = [(SeatOrders.BALANCED, seats) for seats in (7, 8, 11, 12)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seats", SIZES)
def test_each_order_seats_everybody_once_and_none_comes_twice(scheme: SeatOrders, seats: int) -> None:
    orders = seat_orders(scheme, seats)
    assert all(sorted(order) == list(range(seats)) for order in orders)
    assert len(set(orders)) == len(orders)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seats", SIZES)
def test_everybody_sits_in_every_seat_equally_often(scheme: SeatOrders, seats: int) -> None:
    orders = seat_orders(scheme, seats)
    turns = Counter((seat, entrant) for order in orders for seat, entrant in enumerate(order))
    assert turns == {(seat, who): len(orders) // seats for seat in range(seats) for who in range(seats)}


def test_everybody_has_everybody_else_at_every_distance_to_the_left_equally_often() -> None:
    for scheme, seats in (*product([SeatOrders.BALANCED, SeatOrders.ALL], SIZES), *EXTRA):
        orders = seat_orders(scheme, seats)
        for distance in range(1, seats):
            pairs = Counter(
                (order[seat], order[(seat + distance) % seats]) for order in orders for seat in range(seats)
            )
            assert pairs == dict.fromkeys(permutations(range(seats), 2), len(orders) // (seats - 1)), (scheme, seats)


def test_every_ordered_pair_sits_in_every_ordered_pair_of_seats_equally_often() -> None:
    for scheme, seats in (*product([SeatOrders.BALANCED, SeatOrders.ALL], SIZES), *EXTRA):
        orders = seat_orders(scheme, seats)
        found = Counter(
            (one, two, order[one], order[two]) for order in orders for one, two in permutations(range(seats), 2)
        )
        pairs = list(permutations(range(seats), 2))
        times = len(orders) // len(pairs)
        assert found == {(*places, *who): times for places in pairs for who in pairs}, (scheme, seats)


@pytest.mark.parametrize("seats", range(2, 13))
def test_in_williams_orders_everybody_comes_directly_behind_everybody_else_equally_often(seats: int) -> None:
    orders = seat_orders(SeatOrders.WILLIAMS, seats)
    behind = Counter(pair for order in orders for pair in pairwise(order))
    assert behind == dict.fromkeys(permutations(range(seats), 2), len(orders) // seats)
    assert len(orders) == (2 * seats if seats % 2 else seats)


def test_rotations_leave_neighbours_as_they_are() -> None:
    assert seat_orders(SeatOrders.ROTATIONS, 3) == ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@pytest.mark.parametrize(
    ("scheme", "numbers"),
    [
        (SeatOrders.ROTATIONS, [2, 3, 4, 5, 6]),
        (SeatOrders.WILLIAMS, [2, 6, 4, 10, 6]),
        (SeatOrders.BALANCED, [2, 6, 12, 20, 60]),
        (SeatOrders.ALL, [2, 6, 24, 120, 720]),
    ],
)
def test_the_number_of_orders_is_as_documented(scheme: SeatOrders, numbers: list[int]) -> None:
    assert [len(seat_orders(scheme, seats)) for seats in SIZES] == numbers


def test_all_orders_are_listed_as_permutations_without_being_stored() -> None:
    assert list(seat_orders(SeatOrders.ALL, 4)) == list(permutations(range(4)))
    orders = seat_orders(SeatOrders.ALL, 20)
    assert (orders[0], orders[-1]) == (tuple(range(20)), tuple(range(19, -1, -1)))
    assert [seat_orders(SeatOrders.ALL, 4)[index] for index in range(24)] == list(permutations(range(4)))
    with pytest.raises(IndexError):
        seat_orders(SeatOrders.ALL, 3)[6]
