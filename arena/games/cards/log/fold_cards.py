"""Follows the deal cards through events: hands, the centre, the fronts, the deck and the discard pile (C1)."""

from __future__ import annotations

from arena.games.cards.cards import CARD_ID, CARD_KINDS, Card

CENTRE_PLACE = -1
"""The number of the centre as a place on the table; in front of a seat the place is the seat's number."""


class FoldedCards:
    """The cards of one match, as counts by kind. ``hands`` are None where only the size is known; ``lying`` has the
    cards at each place on the table; ``face_up`` and ``face_down`` are the discards whose kinds are known; ``owed`` is
    how many cards of the current draw were taken before the discard pile was shuffled (C6.4)."""

    def __init__(self, deck: int, players: int, seat: int | None) -> None:
        self.hands = [bytearray(CARD_KINDS) if seat in (None, each) else None for each in range(players)]
        self.sizes = [0] * players
        self.lying = {place: bytearray(CARD_KINDS) for place in range(CENTRE_PLACE, players)}
        self.discarded = 0
        self.face_up, self.face_down = bytearray(CARD_KINDS), bytearray(CARD_KINDS)
        self.deck = deck
        self.owed = 0

    def draw(self, seat: int, count: int, cards: tuple[Card, ...]) -> None:
        """Move ``count`` cards from the deck to a hand; ``cards`` are their kinds, as far as known."""
        hand = self.hands[seat]
        if hand is not None and len(cards) != count:
            raise ValueError(f"{count} cards drawn by seat {seat}, {len(cards)} named: a log as another seat sees it")
        if not 0 <= count - self.owed <= self.deck:
            raise ValueError(f"{count} cards drawn, {self.owed + self.deck} are in the deck")
        self.deck -= count - self.owed
        self.owed = 0
        self.sizes[seat] += count
        if hand is not None:
            for card in cards:
                hand[CARD_ID[card]] += 1

    def open_x(self) -> None:
        """Remove an X from the deck (C6.3)."""
        if not self.deck:
            raise ValueError("an X drawn from an empty deck")
        self.deck -= 1

    def reshuffle(self, count: int, third_x: bool) -> None:
        """Make the discard pile, of ``count`` cards, the deck. The cards left in the deck have already been drawn; the
        event of that draw follows."""
        if count != self.discarded + third_x:
            raise ValueError(f"{count} cards shuffled, {self.discarded} lie on the discard pile")
        self.owed, self.deck = self.deck, count
        self.discarded = 0
        self.face_up, self.face_down = bytearray(CARD_KINDS), bytearray(CARD_KINDS)

    def spend(self, seat: int, card: Card) -> None:
        """Remove a card from a hand."""
        hand = self.hands[seat]
        if hand is not None:
            remove(hand, card)
        elif not self.sizes[seat]:
            raise ValueError(f"{card} of seat {seat}, which holds no cards")
        self.sizes[seat] -= 1

    def play(self, seat: int, card: Card, place: int) -> None:
        """Move a card from a hand to a place on the table."""
        self.spend(seat, card)
        self.lying[place][CARD_ID[card]] += 1

    def shift(self, card: Card, source: int, to: int | None) -> None:
        """Move a card from one place on the table to another, or to the discard pile (None)."""
        remove(self.lying[source], card)
        if to is None:
            self.discard(card)
        else:
            self.lying[to][CARD_ID[card]] += 1

    def discard(self, card: Card) -> None:
        """Add a card to the discard pile, face up."""
        self.discarded += 1
        self.face_up[CARD_ID[card]] += 1

    def discard_face_down(self, seat: int, count: int, cards: tuple[Card, ...]) -> None:
        """Move ``count`` cards from a hand to the discard pile, face down (C6.2)."""
        hand = self.hands[seat]
        if self.sizes[seat] < count or (hand is not None and len(cards) != count):
            raise ValueError(f"{count} cards discarded by seat {seat} of {self.sizes[seat]}, {len(cards)} named")
        self.sizes[seat] -= count
        self.discarded += count
        if hand is not None:
            for card in cards:
                remove(hand, card)
                self.face_down[CARD_ID[card]] += 1

    def clear_table(self) -> None:
        """Move all cards on the table to the discard pile (C6.1)."""
        for lying in self.lying.values():
            for kind, count in enumerate(lying):
                self.face_up[kind] += count
                self.discarded += count
            lying[:] = bytes(CARD_KINDS)


def remove(counts: bytearray, card: Card) -> None:
    """Reduce the count of ``card`` by one. Raises ValueError if it is 0."""
    if not counts[CARD_ID[card]]:
        raise ValueError(f"{card} taken away where none lies")
    counts[CARD_ID[card]] -= 1
