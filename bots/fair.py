"""A fair splitter: every investor of a deal gets the same, and nobody gets it for less."""

from __future__ import annotations

from arena.bot import Answer, Bot, Reply
from arena.games.board import (
    AcceptView,
    BoardView,
    Card,
    CloseView,
    Discard,
    DiscardView,
    InterruptView,
    Offers,
    OfferView,
    Open,
    Recruit,
    Stop,
    TakeOver,
    TurnView,
)
from arena.games.board.strategy import (
    best_closing,
    best_recruit,
    bids,
    boss_has,
    can_give,
    can_recruit,
    fillable,
    fit_hand,
    goods,
    legal_price,
    may_open,
    mine,
    missing,
    no_deal,
    spoilers,
    within_reach,
)


class Fair(Bot):
    """Pays and asks an equal part of the proceeds for each investor. It spends a STOP for any deal that it has a
    part in, its own or not, and a travel card against a Boss who keeps more than half."""

    def share(self, view: BoardView) -> int:
        """An equal part for every investor, as a legal price."""
        return legal_price(view, self.rules, view.proceeds / view.space.needs)

    def turn(self, view: TurnView) -> Answer:
        # it brings half of the investors itself, so that its part is worth a turn
        half = missing(view.space, mine(view)).number <= view.space.needs / 2
        if half and may_open(view, self.rules) and not view.failed_here and within_reach(view):
            return Reply(Open(), say="Equal shares for everybody who takes part.")
        return no_deal(view)

    def offer(self, view: OfferView) -> Answer:
        share = self.share(view)
        if view.seat == view.boss:
            return Offers(bids(view, self.rules, [share], mine(view)))
        return Offers(goods(view, self.rules, share))

    def accept(self, view: AcceptView) -> Answer | bool:
        share, offer = self.share(view), view.offer
        if view.by != view.boss:  # somebody offers a card to this Boss: not above the share, and not for goodwill
            return 0 < offer.price <= share * (len(offer.placards) + len(offer.clans))
        return offer.price >= share * (len(offer.placards) + len(offer.clans)) and can_give(view, offer.clans)

    def interrupt(self, view: InterruptView) -> Answer:
        has_part = view.seat == view.boss or any(terms.partner == view.seat for terms in view.agreements)
        if view.can_stop is not None:
            return Stop() if has_part and Card.STOP in view.hand else None
        if can_recruit(view) and any(p.owner is None for p in view.placards):
            return best_recruit(view, self.rules)  # only what belongs to nobody
        if has_part or not fillable(view.space, boss_has(view, self.rules)):
            return None
        # a deal is about to go through without it: it does it itself where it can, and punishes a Boss who keeps most
        if Card.BOSS in view.hand and fillable(view.space, mine(view)):
            return TakeOver()
        paid = sum(terms.price for terms in view.agreements)
        return next(iter(spoilers(view)), None) if paid < view.proceeds / 2 else None

    def close(self, view: CloseView) -> Answer:
        deal = best_closing(view, self.rules)
        return deal.close if deal is not None and deal.profit * view.space.needs >= view.proceeds else None

    def discard(self, view: DiscardView) -> Discard | Recruit:
        return fit_hand(view, self.rules, self.worth)

    def worth(self, card: Card) -> float:
        """What it keeps: triples and STOPs first, boss cards last."""
        if card in (Card.RECRUITMENT, Card.STOP):
            return 3.0
        return 1.0 if card is Card.BOSS else 2.0
