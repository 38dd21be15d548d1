"""Waits while the others show their cards, and plays its own when few are left who could answer."""

from __future__ import annotations

from arena.games.cards import (
    AcceptAnswer,
    AcceptView,
    Card,
    CardsBot,
    CardsView,
    LeadAnswer,
    LeadView,
    NameColor,
    Pass,
    Play,
    PlayAnswer,
    PlayView,
    Request,
    Want,
)
from arena.games.cards.strategy import (
    Choice,
    Outlook,
    as_play,
    best_color,
    choices,
    granted,
    leads,
    next_shift,
    outlook,
    still_in,
    wealth,
)

ORDER = {"value": 0, "move": 1, "reverse": 2, "pota": 3}
"""What it would rather part with first while it waits."""


class Closer(CardsBot):
    """It takes the first pass at once, for the card. Then it waits: a turn is filled with the card that matters least,
    until at most ``few`` others are still in. Only then it plays for money, POTAs last of all, where nobody can take
    them away. It offers no bargain, but grants a Boss what it would do without much regret, a value card or a pass: a
    token is a share that nobody can take away either. It leads a small card, and throws none away."""

    def __init__(self, few: int = 1) -> None:
        self.few = few

    def gain(self, view: CardsView, found: Outlook) -> float:
        """What it would receive more than the others on average, in $, if the round ended so."""
        return found.lead_of(view.seat, wealth(view, self.rules))

    def lead(self, view: LeadView) -> LeadAnswer:
        small = min(leads(view), key=lambda lead: abs(lead.card.worth), default=None)
        return small or NameColor(best_color(view.hand, lambda card: 1.0))

    def play(self, view: PlayView) -> PlayAnswer:
        def worth(found: Outlook) -> float:
            return self.gain(view, found)

        if view.moving is not None:
            return next_shift(view, self.rules, worth)
        found = choices(view, self.rules, worth)
        if view.bound is None and not view.passes[view.seat]:
            return Pass()
        if len(still_in(view)) - 1 > self.few and view.bound is None:
            return as_play(min(found, key=lambda choice: self.waste(view, choice)).action)
        return as_play(max(found, key=lambda choice: worth(choice.outlook) - self.regret(choice)).action)

    def accept(self, view: AcceptView) -> AcceptAnswer:
        offer = view.bargain.offer
        if not isinstance(offer, Request) or offer.want in (Want.POTA, Want.REVERSE):
            return False  # as the Boss it keeps its tokens; as a seat, the cards that decide a round
        now = self.gain(view, outlook(view, self.rules))
        options = granted(view, self.rules, lambda found: self.gain(view, found))
        return any(self.gain(view, choice.outlook) > now for choice in options)

    def waste(self, view: PlayView, choice: Choice) -> tuple[int, float]:
        """How little it likes to wait with this: to go out least of all."""
        action = choice.action
        if not isinstance(action, Play):
            return 9, 0.0
        return ORDER[kind_of(action.card)], -self.gain(view, choice.outlook)

    def regret(self, choice: Choice) -> float:
        """Going out, it can do nothing any more."""
        return 1.0 if isinstance(choice.action, Pass) else 0.0


def kind_of(card: Card) -> str:
    """Value, move, reverse or POTA card."""
    return "pota" if card.is_pota else "reverse" if card.is_reverse else "move" if card.moves else "value"
