"""A dealmaker that saves its boss and recruitment cards for dear deals, and sells its own cards for less."""

from __future__ import annotations

from arena.bundled import Dealmaker
from arena.games.board import (
    BoardView,
    Card,
    InterruptAnswer,
    InterruptView,
    OfferAnswer,
    Offers,
    OfferView,
    TakeOver,
    Travel,
)
from arena.games.board.strategy import (
    best_recruit,
    boss_has,
    can_recruit,
    goods,
    mine,
    missing,
    my_income,
    recruitable,
    spoilers,
    wealth,
)

LEAST, FALL = 1.0, 0.15
"""Dividends it asks at least for a placard, and how much less it asks with every tick."""
CLAN = 1.25
"""A clan card is spent by the deal, so it costs a quarter more."""


class Magnate(Dealmaker):
    """It opens, draws, buys, closes and stops as dealmaker does; three things are different. A boss card takes over one
    deal and is gone, so it is played from ``dear`` $M a dividend on. A recruitment triple is played in a negotiation
    only for a placard that a deal of its own still needs; else it waits until the hand is too full. As a partner it
    asks ``asked`` dividends for a placard at first, less than dealmaker: a Boss buys where it is cheapest, and a deal
    that is closed with others pays nothing."""

    def __init__(self, bar: float = 4.0, ripe: int = 4, dear: int = 5, asked: float = 1.2) -> None:
        super().__init__(bar, ripe)
        self.dear, self.asked = dear, asked

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.seat == view.boss:
            return super().offer(view)
        price = max(LEAST, self.asked - FALL * (view.tick - 1)) * view.dividend
        placards = [offer for offer in goods(view, self.rules, price) if offer.placards]
        clans = [offer for offer in goods(view, self.rules, CLAN * price) if offer.clans]
        return Offers(tuple(placards + clans)[: self.rules.max_offers])

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        if view.can_stop is not None:
            return super().interrupt(view)
        if view.seat == view.boss:
            needed = missing(view.space, mine(view))
            if can_recruit(view) and any(needed.wants(family) for family in recruitable(view)):
                return best_recruit(view, self.rules, needed)
            return None
        income = my_income(view) / view.dividend
        if Card.BOSS in view.hand and view.dividend >= self.dear and self.hope(view) >= income + 1:
            return TakeOver()
        return self.spoiling(view, income)

    def spoiling(self, view: BoardView, income: float) -> Travel | None:
        """A travel card against a deal that leaves it out, or that makes the leader richer."""
        money = wealth(view)
        bearable = 2.0 if view.boss is not None and money[view.boss] == max(money) else 0.6
        if income < bearable and missing(view.space, boss_has(view, self.rules)).number <= 1:
            return next(iter(spoilers(view)), None)
        return None
