"""Cards of a kind are interchangeable: a hand is a ``bytes`` of counts, indexed by kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


def change_count(counts: bytes, kind: int, by: int) -> bytes:
    """``counts`` with ``by`` more (or fewer, negative) of ``kind``."""
    result = bytearray(counts)
    result[kind] += by
    return bytes(result)


def shuffle_counts(counts: Iterable[int], rng: Random) -> bytes:
    """The kinds of the cards one by one, in an order drawn uniformly. Quicker than ``rng.shuffle``."""
    draw = rng.random
    cards = [kind for kind, count in enumerate(counts) for _ in range(count)]
    cards.sort(key=lambda _: draw())
    return bytes(cards)


def tally_cards(cards: bytes, kinds: int) -> bytes:
    """The counts of cards given one by one."""
    return bytes(map(cards.count, range(kinds)))
