"""A greedy closer: a deal now, whatever it is worth, and at the best price for itself."""

from __future__ import annotations

from arena.games.board import (
    AcceptAnswer,
    AcceptView,
    BoardBot,
    BoardView,
    Card,
    CloseAnswer,
    CloseView,
    DiscardAnswer,
    DiscardView,
    InterruptAnswer,
    InterruptView,
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
    can_give,
    fillable,
    fit_hand,
    goods,
    legal_price,
    may_open,
    mine,
    missing,
    no_deal,
    on_table,
)


class Greedy(BoardBot):
    """As the Boss it keeps ``greed`` of the proceeds and splits the rest among the investors it still needs. As a
    partner it asks ``greed`` of them for a card, a little less in every tick. It never waits for a better deal."""

    def __init__(self, greed: float = 0.4) -> None:
        self.greed = greed

    def turn(self, view: TurnView) -> TurnAnswer:
        few = missing(view.space, mine(view)).number <= 2
        # one investor may be out of sight: somebody will have the clan card
        in_sight = missing(view.space, mine(view) | on_table(view)).number <= 1
        if few and in_sight and may_open(view, self.rules) and not view.failed_here:
            return Open()
        return no_deal(view)

    def asked(self, view: BoardView) -> int:
        """What it wants for a card, down to half of its first price."""
        return legal_price(view, self.rules, self.greed * view.proceeds * max(0.5, 1.1 - 0.1 * view.tick))

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.seat != view.boss:
            return Offers(goods(view, self.rules, self.asked(view)))
        have = mine(view)
        lacking = missing(view.space, have).number
        if not lacking:
            return None
        # a little more in every tick, up to all that is not kept
        share = (1 - self.greed) * view.proceeds / lacking * min(1.0, 0.4 + 0.2 * view.tick)
        return Offers(bids(view, self.rules, [share], have))

    def accept(self, view: AcceptView) -> AcceptAnswer:
        if view.by != view.boss:
            return False  # an open offer can be used when closing; there is no hurry
        return view.offer.price >= 0.7 * self.asked(view) and can_give(view, view.offer.clans)

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        hand = view.hand
        if view.can_stop is not None:
            return Stop() if view.seat == view.boss and Card.STOP in hand else None
        have = mine(view)
        if view.seat != view.boss:
            return TakeOver() if Card.BOSS in hand and fillable(view.space, have) else None
        if hand.count(Card.RECRUITMENT) < 3:
            return None
        aside = any(placard.owner is None for placard in view.placards)
        lacking = missing(view.space, have)
        for placard in view.placards:
            if lacking.wants(placard.family) and not placard.travelling and aside == (placard.owner is None):
                return Recruit(placard.family)
        return None

    def close(self, view: CloseView) -> CloseAnswer:
        deal = best_closing(view, self.rules)
        return deal.close if deal is not None and deal.profit >= 0.75 * self.greed * view.proceeds else None

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return fit_hand(view, self.rules, lambda card: 2.0 if card.family is None or card.startswith("clan") else 1.0)
