"""The strongest of the bundled bots: patient while deals are small, cheap as the Boss, dear as a partner."""

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
    OpenPlay,
    Recruit,
    Stop,
    TakeOver,
    Travel,
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
    clans_in_hand,
    fillable,
    fit_hand,
    goods,
    legal_price,
    may_open,
    mine,
    missing,
    my_income,
    no_deal,
    placards_of,
    spoilers,
    wealth,
    within_reach,
)

WORTH = {Card.STOP: 4.0, Card.BOSS: 4.0, Card.RECRUITMENT: 2.5}
"""What a card is worth keeping; clan cards 2.5, travel cards 1.5."""
ASKED, LEAST = 1.5, 1.0
"""Dividends asked for a placard, and the least taken. A clan card is spent by the deal, so it costs a quarter more."""
PARTNER = 0.9
"""Dividends a partner is expected to cost."""


class Dealmaker(BoardBot):
    """It opens a deal that leaves it at least ``bar`` dividends, once a dividend is worth ``ripe`` $M; before that a
    turn is better spent on drawing, unless the hand is full. Near the end of the match no card is worth keeping."""

    def __init__(self, bar: float = 4.0, ripe: int = 4) -> None:
        self.bar, self.ripe = bar, ripe

    def hope(self, view: BoardView) -> float:
        """Dividends the deal would leave this bot as the Boss; below 0 where it is out of reach."""
        if not within_reach(view):
            return -1.0
        return view.space.dividends - PARTNER * missing(view.space, mine(view)).number

    def turn(self, view: TurnView) -> TurnAnswer:
        alone = fillable(view.space, mine(view))
        if not may_open(view, self.rules) or (view.failed_here and not alone):
            return no_deal(view)
        if alone and self.rules.self_sufficient_close:
            return Open(clans_in_hand(view))  # closes at once (B4.7)
        full, ending = len(view.hand) >= self.rules.hand_limit, view.deal in self.rules.end_rolls
        bar = 2.0 if full or ending else self.bar
        if self.hope(view) >= bar and (full or view.dividend >= self.ripe):
            return Open()
        return no_deal(view)

    def offer(self, view: OfferView) -> OfferAnswer:
        if view.seat != view.boss:
            asked = max(LEAST, ASKED - 0.15 * (view.tick - 1)) * view.dividend
            placards = [offer for offer in goods(view, self.rules, asked) if offer.placards]
            clans = [offer for offer in goods(view, self.rules, 1.25 * asked) if offer.clans]
            return Offers(tuple(placards + clans)[: self.rules.max_offers])
        have = mine(view)
        lacking = missing(view.space, have).number
        if not lacking:
            return None
        # a ladder of prices for every card: who takes the lowest, gets no more
        low, high = 0.7 * view.dividend, (1.05 + 0.15 * view.tick) * view.dividend
        high = max(low, min(high, 0.75 * view.proceeds / lacking))
        return Offers(bids(view, self.rules, [low + (high - low) * step / 3 for step in range(4)], have))

    def accept(self, view: AcceptView) -> AcceptAnswer:
        offer = view.offer
        if view.by != view.boss or not can_give(view, offer.clans):
            return False
        rivals = [entry.offer for entry in view.offers if entry.by == view.by and entry.offer.to == view.seat]
        same = [other.price for other in rivals if (other.placards, other.clans) == (offer.placards, offer.clans)]
        least = legal_price(view, self.rules, LEAST * view.dividend * (1.25 if offer.clans else 1.0))
        return offer.price >= max(least, *same)  # of a ladder only the top

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        if view.can_stop is not None:
            return Stop() if Card.STOP in view.hand and self.hurts(view, view.can_stop) else None
        if can_recruit(view):
            needed = missing(view.space, mine(view)) if view.seat == view.boss else None
            return best_recruit(view, self.rules, needed)
        if view.seat == view.boss:
            return None
        income = my_income(view) / view.dividend
        if Card.BOSS in view.hand and view.dividend >= 3 and self.hope(view) >= income + 1:
            return TakeOver()
        # a deal that leaves it out, or makes the leader richer, is worth a travel card
        money = wealth(view)
        bearable = 2.0 if view.boss is not None and money[view.boss] == max(money) else 0.6
        if income < bearable and missing(view.space, boss_has(view, self.rules)).number <= 1:
            return next(iter(spoilers(view)), None)
        return None

    def hurts(self, view: BoardView, open_play: OpenPlay) -> bool:
        """Whether a play is worth a STOP."""
        play = open_play.play
        if isinstance(play, TakeOver):
            return view.seat == view.boss
        if isinstance(play, Recruit) and play.placard in placards_of(view, view.seat):
            return True
        family = play.family if isinstance(play, Travel) else play.placard
        if view.seat == view.boss:
            return family in view.space.families
        return my_income(view) >= 1.5 * view.dividend and any(terms.partner == view.seat for terms in view.agreements)

    def close(self, view: CloseView) -> CloseAnswer:
        deal = best_closing(view, self.rules)
        return deal.close if deal is not None and deal.profit >= view.dividend else None

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return fit_hand(view, self.rules, lambda card: WORTH.get(card, 1.5 if card.startswith("travel") else 2.5))
