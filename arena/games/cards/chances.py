"""What chance could have brought instead in the card game: the first Boss, and every card drawn (C2, C3.4, C6.2, C6.3).

The features are numbers that should correlate with money still to come. Each card is weighted by the multiplier times
the number of rounds to come, the current round included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import mul
from typing import ClassVar

from arena.games.cards import events
from arena.games.cards.answers.seat import layout_of
from arena.games.cards.cards import CARD_ID, CARD_KINDS, MOVE, POTA, REVERSE, SUIT_KINDS, SUIT_VALUES, WILD, Card, X
from arena.games.cards.rules import BASE_MULTIPLIER, Layout, Rules
from arena.games.chances import ChanceEvent, Gain
from arena.games.contract import Chanced, Event

FIRST_BOSSES = tuple(f"first Boss {place} seats before" for place in range(6))
CARDS_OF = (
    *("points of positive", "points of negative", "reverse", "POTA", "wild POTA", "moves"),
    *("best color's points", "best color's POTA"),
)
FEATURES = (*FIRST_BOSSES, *CARDS_OF, "rounds multiplied")
PLUS_FEATURE, MINUS_FEATURE, REVERSE_FEATURE, POTA_FEATURE, WILD_FEATURE, MOVE_FEATURE, BEST_FEATURE, SHARE_FEATURE = (
    FEATURES.index(each) for each in CARDS_OF
)
MULTIPLIED_FEATURE = FEATURES.index("rounds multiplied")
COLOR_NUMBERS = range(3)


class Pile:
    """A deck as it was shuffled: its ``order``, the index of the ``next`` card, and the counts by kind of the cards
    left, without X cards. ``halves`` are the ranges of positions in each of which one X is equally likely to lie
    anywhere (C2.3); None for a deck that was shuffled as a whole (C6.4)."""

    def __init__(self, order: Sequence[int], halves: Sequence[range] | None) -> None:
        self.order, self.halves = order, halves
        self.next = 0
        self.counts = bytearray(CARD_KINDS)
        for kind in order:
            if kind != X:
                self.counts[kind] += 1
        self.exes = sum(kind == X for kind in order)

    def kind_counts(self) -> list[int]:
        """The number of equally likely ways in which the next card is of each kind; the last entry is for an X."""
        if self.halves is None:
            return [*self.counts, self.exes]
        half = next((half for half in self.halves if self.next in half), None)
        if half is None or X not in self.order[self.next : half.stop]:
            return [*self.counts, 0]
        places, cards = half.stop - self.next, sum(self.counts)
        return [*((places - 1) * count for count in self.counts), max(1, cards)]

    def take(self) -> int:
        """Remove the next card and return its kind."""
        kind = self.order[self.next]
        self.next += 1
        if kind == X:
            self.exes -= 1
        else:
            self.counts[kind] -= 1
        return kind


class CardsChances:
    """Follows one match, as :class:`arena.games.contract.Chances` describes. ``told`` are the kinds of the cards of the
    current draw that have already been reported, before the event of the draw, because an X came after them."""

    features: ClassVar[tuple[str, ...]] = FEATURES

    def __init__(self, rules: Rules, players: int) -> None:
        self.layout: Layout = layout_of(rules, players)
        self.players = players
        self.hands = [bytearray(CARD_KINDS) for _ in range(players)]
        self.piles: list[Pile] = []
        self.told: list[int] = []
        self.round, self.playing = 0, False
        self.multiplier = BASE_MULTIPLIER

    def follow(self, event: Event) -> Iterator[ChanceEvent]:
        """Apply ``event``; yield the random events that it decides. Raises ValueError if it cannot happen now."""
        match event:
            case Chanced("boss", _, int(boss)):
                yield self._first(boss)
            case Chanced("deck", (number,), tuple(value)):
                order = [X if card == "x" else CARD_ID[Card(str(card))] for card in value]
                self.piles.append(Pile(order, None if number else self._halves(len(order))))
            case events.XOpened(seat):
                yield from self._draw(seat, None)
                self.multiplier += 1
            case events.Drew(seat, count, cards):
                yield from self._draw(seat, count)
                if sorted(self.told) != sorted(CARD_ID[card] for card in cards):
                    raise ValueError(f"seat {seat} drew other cards than lay on the deck")
                self.told = []
            case events.RoundBegan(number):
                self.round, self.playing = number, True
            case events.Settled():
                self.playing = False
            case events.Led(seat, card) | events.Played(seat, card) | events.Dropped(seat, card):
                self.hands[seat][CARD_ID[card]] -= 1
            case events.Discarded(seat, _, cards):
                for card in cards:
                    self.hands[seat][CARD_ID[card]] -= 1
            case _:
                pass

    def _first(self, boss: int) -> ChanceEvent:
        players = self.players
        gains = [[Gain(seat, (seat - first) % players, 1.0) for seat in range(players)] for first in range(players)]
        return ChanceEvent("first Boss", (1,) * players, gains, boss)

    def _halves(self, cards: int) -> list[range]:
        """The ranges of positions in which the X cards lie in the first deck, which has ``cards`` cards (C2.3)."""
        exes = min(2, self.layout.rules.deck.x)
        dealt = self.players * self.layout.hand
        border = dealt + (cards - exes - dealt) // 2 + (exes > 0)
        return [range(dealt, border), range(border, cards)][:exes]

    def _draw(self, seat: int, count: int | None) -> Iterator[ChanceEvent]:
        """A random event for each next card of the deck, until the draw has ``count`` cards, or up to an X (None)."""
        while count is None or len(self.told) < count:
            while self.piles and self.piles[0].next == len(self.piles[0].order):
                del self.piles[0]
            if not self.piles:
                raise ValueError(f"seat {seat} draws from an empty deck")
            pile = self.piles[0]
            ways = pile.kind_counts()
            kind = pile.take()
            yield ChanceEvent("card", ways, self._outcomes(seat, ways), kind)
            if kind == X:
                if count is not None:
                    raise ValueError(f"seat {seat} draws an X that is not laid open")
                return
            self.hands[seat][kind] += 1
            self.told.append(kind)

    def _outcomes(self, seat: int, ways: Sequence[int]) -> list[list[Gain]]:
        """By kind of card, what it adds to the features of the drawing seat; an X adds to those of all seats."""
        left = self.layout.rounds - self.round + self.playing
        weight = float(self.multiplier * left)
        hand = self.hands[seat]
        points = [sum(map(mul, _suit(hand, color), SUIT_VALUES[:4])) for color in COLOR_NUMBERS]
        potas = [_suit(hand, color)[POTA] for color in COLOR_NUMBERS]
        found = [
            [Gain(seat, feature, amount * weight) for feature, amount in _hand_features(kind, points, potas)]
            if count
            else []
            for kind, count in enumerate(ways[:X])
        ]
        found.append([Gain(each, MULTIPLIED_FEATURE, float(left)) for each in range(self.players)])
        return found


def _hand_features(kind: int, points: Sequence[int], potas: Sequence[int]) -> list[tuple[int, int]]:
    """What a card adds to a hand, as pairs (feature, amount); ``points`` and ``potas`` in hand are by colour."""
    if kind == WILD:
        return [(WILD_FEATURE, 1)]
    color, place = divmod(kind, SUIT_KINDS)
    if place >= MOVE:
        return [(MOVE_FEATURE, place - MOVE + 1)]
    if place == POTA:
        return [(POTA_FEATURE, 1), (SHARE_FEATURE, int(potas[color] == max(potas)))]
    if place == REVERSE:
        return [(REVERSE_FEATURE, 1)]
    value = SUIT_VALUES[place]
    if value < 0:
        return [(MINUS_FEATURE, -value)]
    return [(PLUS_FEATURE, value), (BEST_FEATURE, max(0, points[color] + value - max(points)))]


def _suit(hand: bytearray, color: int) -> bytearray:
    return hand[SUIT_KINDS * color : SUIT_KINDS * color + SUIT_KINDS]
