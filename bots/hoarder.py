"""A hoarder: fills its hand while deals are small, and strikes when a dividend is worth most."""

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
    boss_has,
    can_give,
    can_recruit,
    demand,
    fillable,
    fit_hand,
    goods,
    may_open,
    mine,
    missing,
    my_income,
    no_deal,
    recruitable,
    spoilers,
    within_reach,
    worth_buying,
)

DEFENCE = 0.12
"""The share of the proceeds that it pays at most to have its own deal left alone."""


class Hoarder(BoardBot):
    """Until a dividend is worth ``ripe`` $M it draws, sells a card for a fair price, and opens only what it can fill
    by itself. From then on it opens, takes over, recruits, and spoils what it has no part in. It buys the peace of
    others, and sells none of its own: breaking a deal is worth more to it."""

    def __init__(self, ripe: int = 4) -> None:
        self.ripe = ripe

    def strikes(self, view: BoardView) -> bool:
        """Whether its time has come."""
        return view.dividend >= self.ripe

    def turn(self, view: TurnView) -> TurnAnswer:
        have = mine(view)
        if not may_open(view, self.rules) or view.failed_here:
            return no_deal(view)
        if self.strikes(view):
            return Open() if within_reach(view) else no_deal(view)
        return Open() if fillable(view.space, have) and view.space.dividends >= 4 else no_deal(view)

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.seat != view.boss:
            # placards only: its clan cards are for its own deals
            asked = goods(view, self.rules, 1.5 * view.dividend)
            return Offers(tuple(offer for offer in asked if offer.placards))
        have = mine(view)
        if fillable(view.space, have):
            return None
        return Offers(bids(view, self.rules, [view.dividend * (0.4 + 0.2 * view.tick)], have))

    def accept(self, view: AcceptView) -> AcceptAnswer:
        if view.by != view.boss:
            return worth_buying(view, DEFENCE * view.proceeds)
        least = view.dividend * (1.5 if view.offer.clans else 1.0)
        return view.offer.price >= least and can_give(view, view.offer.clans)

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        if view.can_stop is not None:
            return Stop() if view.seat == view.boss and Card.STOP in view.hand else None
        if not self.strikes(view):
            return None
        have = mine(view)
        lacking = missing(view.space, have)
        if view.seat != view.boss:
            if Card.BOSS in view.hand and lacking.number <= 1:
                return TakeOver()
            about_to_close = not my_income(view) and fillable(view.space, boss_has(view, self.rules))
            return next(iter(spoilers(view)), None) if about_to_close else None
        if lacking.number and can_recruit(view):
            wanted = [family for family in recruitable(view) if lacking.wants(family)]
            if wanted:
                return Recruit(max(wanted, key=lambda family: demand(view, self.rules, family)))
        return None

    def close(self, view: CloseView) -> CloseAnswer:
        deal = best_closing(view, self.rules)
        return deal.close if deal is not None and deal.profit >= view.dividend else None

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return fit_hand(view, self.rules, self.worth)

    def worth(self, card: Card) -> float:
        """It hoards what strikes: boss cards, STOPs, clan cards; recruitment up to a triple."""
        if card in (Card.BOSS, Card.STOP):
            return 4.0
        return 1.0 if card.startswith("travel") else 2.0
