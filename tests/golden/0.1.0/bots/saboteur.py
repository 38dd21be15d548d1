"""A saboteur: a deal that does not pay it does not happen, as long as its cards last."""

from __future__ import annotations

from arena.bot import Reply
from arena.games.board import (
    AcceptAnswer,
    AcceptView,
    BoardBot,
    Card,
    CloseAnswer,
    CloseView,
    DiscardAnswer,
    DiscardView,
    InterruptAnswer,
    InterruptView,
    Offer,
    OfferAnswer,
    Offers,
    OfferView,
    Open,
    Recruit,
    Stop,
    TakeOver,
    TurnAnswer,
    TurnView,
)
from arena.games.board.strategy import (
    best_closing,
    bids,
    boss_has,
    can_give,
    can_recruit,
    fit_hand,
    goods,
    legal_price,
    may_open,
    mine,
    missing,
    no_deal,
    recruitable,
    spoilers,
    within_reach,
)

WEAPONS = {Card.BOSS, Card.TRAVEL_WILD, *(card for card in Card if card.startswith("travel"))}


class Saboteur(BoardBot):
    """Whoever pays it ``toll`` dividends is left in peace; where it has no card to sell it sells that peace itself, as
    a side promise. It deals too, when few partners are needed."""

    def __init__(self, toll: float = 1.0) -> None:
        self.toll = toll

    def turn(self, view: TurnView) -> TurnAnswer:
        if (
            may_open(view, self.rules)
            and missing(view.space, mine(view)).number <= 2 - (len(view.hand) < 6)
            and not view.failed_here
        ):
            return Open() if within_reach(view) else no_deal(view)
        return no_deal(view)

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.boss is None or view.seat == view.boss:
            prices = [view.dividend * (0.4 + 0.2 * view.tick)]
            return Offers(bids(view, self.rules, prices, mine(view)))
        price = legal_price(view, self.rules, self.toll * view.dividend)
        offers = goods(view, self.rules, price)
        if not offers and self.rules.side_promises and WEAPONS.intersection(view.hand):
            peace = Offer(view.boss, price)
            return Reply(Offers((peace,)), say=f"${price}M, and your deal meets with no accident.")
        return Offers(offers)

    def accept(self, view: AcceptView) -> AcceptAnswer:
        if view.by != view.boss:
            return False
        return view.offer.price >= self.toll * view.dividend * 0.7 and can_give(view, view.offer.clans)

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        paid = view.seat == view.boss or any(terms.partner == view.seat for terms in view.agreements)
        if view.can_stop is not None:
            return Stop() if paid and Card.STOP in view.hand else None
        if paid:
            return None
        if missing(view.space, boss_has(view, self.rules)).number > 1:
            return None  # too early: cards are for deals that are about to close
        for travel in spoilers(view):
            return travel
        for placard in view.placards:
            if placard.family in view.space.required and placard.family in recruitable(view) and can_recruit(view):
                return Recruit(placard.family)
        return TakeOver() if Card.BOSS in view.hand else None

    def close(self, view: CloseView) -> CloseAnswer:
        deal = best_closing(view, self.rules)
        return deal.close if deal is not None and deal.profit >= self.toll * view.dividend else None

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return fit_hand(view, self.rules, lambda card: 3.0 if card in WEAPONS or card is Card.STOP else 1.0)
