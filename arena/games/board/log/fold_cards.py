"""Follows the influence cards through events: hands, laid clan cards, both piles (B1.2)."""

from __future__ import annotations

from collections.abc import Iterable

from arena.games.board.cards import CARD_ID, CARD_KINDS, CARDS, CLAN, FAMILIES, FAMILY_ID, Card, Family


class FoldedCards:
    """The cards of one match. ``hands`` are counts by kind, None where only the size is known; ``laid`` are counts by
    family; ``owed`` is how many cards of the current draw were taken before the discard pile was shuffled (B3.2)."""

    def __init__(self, cards: int, players: int, seat: int | None) -> None:
        self.hands = [bytearray(CARD_KINDS) if seat in (None, each) else None for each in range(players)]
        self.sizes = [0] * players
        self.laid = [bytearray(len(FAMILIES)) for _ in range(players)]
        self.discards = bytearray(CARD_KINDS)
        self.pile = cards
        self.owed = 0

    def draw(self, seat: int, count: int, cards: tuple[Card, ...]) -> None:
        """Move ``count`` cards from the draw pile to a hand; ``cards`` are their kinds, as far as known."""
        if self.hands[seat] is not None and len(cards) != count:
            raise ValueError(f"{count} cards drawn by seat {seat}, {len(cards)} named: a log as another seat sees it")
        if not 0 <= count - self.owed <= self.pile:
            raise ValueError(f"{count} cards drawn, {self.owed + self.pile} lie on the draw pile")
        self.pile -= count - self.owed
        self.owed = 0
        self.sizes[seat] += count
        hand = self.hands[seat]
        if hand is not None:
            for card in cards:
                hand[CARD_ID[card]] += 1

    def reshuffle(self, count: int) -> None:
        """Make the discard pile, of ``count`` cards, the draw pile. The cards left in the draw pile have already been
        drawn; the event of that draw follows."""
        if count != sum(self.discards):
            raise ValueError(f"{count} cards shuffled, {sum(self.discards)} lie on the discard pile")
        self.owed, self.pile = self.pile, count
        self.discards = bytearray(CARD_KINDS)

    def spend(self, seat: int, kind: int, number: int = 1) -> None:
        """Remove cards of a kind from a hand."""
        hand = self.hands[seat]
        if hand is not None:
            remove(hand, kind, number)
        elif self.sizes[seat] < number:
            raise ValueError(f"{number} × {CARDS[kind]} of seat {seat}, which holds {self.sizes[seat]} cards")
        self.sizes[seat] -= number

    def discard(self, seat: int, kind: int, number: int = 1) -> None:
        """Move cards of a kind from a hand to the discard pile."""
        self.spend(seat, kind, number)
        self.discards[kind] += number

    def lay(self, seat: int, clans: Iterable[Family]) -> None:
        """Move clan cards from a hand to the table (B5.1)."""
        for family in clans:
            self.spend(seat, CLAN + FAMILY_ID[family])
            self.laid[seat][FAMILY_ID[family]] += 1

    def take_back(self, seat: int, clans: Iterable[Family]) -> None:
        """Move clan cards from the table back to a hand (B6.1)."""
        hand = self.hands[seat]
        for family in clans:
            remove(self.laid[seat], FAMILY_ID[family])
            self.sizes[seat] += 1
            if hand is not None:
                hand[CLAN + FAMILY_ID[family]] += 1

    def discard_laid(self, seat: int, family: Family) -> None:
        """Move a clan card from the table to the discard pile (B5.2, B6.1)."""
        remove(self.laid[seat], FAMILY_ID[family])
        self.discards[CLAN + FAMILY_ID[family]] += 1


def remove(counts: bytearray, kind: int, number: int = 1) -> None:
    """Reduce the count of ``kind`` by ``number``. Raises ValueError if it is smaller than that."""
    if counts[kind] < number:
        raise ValueError(f"{number} × {CARDS[kind]} taken away where {counts[kind]} lie")
    counts[kind] -= number
