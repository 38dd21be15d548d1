"""Makes friends with tokens: as a seat it sells the Boss what helps both, as the Boss it buys what helps it most."""

from __future__ import annotations

from arena.bot import Reply
from arena.games.cards import (
    AcceptAnswer,
    AcceptView,
    Bargain,
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
    Request,
    Want,
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
)

LIKELY = {Want.POTA: 0.5, Want.POSITIVE: 0.6, Want.NEGATIVE: 0.1, Want.REVERSE: 0.0, Want.PASS: 0.9, Want.GIFT: 0.0}
"""How often a seat can and will do what is asked of it."""


class Cousin(CardsBot):
    """The bank pays, so it thinks of what a bargain brings the two who strike it, and never of the rest. The Boss and
    its Cousins are one family to it: it adds to their deal, and wants no reverse in front of them. A bargain must
    bring it at least ``least`` $ more than none."""

    def __init__(self, least: int = 5) -> None:
        self.least = least

    def gain(self, view: CardsView, found: Outlook) -> float:
        """What it would receive, in $, if a share were worth a little more than now: deals grow. What the rest of its
        family receives counts a little, what strangers receive counts against it."""
        value = max(found.value, 20)
        stakes = found.stakes
        family = {view.boss, *view.cousins} if view.seat in (view.boss, *view.cousins) else {view.seat}
        others = [-0.3 * stake for seat, stake in enumerate(stakes) if seat not in family]
        return value * (stakes[view.seat] + sum(others))

    def lead(self, view: LeadView) -> LeadAnswer:
        best = max(leads(view), key=lambda lead: self.start_with(view, lead), default=None)
        return best or NameColor(best_color(view.hand, self.weigh))

    def start_with(self, view: LeadView, lead: Lead) -> tuple[bool, float, int]:
        """A positive card of the colour it holds most in: a deal to take part in."""
        assert lead.card.color is not None
        return lead.card.worth > 0, strength(view.hand, lead.card.color, self.weigh), lead.card.worth

    def play(self, view: PlayView) -> PlayAnswer:
        def worth(found: Outlook) -> float:
            return self.gain(view, found)

        if view.moving is not None:
            return next_shift(view, self.rules, worth)
        return as_play(max(choices(view, self.rules, worth), key=lambda choice: worth(choice.outlook)).action)

    def offer(self, view: OfferView) -> OfferAnswer:
        return self.request(view) if view.seat == view.boss else self.propose(view)

    def propose(self, view: OfferView) -> OfferAnswer:
        """The action that is best for the Boss among those that leave it better than without a token."""
        found = choices(view, self.rules, lambda found: found.receives(view.boss), drops=True)
        free = max(self.gain(view, choice.outlook) for choice in found)
        sold = [c for c in found if self.gain(view, c.outlook.with_token(view.seat)) >= free + self.least]
        best = max(sold, key=lambda choice: choice.outlook.receives(view.boss), default=None)
        return Reply(Propose(best.action), say="A token, and we both earn.") if best is not None else None

    def request(self, view: OfferView) -> OfferAnswer:
        """What brings most to itself, weighed by how likely the seat can and will do it."""
        now, best, wanted = self.gain(view, outlook(view, self.rules)), 0.0, None
        for request in self.legal_moves(view):
            if isinstance(request, Request):
                then = self.gain(view, accepted(view, self.rules, Bargain(view.seat, request)))
                hope = LIKELY[request.want] / max(1, request.least) ** 0.5 * (then - now)
                if hope > max(best, self.least):
                    best, wanted = hope, request
        return wanted

    def accept(self, view: AcceptView) -> AcceptAnswer:
        if len(self.legal_moves(view)) < 2:
            return False
        then, now = accepted(view, self.rules, view.bargain), outlook(view, self.rules)
        return self.gain(view, then) >= self.gain(view, now) + self.least

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return Discard(weakest(view.hand, view.most, self.weigh, 1.0))

    def weigh(self, card: Card) -> float:
        """What a card is worth keeping: what can be sold to a Boss is."""
        return 4.0 if card.is_pota else 1.5 if card.moves else 1.0 if card.is_reverse else 1.0 + card.worth / 2
