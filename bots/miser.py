"""Keeps everything for itself: no token given, none asked for, and every POTA in front of its own seat."""

from __future__ import annotations

from arena.games.cards import (
    Card,
    CardsBot,
    CardsView,
    Discard,
    DiscardAnswer,
    DiscardView,
    LeadAnswer,
    LeadView,
    NameColor,
    Pass,
    PlayAnswer,
    PlayView,
)
from arena.games.cards.strategy import Outlook, as_play, best_color, choices, leads, next_shift, outlook, weakest


class Miser(CardsBot):
    """It counts its own money and looks at nobody else's: with shares it makes the deal large, without any it lets the
    others play, and a card that brings less than ``least`` $ stays in its hand. It never bargains."""

    def __init__(self, least: int = 10) -> None:
        self.least = least

    def gain(self, view: CardsView, found: Outlook) -> float:
        """What it would receive, in $; a share of a deal that is worth nothing yet counts a little."""
        return found.receives(view.seat) + self.least * found.stake(view.seat) + found.value / 100

    def lead(self, view: LeadView) -> LeadAnswer:
        rich = max(leads(view), key=lambda lead: lead.card.worth, default=None)
        return rich or NameColor(best_color(view.hand, self.weigh))

    def play(self, view: PlayView) -> PlayAnswer:
        def worth(found: Outlook) -> float:
            return self.gain(view, found)

        if view.moving is not None:
            return next_shift(view, self.rules, worth)
        best = max(choices(view, self.rules, worth), key=lambda choice: worth(choice.outlook))
        stay = worth(best.outlook) >= worth(outlook(view, self.rules)) + self.least
        return as_play(best.action) if stay else Pass()

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return Discard(weakest(view.hand, view.most, self.weigh, 1.0))

    def weigh(self, card: Card) -> float:
        """What a card is worth keeping."""
        return 5.0 if card.is_pota else 2.0 if card.is_reverse or card.moves else card.worth
