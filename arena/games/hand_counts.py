"""Hands as counts: cards of a kind are interchangeable, so a hand is a ``bytes`` of counts, indexed by kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


ONE_COUNT = ONE_KIND = tuple([bytes([count]) for count in range(256)])
"""Each count, or kind, as ``bytes`` of one: what hands and piles are put together from."""


@lru_cache(maxsize=16384)
def hand_size(counts: bytes) -> int:
    """The number of cards in a hand."""
    return sum(counts)


@lru_cache(maxsize=16384)
def count_tuple(counts: bytes) -> tuple[int, ...]:
    """The counts as a tuple of numbers."""
    return tuple(counts)


def change_count(counts: bytes, kind: int, by: int) -> bytes:
    """``counts`` with ``by`` more cards of ``kind`` (negative: fewer). Raises ValueError for fewer cards than none."""
    count = counts[kind] + by
    if count < 0:
        raise ValueError(f"{counts[kind]} cards of a kind cannot become {count}")
    return counts[:kind] + ONE_COUNT[count] + counts[kind + 1 :]


@lru_cache(maxsize=16384)
def change_few(counts: bytes, kind: int, by: int) -> bytes:
    """As :func:`change_count`, for counts of few kinds, which recur again and again; hands do not."""
    return change_count(counts, kind, by)


def shuffle_counts(counts: Iterable[int], rng: Random) -> bytes:
    """The kind of each card, in an order drawn uniformly with ``rng``. Quicker than ``rng.shuffle``."""
    draw = rng.random
    cards = [kind for kind, count in enumerate(counts) for _ in range(count)]
    cards.sort(key=lambda _: draw())
    return bytes(cards)


def lay_out(counts: bytes) -> bytes:
    """The kind of each card, in kind order; the inverse of :func:`tally_cards`."""
    return b"".join(map(mul, ONE_KIND, counts))


def put_in_order(cards: bytes, order: Iterable[int]) -> bytes:
    """The cards at the places that ``order`` names."""
    return bytes(map(cards.__getitem__, order))


def tally_cards(cards: bytes, kinds: int) -> bytes:
    """The counts by kind (``kinds`` of them) of cards given one by one as kinds."""
    return bytes(map(cards.count, range(kinds)))


def add_counts(one: bytes, other: bytes) -> bytes:
    """Add two hands, card by card."""
    return bytes(map(int.__add__, one, other))


def take_counts(wanted: Sequence[int], available: list[int], most: int) -> bytes:
    """Take the ``wanted`` cards out of the ``available`` ones, as far as they are there, and at most ``most`` of them.
    Returns the counts of those taken."""
    taken = bytearray(len(available))
    for kind, count in enumerate(wanted):
        count = min(count, available[kind], most)
        if count > 0:
            taken[kind] = count
            available[kind] -= count
            most -= count
    return bytes(taken)
