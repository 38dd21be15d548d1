"""A hard bargainer: starts from high demands and concedes late, when the others would lose the deal."""

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
    Stop,
    TakeOver,
    TurnAnswer,
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
    peace,
    spoilers,
    within_reach,
    worth_buying,
)

PEACE, DEFENCE = 0.11, 0.12
"""Shares of the proceeds: what it asks to leave a deal alone, and the most it pays to have its own left alone."""


class Hard(BoardBot):
    """``patience`` is how many ticks it takes from its first price to its last. It asks two dividends for a card at
    first and one at last; as the Boss it starts from half a dividend for a card and goes up to what leaves it
    ``keep`` of the proceeds. Where a travel card of its own would break a deal it asks for a side promise not to play
    it, and it buys such promises while a deal of its own could be broken."""

    def __init__(self, patience: int = 5, keep: float = 0.4) -> None:
        self.patience, self.keep = patience, keep

    def conceded(self, view: BoardView) -> float:
        """0 in the first tick, 1 when patience has run out."""
        return min(1.0, (view.tick - 1) / self.patience)

    def asked(self, view: BoardView) -> int:
        """What it wants for a card now. Where others could stand in, more than a dividend is never paid."""
        lacking = missing(view.space, ())
        high = 2.0 if lacking.choose == 0 else 1.5
        return legal_price(view, self.rules, view.dividend * (high + (0.9 - high) * self.conceded(view)))

    def turn(self, view: TurnView) -> TurnAnswer:
        # it wants the upper hand: at most one partner
        few = missing(view.space, mine(view)).number <= 1
        if few and may_open(view, self.rules) and not view.failed_here and within_reach(view):
            return Open()
        return no_deal(view)

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.seat != view.boss:
            threat = peace(view, self.rules, PEACE * view.proceeds) if spoilers(view) else ()
            return Offers((*goods(view, self.rules, self.asked(view)), *threat))
        have = mine(view)
        lacking = missing(view.space, have).number
        if not lacking:
            return None
        low, high = view.dividend / 2, (1 - self.keep) * view.proceeds / lacking
        return Offers(bids(view, self.rules, [low + (high - low) * self.conceded(view)], have))

    def accept(self, view: AcceptView) -> AcceptAnswer:
        if view.by != view.boss:
            return worth_buying(view, DEFENCE * view.proceeds)
        cards = len(view.offer.placards) + len(view.offer.clans)
        return view.offer.price >= self.asked(view) * max(cards, 1) and can_give(view, view.offer.clans)

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        if view.can_stop is not None:
            return Stop() if view.seat == view.boss and Card.STOP in view.hand else None
        if can_recruit(view):
            return best_recruit(view, self.rules)
        if view.seat == view.boss or any(terms.partner == view.seat for terms in view.agreements):
            return None
        lacking = missing(view.space, mine(view)).number
        if Card.BOSS in view.hand and lacking <= 1:
            return TakeOver()
        # whoever closes without it is to know the price of that
        about_to_close = fillable(view.space, boss_has(view, self.rules))
        return next(iter(spoilers(view)), None) if about_to_close else None

    def close(self, view: CloseView) -> CloseAnswer:
        deal = best_closing(view, self.rules)
        if deal is None:
            return None
        wanted = 0.8 + (self.keep - 0.8) * self.conceded(view)
        return deal.close if deal.profit >= wanted * view.proceeds or view.quiet else None

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return fit_hand(view, self.rules, self.worth)

    def worth(self, card: Card) -> float:
        """Boss cards and STOPs carry its demands, travel cards its threats."""
        if card in (Card.BOSS, Card.STOP):
            return 4.0
        return 3.0 if card.startswith("travel") else 2.0
