"""Cares about who leads: what the others would win is turned over, moved away, or made negative."""

from __future__ import annotations

from arena.games.cards import (
    AcceptAnswer,
    AcceptView,
    Card,
    CardsBot,
    CardsView,
    Discard,
    DiscardAnswer,
    DiscardView,
    Lead,
    LeadAnswer,
    LeadView,
    NameColor,
    OfferAnswer,
    OfferView,
    Pass,
    PlayAnswer,
    PlayView,
    Propose,
)
from arena.games.cards.strategy import (
    Outlook,
    accepted,
    as_play,
    best_color,
    choices,
    leads,
    next_shift,
    outlook,
    strength,
    weakest,
    wealth,
)


class Spoiler(CardsBot):
    """It wants the richest of the others to end poor, and its own money counts only ``own`` as much. Negative and
    reverse cards are its treasure. It sells the Boss its peace, a pass for a token, and breaks it later."""

    def __init__(self, own: float = 0.5) -> None:
        self.own = own

    def gain(self, view: CardsView, found: Outlook) -> float:
        """Its own money, weighed, less what the others would have at most and, a little, altogether, in $."""
        money = wealth(view, self.rules)
        amounts = found.amounts(money)
        have = [before + amount for before, amount in zip(money, amounts, strict=True)]
        mine = have.pop(view.seat)
        return self.own * mine - max(have) - 0.1 * sum(have)

    def lead(self, view: LeadView) -> LeadAnswer:
        if not leads(view):
            return NameColor(best_color(view.hand, self.weigh))
        return max(leads(view), key=lambda lead: self.start_with(view, lead))

    def start_with(self, view: LeadView, lead: Lead) -> tuple[float, int]:
        """The colour it can spoil best in, and a small card of it."""
        assert lead.card.color is not None
        return strength(view.hand, lead.card.color, self.weigh), -abs(lead.card.worth)

    def play(self, view: PlayView) -> PlayAnswer:
        def worth(found: Outlook) -> float:
            return self.gain(view, found)

        if view.moving is not None:
            return next_shift(view, self.rules, worth)
        if view.bound is None and not view.passes[view.seat]:
            return Pass()  # it lets the others build first
        return as_play(max(choices(view, self.rules, worth), key=lambda choice: worth(choice.outlook)).action)

    def offer(self, view: OfferView) -> OfferAnswer:
        peace = view.seat != view.boss and not view.passes[view.seat] and view.value > 0
        return Propose(Pass()) if peace else None

    def accept(self, view: AcceptView) -> AcceptAnswer:
        then, now = accepted(view, self.rules, view.bargain), outlook(view, self.rules)
        return len(self.legal_moves(view)) == 2 and self.gain(view, then) > self.gain(view, now)

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return Discard(weakest(view.hand, view.most, self.weigh, 1.0))

    def weigh(self, card: Card) -> float:
        """What a card is worth keeping."""
        if card.is_reverse or card.moves:
            return 4.0
        return 2.0 if card.is_pota else -card.worth if card.worth < 0 else 0.2 * card.worth
