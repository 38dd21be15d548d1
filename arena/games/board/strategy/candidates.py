"""The moves that are worth a try in a negotiation, best guesses first: for bots that search.

Each list is short beside all legal moves, and no candidate is illegal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.games.board.cards import Card
from arena.games.board.moves import CloseMove, GiveUp, GoOn, InterruptMove, Offers, Pass, Recruit, Stop, TakeOver
from arena.games.board.rules import Rules
from arena.games.board.strategy.bargaining import bids, goods
from arena.games.board.strategy.closings import best_closing
from arena.games.board.strategy.needs import mine, missing
from arena.games.board.strategy.spoiling import spoilers
from arena.games.board.strategy.turns import best_recruit, can_recruit, recruitable
from arena.games.board.views import AcceptView, BoardView, CloseView, DiscardView, InterruptView, OfferView
from arena.games.contract import NO, YES, Move

ASKED_PRICES = (1.5, 2, 1, 2.5, 3, 1.25, 4, 0.75, 1.75, 3.5, 5, 6, 2.25)
PAID_PRICES = (1, 0.8, 1.2, 0.6, 1.4, 0.9, 1.6, 1.1, 0.5, 1.8, 2, 1.3, 0.7)
"""Prices that are worth a try for a card, in dividends: what a partner asks, and what the Boss pays."""
LAST_PRICES = 6
"""How many prices are tried before no offer at all."""
LEGAL = 20
"""How many legal plays are tried besides those that are best guesses."""


def candidate_offers(view: OfferView, rules: Rules, dividends: Iterable[float]) -> list[Offers]:
    """For each price, in ``dividends``: the Boss's offers for all cards that its deal lacks (:func:`bids`), or a
    partner's offers of all its cards (:func:`goods`), at this price. They may be empty, or the same at two prices."""
    if view.seat == view.boss:
        have = mine(view)
        return [Offers(bids(view, rules, [price * view.dividend], have)) for price in dividends]
    return [Offers(goods(view, rules, price * view.dividend)) for price in dividends]


def is_best_offer(view: AcceptView) -> bool:
    """Whether no other open offer of the same seat about the same cards is better for the viewer than the one that it
    is asked about: of a ladder of prices a single rung is worth a thought."""
    offer, sign = view.offer, 1 if view.by == view.boss else -1
    return all(
        sign * each.offer.price <= sign * offer.price
        for each in view.offers
        if each.by == view.by
        and (each.offer.to, each.offer.placards, each.offer.clans) == (offer.to, offer.placards, offer.clans)
    )


def candidate_plays(view: InterruptView, rules: Rules) -> list[InterruptMove]:
    """No play; a STOP where one may be spent; else a takeover, the travel plays that break the deal, recruitments,
    first of what the deal needs, and the first :data:`LEGAL` of all legal plays."""
    if view.can_stop is not None:
        return [Pass(), Stop()] if Card.STOP in view.hand else [Pass()]
    found: list[InterruptMove] = [Pass()]
    if Card.BOSS in view.hand and view.seat != view.boss:
        found.append(TakeOver())
    found += spoilers(view)
    if can_recruit(view):
        found.append(best_recruit(view, rules, missing(view.space, mine(view))))
        found += [Recruit(family) for family in recruitable(view)]
    found += view.legal_moves(rules)[:LEGAL]
    return list(dict.fromkeys(found))


def candidate_closings(view: CloseView, rules: Rules) -> list[CloseMove]:
    """The cheapest closing if there is one, going on, and giving up."""
    deal = best_closing(view, rules)
    found: list[CloseMove] = [] if deal is None else [deal.close]
    return [*found, GoOn(), GiveUp()]


def sensible_moves(view: BoardView, rules: Rules) -> Iterator[Move]:
    """The legal moves that are worth a try at any ask, best guesses first; for a discard none, so that it is left to a
    policy. They are made as they are taken."""
    if isinstance(view, OfferView):
        prices = PAID_PRICES if view.seat == view.boss else ASKED_PRICES
        for price in prices[:LAST_PRICES]:
            yield from candidate_offers(view, rules, [price])
        yield Offers(())
        for price in prices[LAST_PRICES:]:
            yield from candidate_offers(view, rules, [price])
    elif isinstance(view, AcceptView):
        legal = view.legal_moves(rules)
        if YES in legal and is_best_offer(view):
            yield YES
        yield NO
    elif isinstance(view, InterruptView):
        yield from candidate_plays(view, rules)
    elif isinstance(view, CloseView):
        yield from candidate_closings(view, rules)
    elif not isinstance(view, DiscardView):
        yield from view.legal_moves(rules)
