"""Side promises: money for a seat that brings no card, paid when the deal closes (B4.4).

A seat that could break a deal can sell its restraint: it asks for a promise before it plays. The Boss buys if the deal
can be broken, for less than that would cost on average. Nothing in the rules makes the seller keep its word.
"""

from __future__ import annotations

from arena.games.board.cards import Card
from arena.games.board.moves import Offer
from arena.games.board.rules import Rules
from arena.games.board.strategy.bargaining import legal_price
from arena.games.board.strategy.needs import clans_in_hand, fillable, mine, missing, on_table
from arena.games.board.views import AcceptView, BoardView


def is_promise(offer: Offer) -> bool:
    """Whether the offer is about money alone (B4.4)."""
    return not offer.placards and not offer.clans


def peace(view: BoardView, rules: Rules, price: float) -> tuple[Offer, ...]:
    """An offer to the Boss: ``price`` $M as a side promise, for no card; to be sent along with the seat's other offers.

    Empty if side promises are not allowed or the viewer would not be paid (B8), and for a seat that has an agreement
    and so wants the deal to close.
    """
    if view.boss in (None, view.seat) or not rules.side_promises:
        return ()
    if rules.active_to_be_paid and view.seat not in view.active:
        return ()
    if any(terms.partner == view.seat for terms in view.agreements):
        return ()
    return (Offer(view.boss, legal_price(view, rules, price)),)


def exposed(view: BoardView) -> bool:
    """Whether a single travel card would break the deal that the viewer could fill as the Boss now. A family of which
    the viewer also holds a clan card in hand is safe."""
    have, safe = mine(view) | on_table(view), set(clans_in_hand(view))
    return fillable(view.space, have) and any(not fillable(view.space, have - {family}) for family in have - safe)


def worth_buying(view: AcceptView, most: float) -> bool:
    """Whether it pays the Boss to buy the side promise it is asked about: its deal is :func:`exposed`, it holds no
    STOP to defend it, the seller is not likely to be a partner anyway, and all promises bought, the cheapest first,
    stay within ``most`` $M."""
    if not is_promise(view.offer) or Card.STOP in view.hand or not exposed(view):
        return False
    partners = _likely_partners(view)
    sellers = [entry for entry in view.offers if is_promise(entry.offer) and entry.by not in {*partners, view.seat}]
    spent = sum(terms.price for terms in view.agreements if not terms.placards and not terms.clans)
    for price, seat in sorted((entry.offer.price, entry.by) for entry in sellers):
        spent += price
        if (price, seat) == (view.offer.price, view.by):
            return spent <= most
    return False


def _likely_partners(view: BoardView) -> set[int]:
    """The seats with an agreement, and those whose placard the viewer still needs, which are likely to get one."""
    needed = missing(view.space, mine(view))
    owners = {p.owner for p in view.placards if p.owner is not None and needed.wants(p.family) and not p.travelling}
    return owners | {terms.partner for terms in view.agreements}
