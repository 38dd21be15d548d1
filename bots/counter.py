"""Counts what lies on the table, and does what brings most at once, to itself and against the others."""

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


class Counter(CardsBot):
    """It plays as if the round ended after its turn: what it would receive more than the others on average is all that
    counts. A bargain is good when it is good by that count, and it offers the Boss none that is bad for the Boss."""

    def gain(self, view: CardsView, seat: int, found: Outlook) -> float:
        """What the seat would receive more than the others on average, in $, if the round ended so."""
        return found.lead_of(seat, wealth(view, self.rules))

    def lead(self, view: LeadView) -> LeadAnswer:
        best = max(leads(view), key=lambda lead: self.start_with(view, lead), default=None)
        return best or NameColor(best_color(view.hand, self.weigh))

    def start_with(self, view: LeadView, lead: Lead) -> tuple[float, int]:
        """The colour it holds most in, and of that the best card."""
        assert lead.card.color is not None
        return strength(view.hand, lead.card.color, self.weigh), lead.card.worth

    def play(self, view: PlayView) -> PlayAnswer:
        def worth(found: Outlook) -> float:
            return self.gain(view, view.seat, found)

        if view.moving is not None:
            return next_shift(view, self.rules, worth)
        return as_play(max(choices(view, self.rules, worth), key=lambda choice: worth(choice.outlook)).action)

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.seat == view.boss:
            return None
        now = outlook(view, self.rules)
        found = choices(view, self.rules, lambda found: self.gain(view, view.seat, found))
        sold = [choice._replace(outlook=choice.outlook.with_token(view.seat)) for choice in found]
        fair = [c for c in sold if self.gain(view, view.boss, c.outlook) > self.gain(view, view.boss, now)]
        best = max(fair, key=lambda choice: self.gain(view, view.seat, choice.outlook), default=None)
        return Propose(best.action) if best is not None else None

    def accept(self, view: AcceptView) -> AcceptAnswer:
        now, then = outlook(view, self.rules), accepted(view, self.rules, view.bargain)
        legal = len(self.legal_moves(view)) == 2
        return legal and self.gain(view, view.seat, then) > self.gain(view, view.seat, now)

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return Discard(weakest(view.hand, view.most, self.weigh, 1.0))

    def weigh(self, card: Card) -> float:
        """What a card is worth keeping."""
        return 3.0 if card.is_pota else 1.5 if card.moves or card.is_reverse else abs(card.worth) / 3
