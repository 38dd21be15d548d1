"""What a seat's memory of a match says of hidden cards: its own discards and cards that were proposed (C4.2, C6.2), and
the colour that a Boss has led."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from arena.games.cards.cards import CARD_ID, CARD_KINDS, COLOR_ID, COLORS, SUIT_KINDS
from arena.games.cards.events import Discarded, Dropped, Led, Played, Proposed, Reshuffled, RoundBegan
from arena.games.cards.moves import Pass
from arena.games.cards.state import State
from arena.games.contract import Event

LEANING = 0.5
"""How much a Boss leans to lead the colour of which it holds more cards: with each card more it is e**0.5 times as
likely. An estimate, on which nothing but weights depends."""


class Knowledge:
    """What the events ``seen`` by a seat say: by seat the cards known to be in its ``hands``, as counts by kind; of the
    seat's own cards those that it has ``discarded`` face down since the last shuffle; and of this round the seat that
    ``led`` a card (None: none did), the ``color`` and the cards that this seat has ``spent`` since."""

    def __init__(self, players: int, seen: Sequence[Event]) -> None:
        self.hands = [[0] * CARD_KINDS for _ in range(players)]
        self.discarded = [0] * CARD_KINDS
        self.led: int | None = None
        self.color = 0
        self.spent = [0] * CARD_KINDS
        for event in seen:
            self._follow(event)

    def likelihood(self, state: State, viewer: int) -> float:
        """How likely it is that the Boss leads this colour with the hand that it has in ``state``."""
        if self.led is None or self.led == viewer:
            return 1.0
        hand = list(map(int.__add__, state.hands[self.led], self.spent))
        suits = [sum(hand[SUIT_KINDS * color : SUIT_KINDS * (color + 1)]) for color in range(len(COLORS))]
        return exp(LEANING * suits[self.color]) / sum(exp(LEANING * count) for count in suits)

    def _follow(self, event: Event) -> None:
        match event:
            case RoundBegan():
                self.led, self.spent = None, [0] * CARD_KINDS
            case Led():
                color = event.card.color
                assert color is not None
                self.led, self.color = event.seat, COLOR_ID[color]
                self._spend(event.seat, CARD_ID[event.card])
            case Proposed() if not isinstance(event.action, Pass):
                kind = CARD_ID[event.action.card]
                self.hands[event.seat][kind] = max(1, self.hands[event.seat][kind])
            case Played() | Dropped():
                self._spend(event.seat, CARD_ID[event.card])
            case Discarded():  # of the others' cards nobody knows which are left
                self.hands[event.seat] = [0] * CARD_KINDS
                for card in event.cards:
                    self.discarded[CARD_ID[card]] += 1
            case Reshuffled():
                self.discarded = [0] * CARD_KINDS
            case _:
                pass

    def _spend(self, seat: int, kind: int) -> None:
        self.hands[seat][kind] = max(0, self.hands[seat][kind] - 1)
        if seat == self.led:
            self.spent[kind] += 1
