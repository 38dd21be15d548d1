"""The strongest of the bundled bots: it counts money, bids in steps, and spends its cards where they pay most."""

from __future__ import annotations

from arena.bot import (
    AcceptView,
    Answer,
    BoardView,
    Bot,
    Card,
    CloseView,
    Discard,
    DiscardView,
    Family,
    InterruptView,
    Offers,
    OfferView,
    Open,
    Recruit,
    Stop,
    TakeOver,
    Travel,
    TurnView,
)
from arena.strategy import (
    best_closing,
    bids,
    boss_has,
    can_give,
    can_recruit,
    clans_in_hand,
    demand,
    fair_share,
    fillable,
    fit_hand,
    goods,
    legal_price,
    may_open,
    mine,
    missing,
    my_income,
    no_deal,
    on_table,
    recruitable,
    travel_card,
    wealth,
)


class Dealmaker(Bot):
    """x"""

    def __init__(self, need: float=0.5, ask: float = 1.0, least: float = 0.6, keep: float = 0.35, lo: float = 0.25, top: float=1.1,
                 rate: float = 0.8, boss: float = 1.5, spoil: float = 0.5, first: float=3.0, second: float=1.0, rec: int=1, early: float=99, late: float=0, ripe: int=4) -> None:
        self.need, self.ask, self.least, self.keep, self.lo, self.top = need, ask, least, keep, lo, top
        self.rate, self.boss, self.spoil, self.first, self.second, self.rec = rate, boss, spoil, first, second, rec
        self.early, self.late, self.ripe = early, late, ripe

    def hope(self, view: BoardView, have: set[Family]) -> float:
        """What the deal would leave this bot as the Boss, in dividends; negative where it cannot be filled."""
        lacking = missing(view.space, have)
        if not fillable(view.space, have | on_table(view)):
            return -1.0
        return view.space.dividends - self.rate * lacking.number

    def turn(self, view: TurnView) -> Answer:
        have = mine(view)
        hope = self.hope(view, have)
        if not may_open(view, self.rules) or view.failed_here and not fillable(view.space, have):
            return no_deal(view)
        if self.rules.self_sufficient_close and fillable(view.space, have):
            return Open(tuple(clans_in_hand(view)))
        if hope >= (self.late if view.dividend >= self.ripe else self.early):
            return Open()
        return no_deal(view)

    def offer(self, view: OfferView) -> Answer:
        if view.seat != view.boss:
            lacking = missing(view.space, boss_has(view) - mine(view))
            price = self.ask * view.dividend
            return Offers(goods(view, self.rules, price))
        have = mine(view)
        lacking = missing(view.space, have).number
        if not lacking:
            return None
        top = min((1 - self.keep) * view.proceeds / lacking, self.top * view.dividend)
        top *= min(1.0, 0.8 + 0.1 * view.tick)
        low = self.lo * view.dividend
        return Offers(bids(view, self.rules, [low + (top - low) * k / 3 for k in range(4)], have))

    def accept(self, view: AcceptView) -> Answer | bool:
        offer = view.offer
        if view.by != view.boss:
            return False
        if not can_give(view, offer.clans) or not (offer.placards or offer.clans):
            return offer.price > 0 and can_give(view, offer.clans)
        best = max(o.offer.price for o in view.offers if o.by == view.by and o.offer.to == view.seat
                   and o.offer.placards == offer.placards and o.offer.clans == offer.clans)
        return offer.price == best and offer.price >= legal_price(view, self.rules, self.least * view.dividend)

    def interrupt(self, view: InterruptView) -> Answer:
        hand = view.hand
        have = mine(view)
        if view.can_stop is not None:
            return Stop() if Card.STOP in hand and self.hurts(view) else None
        lacking = missing(view.space, have)
        if can_recruit(view):
            wanted = [f for f in recruitable(view) if f not in placards(view)]
            if view.seat == view.boss:
                wanted = [f for f in wanted if lacking.wants(f)]
            if wanted and (self.rec or view.seat == view.boss):
                return Recruit(max(wanted, key=lambda f: demand(view, self.rules, f)))
        if view.seat == view.boss:
            return None
        income = my_income(view)
        hope = self.hope(view, have) * view.dividend
        ready = missing(view.space, boss_has(view)).number
        if Card.BOSS in hand and hope - income >= self.boss * view.dividend * (1 + lacking.number/2):
            return TakeOver()
        if ready <= 1 and income < self.spoil * view.dividend:
            return self.attack(view)
        return None

    def attack(self, view):
        seen = on_table(view)
        if not fillable(view.space, seen):
            return None
        for placard in view.placards:
            f = placard.family
            if f in seen and placard.owner not in (None, view.seat) and not placard.travelling:
                wild = travel_card(view, f)
                if wild is not None and not fillable(view.space, seen - {f}):
                    return Travel(f, wild=wild)
        return None

    def hurts(self, view):
        play = view.can_stop.play
        if view.seat == view.boss:
            if isinstance(play, TakeOver):
                return True
            f = play.family if isinstance(play, Travel) else play.placard
            return f in view.space.required or f in view.space.optional
        if isinstance(play, Recruit):
            return view.placards[list(Family).index(play.placard)].owner == view.seat
        return my_income(view) >= view.dividend and any(t.partner == view.seat for t in view.agreements)

    def close(self, view: CloseView) -> Answer:
        deal = best_closing(view, self.rules)
        return deal.close if deal is not None and deal.profit >= view.dividend else None

    def discard(self, view: DiscardView) -> Discard | Recruit:
        return fit_hand(view, self.rules, lambda c: 4.0 if c in (Card.STOP, Card.BOSS) else 1.0 if c.startswith("travel") else 2.5)

def placards(view):
    return [p.family for p in view.placards if p.owner == view.seat]
