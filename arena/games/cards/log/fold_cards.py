"""Where the deal cards are, followed from events: hands, the centre, the fronts, the deck and the discard pile (C1)."""

from __future__ import annotations

from arena.games.cards.cards import CARD_ID, CARD_KINDS, Card

CENTRE_PLACE = -1
"""The place of the centre; the places in front of seats are the seats' numbers."""


class FoldedCards:
    """The cards of one match, as counts by kind. ``hands`` are None where only the size is known; ``lying`` maps the
    places of the table to what lies there; ``face_up`` and ``face_down`` are the discards whose kinds are known;
    ``owed`` is how many cards of a draw were taken before the discard pile was shuffled (C6.4)."""

    def __init__(self, deck: int, players: int, seat: int | None) -> None:
        self.hands = [bytearray(CARD_KINDS) if seat in (None, each) else None for each in range(players)]
        self.sizes = [0] * players
        self.lying = {place: bytearray(CARD_KINDS) for place in range(CENTRE_PLACE, players)}
        self.discarded = 0
        self.face_up, self.face_down = bytearray(CARD_KINDS), bytearray(CARD_KINDS)
        self.deck = deck
        self.owed = 0

    def draw(self, seat: int, count: int, cards: tuple[Card, ...]) -> None:
        """Cards of the deck go to a hand."""
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
        """An X leaves the deck (C6.3)."""
        if not self.deck:
            raise ValueError("an X drawn from an empty deck")
        self.deck -= 1

    def reshuffle(self, count: int, third_x: bool) -> None:
        """The discard pile becomes the deck. The cards left in the deck have already been drawn; their event
        follows."""
        if count != self.discarded + third_x:
            raise ValueError(f"{count} cards shuffled, {self.discarded} lie on the discard pile")
        self.owed, self.deck = self.deck, count
        self.discarded = 0
        self.face_up, self.face_down = bytearray(CARD_KINDS), bytearray(CARD_KINDS)

    def spend(self, seat: int, card: Card) -> None:
        """From a hand."""
        hand = self.hands[seat]
        if hand is not None:
            remove(hand, card)
        elif not self.sizes[seat]:
            raise ValueError(f"{card} of seat {seat}, which holds no cards")
        self.sizes[seat] -= 1

    def play(self, seat: int, card: Card, place: int) -> None:
        """From a hand to a place of the table."""
        self.spend(seat, card)
        self.lying[place][CARD_ID[card]] += 1

    def shift(self, card: Card, source: int, to: int | None) -> None:
        """From one place of the table to another, or to the discard pile (None)."""
        remove(self.lying[source], card)
        if to is None:
            self.discard(card)
        else:
            self.lying[to][CARD_ID[card]] += 1

    def discard(self, card: Card) -> None:
        """Face up onto the discard pile."""
        self.discarded += 1
        self.face_up[CARD_ID[card]] += 1

    def discard_face_down(self, seat: int, count: int, cards: tuple[Card, ...]) -> None:
        """From a hand face down onto the discard pile (C6.2)."""
        hand = self.hands[seat]
        if self.sizes[seat] < count or (hand is not None and len(cards) != count):
            raise ValueError(f"{count} cards discarded by seat {seat} of {self.sizes[seat]}, {len(cards)} named")
        self.sizes[seat] -= count
        self.discarded += count
        if hand is not None:
            for card in cards:
                remove(hand, card)
                self.face_down[CARD_ID[card]] += 1

    def clear(self) -> None:
        """Everything on the table goes onto the discard pile (C6.1)."""
        for lying in self.lying.values():
            for kind, count in enumerate(lying):
                self.face_up[kind] += count
                self.discarded += count
            lying[:] = bytes(CARD_KINDS)


def remove(counts: bytearray, card: Card) -> None:
    """Take a card away. Raises ValueError where none lies there."""
    if not counts[CARD_ID[card]]:
        raise ValueError(f"{card} taken away where none lies")
    counts[CARD_ID[card]] -= 1
