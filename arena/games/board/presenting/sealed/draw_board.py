"""Draws a new board of an edition: names, spaces, deal cards and deck, within bounds; all other rules stay."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arena.games.board.presenting.sealed.draw_spaces import draw_spaces
from arena.games.board.presenting.sealed.family_names import invent_names
from arena.games.board.rules import Deck, Rules
from arena.games.chance import Chance
from arena.games.presenting import RedrawnRules, SteadyFigure

DECK_CHANGES = {"clan": 1, "travel": 1, "wild_travel": 1, "recruitment": 4, "boss": 2, "stop": 2}
"""How many cards of a kind there may be more, or fewer, than in the edition."""
END_SHIFT = 1
"""By how many deal cards the end of the match may come earlier, or later (B7.3)."""


def draw_board(rules: Rules, chance: Chance) -> Rules:
    """The rules of an edition with a new board. Chance alone decides it, so the same chance gives the same board."""
    return msgspec.structs.replace(
        rules,
        names=invent_names(chance),
        spaces=draw_spaces(rules.spaces, chance),
        deals=_draw_deals(rules.deals, chance),
        end_rolls=_draw_end_rolls(rules, chance),
        deck=_draw_deck(rules.deck, chance),
    )


def _draw_deals(deals: Mapping[int, int], chance: Chance) -> dict[int, int]:
    """What a dividend is worth under each deal card: up to $1M more or less than in the edition, at least $1M, and
    never less than under the card before."""
    worth = [max(1, deals[card] - 1 + chance.below(3, "dividend value", card)) for card in sorted(deals)]
    return dict(zip(sorted(deals), sorted(worth), strict=True))


def _draw_end_rolls(rules: Rules, chance: Chance) -> dict[int, tuple[int, ...]]:
    shift = chance.below(2 * END_SHIFT + 1, "end of the match") - END_SHIFT
    return {card + shift: faces for card, faces in rules.end_rolls.items() if card + shift in rules.deals}


def _draw_deck(deck: Deck, chance: Chance) -> Deck:
    """The deck; of a kind that the edition has, at least one card stays."""
    counts = {}
    for kind, most in DECK_CHANGES.items():
        number = getattr(deck, kind)
        changed = number - most + chance.below(2 * most + 1, f"cards: {kind}")
        counts[kind] = max(1, changed) if number else 0
    return Deck(**counts)


BOARD_REDRAWN = RedrawnRules(
    draw_board,
    (
        SteadyFigure("deals closed a match", "closed", (), 0.25),
        SteadyFigure("share of deals closed", "closed", ("closed", "failed"), 0.15),
    ),
)
"""New boards, and how far play on one may be from play on the edition's."""
