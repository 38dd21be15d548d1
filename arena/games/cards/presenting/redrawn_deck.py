"""Draws a new deck of an edition of the card game, and what a point is worth, within bounds; all other rules stay."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arena.games.cards.rules import Deck, Rules
from arena.games.chance import Chance
from arena.games.presenting import RedrawnRules, SteadyFigure

DECK_CHANGES = {"reverse": 1, "pota": 2, "wild_pota": 2}
"""How many cards of a kind there may be more, or fewer, than in the edition: of each colour, wild ones altogether."""
FACTOR_CHANGE = 1
"""By how much the value of a point in $ may change (C5.1)."""


def draw_deck(rules: Rules, chance: Chance) -> Rules:
    """The rules of an edition with a new deck. Chance alone decides it, so the same chance gives the same deck."""
    deck = rules.deck
    counts = {kind: _draw_number(getattr(deck, kind), most, chance, kind) for kind, most in DECK_CHANGES.items()}
    drawn = Deck(
        positive=_draw_values(deck.positive, chance, "positive"),
        negative=_draw_values(deck.negative, chance, "negative"),
        move=_draw_values(deck.move, chance, "move"),
        x=deck.x,
        **counts,
    )
    return msgspec.structs.replace(
        rules, deck=drawn, factor=_draw_number(rules.factor, FACTOR_CHANGE, chance, "factor")
    )


def _draw_values(numbers: Mapping[int, int], chance: Chance, kind: str) -> dict[int, int]:
    """How many cards of each value there are: up to one more or fewer."""
    return {value: _draw_number(numbers[value], 1, chance, kind, value) for value in sorted(numbers)}


def _draw_number(number: int, most: int, chance: Chance, kind: str, *value: int) -> int:
    """A number up to ``most`` away; of what the edition has, at least one stays, and what it lacks, stays away."""
    changed = number - most + chance.below(2 * most + 1, f"cards: {kind}", *value)
    return max(1, changed) if number else 0


CARDS_REDRAWN = RedrawnRules(
    draw_deck,
    (
        SteadyFigure("Cousins a match", "cousined", (), 0.25),
        SteadyFigure("share of proposals accepted", "granted", ("proposals",), 0.25),
    ),
)
"""New decks, and how far play with one may be from play with the edition's."""
