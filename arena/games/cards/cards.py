"""Colours and deal cards (C1).

Cards of a colour, kind and value are interchangeable (C1.3): a hand is a ``bytes`` of 40 counts, indexed by kind in
card order: blue, green, red, each with positive, negative, reverse, POTA and move cards, ascending; then the wild POTA.
A colour's part of it is its *suit*, 13 counts. X cards (number 40) are in the deck only, never in a hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from itertools import chain, compress, repeat


class Color(StrEnum):
    """A colour of deal cards (C1.1)."""

    BLUE = "blue"
    GREEN = "green"
    RED = "red"


class Card(StrEnum):
    """A kind of card, in card order (C1.3)."""

    BLUE_PLUS_1 = "blue +1"
    BLUE_PLUS_2 = "blue +2"
    BLUE_PLUS_3 = "blue +3"
    BLUE_PLUS_4 = "blue +4"
    BLUE_MINUS_5 = "blue -5"
    BLUE_MINUS_4 = "blue -4"
    BLUE_MINUS_3 = "blue -3"
    BLUE_MINUS_2 = "blue -2"
    BLUE_REVERSE = "blue reverse"
    BLUE_POTA = "blue pota"
    BLUE_MOVE_1 = "blue move 1"
    BLUE_MOVE_2 = "blue move 2"
    BLUE_MOVE_3 = "blue move 3"
    GREEN_PLUS_1 = "green +1"
    GREEN_PLUS_2 = "green +2"
    GREEN_PLUS_3 = "green +3"
    GREEN_PLUS_4 = "green +4"
    GREEN_MINUS_5 = "green -5"
    GREEN_MINUS_4 = "green -4"
    GREEN_MINUS_3 = "green -3"
    GREEN_MINUS_2 = "green -2"
    GREEN_REVERSE = "green reverse"
    GREEN_POTA = "green pota"
    GREEN_MOVE_1 = "green move 1"
    GREEN_MOVE_2 = "green move 2"
    GREEN_MOVE_3 = "green move 3"
    RED_PLUS_1 = "red +1"
    RED_PLUS_2 = "red +2"
    RED_PLUS_3 = "red +3"
    RED_PLUS_4 = "red +4"
    RED_MINUS_5 = "red -5"
    RED_MINUS_4 = "red -4"
    RED_MINUS_3 = "red -3"
    RED_MINUS_2 = "red -2"
    RED_REVERSE = "red reverse"
    RED_POTA = "red pota"
    RED_MOVE_1 = "red move 1"
    RED_MOVE_2 = "red move 2"
    RED_MOVE_3 = "red move 3"
    WILD_POTA = "wild pota"

    __hash__ = str.__hash__  # Enum's own is written in Python, and cards are looked up at every move

    @property
    def color(self) -> Color | None:
        """The card's colour; None for the wild POTA."""
        kind = CARD_ID[self]
        return COLORS[kind // SUIT_KINDS] if kind < WILD else None

    @property
    def worth(self) -> int:
        """What the card adds to the centre: 1 to 4, -2 to -5, or 0 for a card without a value."""
        return CARD_WORTH[CARD_ID[self]]

    @property
    def moves(self) -> int:
        """How many moves the card allows (C3.3): 1 to 3, or 0 if it is not a move card."""
        return CARD_MOVES[CARD_ID[self]]

    @property
    def is_pota(self) -> bool:
        """Whether it is a piece of the action (POTA), of a colour or wild."""
        return self is Card.WILD_POTA or CARD_ID[self] % SUIT_KINDS == POTA

    @property
    def is_reverse(self) -> bool:
        """Whether it is a reverse card."""
        return self is not Card.WILD_POTA and CARD_ID[self] % SUIT_KINDS == REVERSE


COLORS: tuple[Color, ...] = tuple(Color)
COLOR_ID: dict[Color, int] = {color: index for index, color in enumerate(COLORS)}
CARDS: tuple[Card, ...] = tuple(Card)
CARD_ID: dict[Card, int] = {card: index for index, card in enumerate(CARDS)}

SUIT_VALUES: tuple[int, ...] = (1, 2, 3, 4, -5, -4, -3, -2)
"""The values of a suit's first eight kinds, in card order."""
REVERSE, POTA, MOVE = 8, 9, 10
SUIT_KINDS = 13
"""Kinds in a suit: eight values, reverse, POTA, move 1 to 3."""
WILD = 3 * SUIT_KINDS
CARD_KINDS = WILD + 1
X = CARD_KINDS
CARD_WORTH: tuple[int, ...] = (*(SUIT_VALUES + (0,) * 5) * 3, 0)
"""What a card adds to the centre, by kind; 0 for a card without a value."""
CARD_MOVES: tuple[int, ...] = (*((0,) * MOVE + (1, 2, 3)) * 3, 0)
"""How many moves a card allows (C3.3), by kind; 0 if it is not a move card."""
NO_CARDS = bytes(CARD_KINDS)
ZERO, ZERO_AND_ONE = bytes((0,)), bytes((0, 1))
NO_VALUES = bytes(REVERSE)
NO_FRONT = bytes(3)
"""In front of a seat lie reverse, POTA and wild POTA cards: three counts, in this order."""


def list_cards(counts: bytes) -> tuple[Card, ...]:
    """The cards of a hand one by one, in card order."""
    kinds = tuple(compress(CARDS, counts))
    if counts.translate(None, ZERO_AND_ONE):  # some kind is there more than once
        return tuple(chain.from_iterable(map(repeat, kinds, counts.translate(None, ZERO))))
    return kinds


def count_cards(cards: Iterable[Card]) -> bytes:
    """The counts of a list of cards; the inverse of :func:`list_cards`."""
    result = bytearray(CARD_KINDS)
    for kind in map(CARD_ID.__getitem__, cards):
        result[kind] += 1
    return bytes(result)


@lru_cache(maxsize=65536)
def present_mask(counts: bytes) -> int:
    """The mask of the kinds with at least one card."""
    return sum(1 << kind for kind, count in enumerate(counts) if count)


SUITS = range(0, WILD, SUIT_KINDS)
"""Where each colour's 13 counts begin in a hand."""


@lru_cache(maxsize=4096)
def centre_listed(color: int, centre: bytes) -> tuple[Card, ...]:
    """The cards in the centre (counts by value) one by one, in card order."""
    return tuple(CARDS[SUIT_KINDS * color + place] for place, count in enumerate(centre) for _ in range(count))


def front_kind(color: int, place: int) -> int:
    """The kind of the cards at ``place`` of a front: 0 reverse, 1 POTA, 2 wild POTA."""
    return WILD if place == 2 else SUIT_KINDS * color + REVERSE + place


FRONT_PLACES: tuple[int | None, ...] = (*((None,) * REVERSE + (0, 1) + (None,) * 3) * 3, 2)
"""The place in a front, by kind; None for a kind that never lies in front of a seat."""


@lru_cache(maxsize=4096)
def front_listed(color: int, front: bytes) -> tuple[Card, ...]:
    """The cards in front of a seat one by one, in card order."""
    return tuple(CARDS[front_kind(color, place)] for place, count in enumerate(front) for _ in range(count))


@lru_cache(maxsize=16384)
def fronts_listed(color: int, fronts: tuple[bytes, ...]) -> tuple[tuple[Card, ...], ...]:
    """The cards in front of every seat, by seat."""
    return tuple(front_listed(color, front) for front in fronts)


@lru_cache(maxsize=4096)
def centre_total(centre: bytes) -> int:
    """The sum of the values in the centre."""
    return sum(value * count for value, count in zip(SUIT_VALUES, centre, strict=True))


@lru_cache(maxsize=64)
def seats_in(mask: int) -> tuple[int, ...]:
    """The seats in a mask, ascending."""
    return tuple(seat for seat in range(6) if mask >> seat & 1)
