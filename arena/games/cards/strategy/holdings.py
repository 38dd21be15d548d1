"""What seats hold: the viewer's cards, everybody's money, and estimates of the others' hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from arena.games.cards.answers import legal
from arena.games.cards.answers.seat import layout_of, table_of
from arena.games.cards.cards import CARD_ID, CARDS, COLOR_ID, COLORS, SUIT_KINDS, WILD, Card, Color
from arena.games.cards.moves import Lead
from arena.games.cards.rules import Rules
from arena.games.cards.views import CardsView
from arena.games.contract import State


def playable(view: CardsView, rules: Rules) -> tuple[Card, ...]:
    """The cards in hand that could be played in this round, in card order (C3.2): those of its colour (move cards only
    while there is something to move) and wild ones. Empty before the lead."""
    if view.color is None:
        return ()
    movable = legal.can_shift(table_of(view, rules))
    return tuple(card for card in suit(view.hand, view.color) if movable or not card.moves)


def suit(hand: Iterable[Card], color: Color) -> tuple[Card, ...]:
    """The cards that can be played in a round of ``color``: those of the colour and wild ones, in the given order."""
    return tuple(card for card in hand if card.color is color or card.color is None)


def leads(view: CardsView) -> tuple[Lead, ...]:
    """The cards the viewer could lead, each kind once, in card order (C3.1); empty where it must name a colour."""
    return tuple(Lead(card) for card in dict.fromkeys(view.hand) if card.worth)


def still_in(view: CardsView) -> tuple[int, ...]:
    """The seats that are still in, ascending (C3.4)."""
    return tuple(seat for seat, turned in enumerate(view.passes) if turned < 2)


def until_round(view: CardsView) -> Callable[[State], bool]:
    """A function for the ``until`` of a rollout: it says whether the round of this view has been settled."""
    settled = len(view.ledger)

    def is_reached(state: Any) -> bool:
        return len(state.ledger) > settled

    return is_reached


def wealth(view: CardsView, rules: Rules) -> list[int]:
    """Everybody's money by seat: the start money and what every settlement brought (C5.3)."""
    money = [rules.start_money] * view.players
    for deal in view.ledger:
        for seat, amount in enumerate(deal.amounts):
            money[seat] += amount
    return money


def unseen(view: CardsView, rules: Rules) -> dict[Card, int]:
    """How many cards of each kind the viewer does not see: those that are not in its hand, on the table, or among the
    discards laid face up since the last shuffle. They are in other hands, in the deck, or were discarded face down
    (C6.2)."""
    return dict(zip(CARDS, _unseen_counts(view, rules), strict=True))


def _unseen_counts(view: CardsView, rules: Rules) -> list[int]:
    """:func:`unseen` by kind."""
    counts = list(layout_of(rules, view.players).counts)
    for card in view.hand:
        counts[CARD_ID[card]] -= 1
    for card in view.centre:
        counts[CARD_ID[card]] -= 1
    for front in view.fronts:
        for card in front:
            counts[CARD_ID[card]] -= 1
    for kind, shown in enumerate(view.discards):
        counts[kind] -= shown
    return counts


def expected_cards(view: CardsView, rules: Rules, color: Color) -> list[float]:
    """How many cards that can be played in a round of ``color``, wild ones included, each seat is expected to hold: for
    other seats the hand size times the fraction of such cards among all unseen ones, for the viewer the actual
    number."""
    counts, first = _unseen_counts(view, rules), SUIT_KINDS * COLOR_ID[color]
    fitting = sum(counts[first : first + SUIT_KINDS]) + counts[WILD]
    rate = fitting / max(1, sum(counts))
    found = [size * rate for size in view.hand_sizes]
    found[view.seat] = len(suit(view.hand, color))
    return found


def strength(hand: Iterable[Card], color: Color, weigh: Callable[[Card], float]) -> float:
    """What a hand can do in a round of ``color``: the sum of ``weigh`` over its playable cards."""
    return sum(weigh(card) for card in suit(hand, color))


def best_color(hand: Iterable[Card], weigh: Callable[[Card], float]) -> Color:
    """The colour of greatest :func:`strength`; of equal ones the first in card order."""
    cards = tuple(hand)
    return max(COLORS, key=lambda color: strength(cards, color, weigh))


def weakest(hand: Iterable[Card], most: int, weigh: Callable[[Card], float], below: float) -> tuple[Card, ...]:
    """At most ``most`` cards whose weight by ``weigh`` is below ``below``, lightest first: for ``discard``."""
    light = sorted((weigh(card), index, card) for index, card in enumerate(hand) if weigh(card) < below)
    return tuple(card for _, _, card in light[:most])
