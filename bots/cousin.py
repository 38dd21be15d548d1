"""Makes friends with tokens: as a seat it sells the Boss what helps both, as the Boss it buys what helps it most."""

from __future__ import annotations

from arena.bot import Reply
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
    asks,
    best_color,
    choices,
    granted,
    leads,
    next_shift,
    outlook,
    strength,
    weakest,
)


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
        """Of all it could ask for, what brings it most, weighed by the chance that the seat can do it."""
        now = self.gain(view, outlook(view, self.rules))
        best = max(asks(view, self.rules), key=lambda ask: ask.chance * (self.gain(view, ask.outlook) - now))
        return best.request if self.gain(view, best.outlook) > now + self.least else None

    def accept(self, view: AcceptView) -> AcceptAnswer:
        def worth(found: Outlook) -> float:
            return self.gain(view, found)

        if view.seat == view.boss:
            then = worth(accepted(view, self.rules, view.bargain))
            return then >= worth(outlook(view, self.rules)) + self.least
        free = max(worth(choice.outlook) for choice in choices(view, self.rules, worth))
        return any(worth(choice.outlook) > free + self.least for choice in granted(view, self.rules, worth))

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return Discard(weakest(view.hand, view.most, self.weigh, 1.0))

    def weigh(self, card: Card) -> float:
        """What a card is worth keeping: what can be sold to a Boss is."""
        return 4.0 if card.is_pota else 1.5 if card.moves else 1.0 if card.is_reverse else 1.0 + card.worth / 2
