"""Measures of concession in the board game: the exponent of a course of prices, and how concessions are answered."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, log, pow

from arena.games.board.presenting.ledger.bargaining_measures import Cells
from arena.games.board.presenting.ledger.ticks import Asked
from arena.ledger.figure import MILLION, SeatRole, seat_role

MOST_LOG_BETA = 3.0
"""The greatest size of a fitted ln β: prices that all change at once, at either end, fit any greater one as well."""
FIRST_STEP, LAST_STEP = 0.25, 1e-7
"""The first and the last step of the search for ln β."""

Prices = Mapping[Asked, Mapping[int, int]]
Point = tuple[float, float]


def add_exponents(cells: Cells, names: Sequence[str], best: Prices) -> None:
    """Add the exponents of a match's courses of prices to the sums; ``names`` are the entrants by seat."""
    for (_, boss, by, *_), prices in best.items():
        found = fit_log_beta(list(prices.items()), rises=by == boss)
        if found is not None:
            cell = cells[names[by], seat_role(by, boss)]
            cell.fitted += 1
            cell.log_beta += round(found * MILLION)


def fit_log_beta(course: Sequence[tuple[int, int]], rises: bool) -> float | None:
    """The natural logarithm of β for which p(t) = p0 + (p1 - p0) * t^(1/β) fits best (P. Faratin, C. Sierra and N. R.
    Jennings, Robotics and Autonomous Systems 24, 1998), in -3…3.

    ``course`` are ticks with prices, of which a concession ``rises`` or falls; p0 is the first price, p1 the last, and
    t the part of the ticks between them that has passed. None for fewer than three prices, and if the last is no
    concession over the first.
    """
    if len(course) < 3:
        return None
    (start, first), (end, last) = course[0], course[-1]
    if first == last or (last > first) is not rises:
        return None
    points = [((tick - start) / (end - start), (price - first) / (last - first)) for tick, price in course[1:-1]]
    if len(points) == 1 and 0 < points[0][1] < 1:  # one price between the ends is met exactly
        ((time, part),) = points
        return min(max(log(log(time) / log(part)), -MOST_LOG_BETA), MOST_LOG_BETA)
    return _search_log_beta(points)


def _search_log_beta(points: Sequence[Point]) -> float:
    """The ln β with the smallest sum of squares: the best on a grid, then improved in ever smaller steps."""
    half = round(MOST_LOG_BETA / FIRST_STEP)
    error, found = min((_squared_error(points, at * FIRST_STEP), at * FIRST_STEP) for at in range(-half, half + 1))
    step = FIRST_STEP / 2
    while step > LAST_STEP:
        for other in (max(found - step, -MOST_LOG_BETA), min(found + step, MOST_LOG_BETA)):
            if (missed := _squared_error(points, other)) < error:
                error, found = missed, other
        step /= 2
    return found


def _squared_error(points: Sequence[Point], log_beta: float) -> float:
    exponent = exp(-log_beta)
    return sum((part - pow(time, exponent)) ** 2 for time, part in points)


def add_reciprocity(cells: Cells, names: Sequence[str], best: Prices) -> None:
    """Add how a match's seats answered concessions to the sums; ``names`` are the entrants by seat."""
    replies: dict[tuple[str, SeatRole], list[tuple[int, int]]] = {}
    for (deal, boss, by, to, placards, clans), prices in best.items():
        others = best.get((deal, boss, to, by, placards, clans))
        if others is not None:
            key = names[by], seat_role(by, boss)
            replies.setdefault(key, []).extend(concession_replies(prices, others, by == boss))
    for key, pairs in replies.items():
        size, squares, products = len(pairs), sum(x * x for x, _ in pairs), sum(x * y for x, y in pairs)
        all_x, all_y = sum(x for x, _ in pairs), sum(y for _, y in pairs)
        if size * squares > all_x * all_x:
            cell = cells[key]
            cell.replies += size
            cell.squares += _to_millionths(size * squares - all_x * all_x, size)
            cell.products += _to_millionths(size * products - all_x * all_y, size)


def concession_replies(own: Mapping[int, int], others: Mapping[int, int], rises: bool) -> list[tuple[int, int]]:
    """Each concession in a seat's ``own`` prices by tick (which ``rises`` or falls) after the other side's last
    concession in an earlier tick, as (the other's, own). Both are positive if the price got better for the receiver."""
    sign = 1 if rises else -1
    ticks = list(others)
    given = [sign * (before - after) for before, after in pairwise(others.values())]
    replies = []
    for (_, before), (tick, after) in pairwise(own.items()):
        place = bisect_left(ticks, tick) - 2  # the change to the last price of an earlier tick
        if place >= 0:
            replies.append((given[place], sign * (after - before)))
    return replies


def _to_millionths(number: int, size: int) -> int:
    """``number`` ÷ ``size`` in millionths, rounded, of a product of two numbers in millionths."""
    return (2 * number + MILLION * size) // (2 * MILLION * size)
