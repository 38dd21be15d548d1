"""Families and influence cards (B1.1, B1.2).

Cards of a kind are interchangeable: a hand is a ``bytes`` of 16 counts indexed by kind, in the order
of B1.2 (clan by family, travel by family, wild travel, recruitment, boss, stop). Families are
numbered 0…5 in the order of B1.1; a set of families is a mask of 6 bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache


class Family(StrEnum):
    """An investor clan, by its canonical colour (B1.1)."""

    RED = "red"
    YELLOW = "yellow"
    BLUE = "blue"
    MAGENTA = "magenta"
    ORANGE = "orange"
    GREEN = "green"


class Card(StrEnum):
    """A kind of influence card (B1.2), in kind order."""

    CLAN_RED = "clan red"
    CLAN_YELLOW = "clan yellow"
    CLAN_BLUE = "clan blue"
    CLAN_MAGENTA = "clan magenta"
    CLAN_ORANGE = "clan orange"
    CLAN_GREEN = "clan green"
    TRAVEL_RED = "travel red"
    TRAVEL_YELLOW = "travel yellow"
    TRAVEL_BLUE = "travel blue"
    TRAVEL_MAGENTA = "travel magenta"
    TRAVEL_ORANGE = "travel orange"
    TRAVEL_GREEN = "travel green"
    TRAVEL_WILD = "travel wild"
    RECRUITMENT = "recruitment"
    BOSS = "boss"
    STOP = "stop"

    @property
    def family(self) -> Family | None:
        """The family of a clan or travel card; None for the others."""
        kind = CARD_ID[self]
        return FAMILIES[kind % TRAVEL] if kind < WILD else None


FAMILIES: tuple[Family, ...] = tuple(Family)
FAMILY_ID: dict[Family, int] = {family: index for index, family in enumerate(FAMILIES)}
CARDS: tuple[Card, ...] = tuple(Card)
CARD_ID: dict[Card, int] = {card: index for index, card in enumerate(CARDS)}

CLAN, TRAVEL, WILD, RECRUITMENT, BOSS, STOP = 0, 6, 12, 13, 14, 15
CARD_KINDS = 16
NO_CARDS = bytes(CARD_KINDS)
NO_CLANS = bytes(6)

CLAN_CARDS: dict[Family, Card] = {family: CARDS[CLAN + index] for index, family in enumerate(FAMILIES)}
TRAVEL_CARDS: dict[Family, Card] = {family: CARDS[TRAVEL + index] for index, family in enumerate(FAMILIES)}


@lru_cache(maxsize=65536)
def list_cards(counts: bytes) -> tuple[Card, ...]:
    """The cards of a hand one by one, in kind order; ``counts`` are by kind."""
    return tuple([CARDS[kind] for kind, count in enumerate(counts) if count for _ in range(count)])


@lru_cache(maxsize=1024)
def clans_listed(counts: bytes) -> tuple[Family, ...]:
    """The families of clan cards one by one, in family order; ``counts`` are by family."""
    return tuple(FAMILIES[family] for family, count in enumerate(counts) for _ in range(count))


def count_cards(cards: tuple[Card, ...]) -> bytes:
    """The counts of a list of cards; the inverse of :func:`list_cards`."""
    result = bytearray(CARD_KINDS)
    for kind in map(CARD_ID.__getitem__, cards):
        result[kind] += 1
    return bytes(result)


def clans_counted(families: tuple[Family, ...]) -> bytes:
    """The counts of a list of families; the inverse of :func:`clans_listed`."""
    result = bytearray(6)
    for index in map(FAMILY_ID.__getitem__, families):
        result[index] += 1
    return bytes(result)


@lru_cache(maxsize=64)
def families_in(mask: int) -> tuple[Family, ...]:
    """The families of a mask, in family order."""
    return tuple(family for index, family in enumerate(FAMILIES) if mask >> index & 1)


def mask_of(families: Iterable[Family]) -> int:
    """The mask of some families."""
    mask = 0
    for family in families:
        mask |= 1 << FAMILY_ID[family]
    return mask
