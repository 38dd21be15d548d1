"""A fair splitter in both games: equal parts for all who add to a deal, and harm to nobody who does."""

from __future__ import annotations

from typing import Any

from arena.bot import Reply
from arena.games import board, cards
from arena.games.board import BoardBot, Card, Offers, Open, Stop, TakeOver
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
)
from arena.games.cards import strategy as on

PEACE = 0.11  # the share of the proceeds it asks to let a deal pass that leaves it out


class Fair(BoardBot, cards.CardsBot):
    """Pays and asks an equal part of the proceeds for each investor. It spends a STOP for any deal that it has a
    part in, its own or not, and a travel card against a Boss who keeps more than half and has not bought its peace.

    In the card game it adds to deals, turns nobody's shares over, and lays no POTA before few could take it away. A
    token is the equal part of a seat that adds to the deal: it asks one for that, and gives one.

    As the Boss it ``keep``s that share of the proceeds, if it is given one, and its partners have equal parts of the
    rest; 0 is an equal part for it too."""

    rules: Any  # those of the game that is played

    def __init__(self, keep: float = 0.0) -> None:
        self.keep = keep

    def share(self, view: board.BoardView) -> int:
        """An equal part for every investor, as a legal price; as the Boss of what it does not keep."""
        keeps, parts = 0.0, view.space.needs
        if self.keep and view.seat == view.boss:
            keeps, parts = self.keep, max(1, missing(view.space, mine(view)).number)
        return legal_price(view, self.rules, (1 - keeps) * view.proceeds / parts)

    def turn(self, view: board.TurnView) -> board.TurnAnswer:
        # it brings half of the investors itself, so that its part is worth a turn
        half = missing(view.space, mine(view)).number <= view.space.needs / 2
        if half and may_open(view, self.rules) and not view.failed_here and within_reach(view):
            return Reply(Open(), say="Equal shares for everybody who takes part.")
        return no_deal(view)

    def offer(self, view: board.OfferView | cards.OfferView) -> Any:
        if isinstance(view, cards.OfferView):
            return self.bargain(view)
        share = self.share(view)
        if view.seat == view.boss:
            return Offers(bids(view, self.rules, [share], mine(view)))
        quiet = peace(view, self.rules, PEACE * view.proceeds) if spoilers(view) else ()
        return Offers((*goods(view, self.rules, share), *quiet))

    def accept(self, view: board.AcceptView | cards.AcceptView) -> bool:
        if isinstance(view, cards.AcceptView):
            return self.adds(view, on.accepted(view, self.rules, view.bargain)) and len(self.legal_moves(view)) == 2
        share, offer = self.share(view), view.offer
        if view.by != view.boss:  # somebody offers a card to this Boss: not above the share, and not for goodwill
            return 0 < offer.price <= share * (len(offer.placards) + len(offer.clans))
        return offer.price >= share * (len(offer.placards) + len(offer.clans)) and can_give(view, offer.clans)

    def interrupt(self, view: board.InterruptView) -> board.InterruptAnswer:
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

    def close(self, view: board.CloseView) -> board.CloseAnswer:
        deal = best_closing(view, self.rules)
        return deal.close if deal is not None and deal.profit * view.space.needs >= view.proceeds else None

    def discard(self, view: board.DiscardView | cards.DiscardView) -> Any:
        if isinstance(view, cards.DiscardView):
            return cards.Discard(on.weakest(view.hand, view.most, keeping, 1.0))
        return fit_hand(view, self.rules, self.worth)

    def worth(self, card: Card) -> float:
        """What it keeps: triples and STOPs first, boss cards last."""
        if card in (Card.RECRUITMENT, Card.STOP):
            return 3.0
        return 1.0 if card is Card.BOSS else 2.0

    def adds(self, view: cards.CardsView, found: on.Outlook) -> bool:
        """Whether every share is worth more after this, and the deal is a gain."""
        return found.centre > max(0, on.outlook(view, self.rules).centre)

    def lead(self, view: cards.LeadView) -> cards.LeadAnswer:
        color = on.best_color(view.hand, lambda card: 1.0 + keeping(card))
        good = sorted(on.leads(view), key=lambda lead: (lead.card.color is color, lead.card.worth))
        return good[-1] if good else cards.NameColor(color)

    def bargain(self, view: cards.OfferView) -> cards.OfferAnswer:
        """For a token it adds the best card it has; as the Boss it asks for one."""
        if view.seat == view.boss:
            return cards.Request(cards.Want.POSITIVE, 3)
        best = max((c for c in on.playable(view, self.rules) if c.worth > 0), key=lambda c: c.worth, default=None)
        return Reply(cards.Propose(cards.Play(best)), say="An equal part for what I add.") if best else None

    def play(self, view: cards.PlayView) -> cards.PlayAnswer:
        def worth(found: on.Outlook) -> float:
            return found.receives(view.seat) + found.value / 10 - 5 * sum(found.reverses)

        if view.moving is not None:
            return on.next_shift(view, self.rules, worth)
        found = on.choices(view, self.rules, worth)
        early = len(on.still_in(view)) > 2 and view.bound is None
        if early and not view.passes[view.seat]:
            return cards.Pass()
        waiting = [choice for choice in found if isinstance(choice.action, cards.Play) and choice.action.card.worth]
        best = max(waiting if early and waiting else found, key=lambda choice: worth(choice.outlook))
        return on.as_play(best.action)


def keeping(card: cards.Card) -> float:
    """What a card of the card game is worth keeping."""
    return 3.0 if card.is_pota else 2.0 if card.moves else 0.5 * max(0, card.worth)
