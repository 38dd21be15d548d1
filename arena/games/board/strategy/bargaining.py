"""Money, prices and offers of cards (B4.4, B4.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from arena.games.board.cards import CLAN_CARDS, Family
from arena.games.board.moves import Offer
from arena.games.board.rules import Rules
from arena.games.board.strategy.needs import clans_in_hand, missing, placards_of
from arena.games.board.views import BoardView, ClosedDeal


def wealth(view: BoardView) -> list[int]:
    """Everybody's money by seat, counted from the closed deals (B5.6)."""
    return list(_money_of(view.ledger, view.players))


@lru_cache(maxsize=1024)
def _money_of(ledger: tuple[ClosedDeal, ...], players: int) -> tuple[int, ...]:
    money = [0] * players
    for deal in ledger:
        for seat, amount in enumerate(deal.amounts):
            money[seat] += amount
    return tuple(money)


def my_income(view: BoardView) -> int:
    """What the viewer's agreements and open offers would bring if the Boss used them all, in $M."""
    agreed = sum(terms.price for terms in view.agreements if terms.partner == view.seat)
    return agreed + sum(entry.offer.price for entry in view.offers if entry.by == view.seat != view.boss)


def legal_price(view: BoardView, rules: Rules, price: float) -> int:
    """The legal price nearest below ``price``, but at least the least there is (B4.4)."""
    step = view.dividend if rules.prices == "dividends" else 1
    return min(max(int(price // step), 1) * step, view.proceeds)


def can_give(view: BoardView, clans: Iterable[Family]) -> bool:
    """Whether the viewer has an unpromised clan card of each of these families, laid or in hand."""
    for family in clans:
        promised = sum(family in terms.clans for terms in view.agreements if terms.partner == view.seat)
        if view.laid[view.seat].count(family) + view.hand.count(CLAN_CARDS[family]) <= promised:
            return False
    return True


def goods(view: BoardView, rules: Rules, price: float) -> tuple[Offer, ...]:
    """Offers to the Boss: each card of the viewer's that the Boss may still need, for ``price`` apiece.

    Leaves out cards already promised and those of families that the Boss has on the table. Offers a clan card only for
    a family whose placard the viewer cannot offer. Offering a clan card lays it (B4.5).
    """
    assert view.boss is not None
    promised = {family for terms in view.agreements for family in (*terms.placards, *terms.clans)}
    have = {*placards_of(view, view.boss), *view.laid[view.boss], *promised}
    needed = missing(view.space, have)
    own, clans = placards_of(view, view.seat), {*clans_in_hand(view), *view.laid[view.seat]}
    legal = legal_price(view, rules, price)
    offers = [Offer(view.boss, legal, placards=(family,)) for family in own if needed.wants(family)]
    offers += [Offer(view.boss, legal, clans=(f,)) for f in clans if f not in own and needed.wants(f)]
    return tuple(sorted(offers, key=lambda offer: (offer.placards, offer.clans))[: rules.max_offers])


def bids(view: BoardView, rules: Rules, prices: Iterable[float], have: Collection[Family]) -> tuple[Offer, ...]:
    """Offers of the Boss, who has the families ``have``: every placard of the others that is still missing, at each of
    ``prices``; and if too few placards lie on the table, clan cards of every seat that holds cards.

    The cheapest come first: of several offers for one card the first one accepted counts (B4.5).
    """
    needed = missing(view.space, have)
    owner = {p.family: p.owner for p in view.placards if p.owner not in (None, view.seat) and not p.travelling}
    promised = {family for terms in view.agreements for family in (*terms.placards, *terms.clans)}
    wanted = [f for f in (*needed.required, *needed.optional) if f not in promised]
    cards: list[tuple[int, tuple[Family, ...], tuple[Family, ...]]] = []
    for family in wanted:
        holder = owner.get(family)
        if holder is not None:
            cards.append((holder, (family,), ()))
    scarce = missing(view.space, {*have, *owner})
    others = [s for s in range(view.players) if s != view.seat and (view.hand_sizes[s] or view.laid[s])]
    cards += [(seat, (), (family,)) for family in wanted if scarce.wants(family) for seat in others]
    legal = sorted({legal_price(view, rules, price) for price in prices})
    offers = (Offer(to, price, own, clans) for price in legal for to, own, clans in cards)
    return tuple(offers)[: rules.max_offers]
