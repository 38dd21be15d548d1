"""What a negotiation could have brought, by the cards that seats had: whether it could have been closed (B4.2), whether
bids covered asks, and the Shapley value of each seat in the deal.

Like the rest of the log it shares no code for rules with the engine, except for which families a space needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import factorial

from arena.games.board.cards import CLAN, FAMILIES, mask_of
from arena.games.board.log.fold import BoardFold
from arena.games.board.moves import Agreement, Offer
from arena.games.board.rules import fair_shares
from arena.games.board.spaces import Space, filled_needs

THOUSANDTHS = 1000
"""Shapley values are rounded to thousandths of $M, so that tables hold whole numbers."""


def placard_masks(table: BoardFold) -> list[int]:
    """The masks of the placards that each seat owns and that do not travel."""
    masks = [0] * table.players
    for index, owner in enumerate(table.owners):
        if owner is not None and table.on_placards[index] is None:
            masks[owner] |= 1 << index
    return masks


def clan_masks(table: BoardFold) -> list[int]:
    """The masks of the families of the clan cards that each seat has laid or holds."""
    return [
        sum(1 << kind for kind in range(len(FAMILIES)) if laid[kind] or (hand is not None and hand[CLAN + kind]))
        for hand, laid in zip(table.cards.hands, table.cards.laid, strict=True)
    ]


def family_masks(table: BoardFold) -> list[int]:
    """The masks of the families that each seat can bring into the deal with a placard or a clan card; 0 for a seat that
    could not be paid, because it has played no card and holds none (B8)."""
    found = []
    paid_if_active = table.rules.active_to_be_paid and not fair_shares(table.rules, table.players)
    for seat, (placards, clans) in enumerate(zip(placard_masks(table), clan_masks(table), strict=True)):
        idle = paid_if_active and seat not in table.active and not table.cards.sizes[seat]
        found.append(0 if idle and seat != table.terms.boss else placards | clans)
    return found


def can_close(space: Space, masks: Iterable[int]) -> bool:
    """Whether seats that can bring in these families have together all that the space needs (B4.2)."""
    together = 0
    for mask in masks:
        together |= mask
    return filled_needs(space)[together] >= space.needs


def shapley_values(space: Space, proceeds: int, boss: int, masks: Sequence[int]) -> tuple[int, ...]:
    """The Shapley value of each seat in thousandths of $M (L. S. Shapley, Contributions to the Theory of Games II,
    1953): seats with these families are worth the ``proceeds`` together if the ``boss`` is among them and they have all
    that the space needs, else nothing."""
    players, filled = len(masks), filled_needs(space)
    families = [0]  # of each coalition, a bit for each seat
    for mask in masks:
        families += [each | mask for each in families]
    worth = [bool(coalition >> boss & 1) and filled[each] >= space.needs for coalition, each in enumerate(families)]
    orders = [factorial(size) * factorial(players - size - 1) for size in range(players)]
    winners, values = [coalition for coalition, wins in enumerate(worth) if wins], []
    for seat in range(players):
        bit = 1 << seat
        decides = sum([orders[each.bit_count() - 1] for each in winners if each & bit and not worth[each ^ bit]])
        values.append(round(THOUSANDTHS * proceeds * decides / factorial(players)))
    return tuple(values)


def bids_cover_asks(table: BoardFold, space: Space, proceeds: int, offers: Iterable[tuple[int, Offer]]) -> bool:
    """Whether the Boss could have closed with its own cards, its agreements, and cards for which it once bid at least
    the lowest price that their seat asked, at that price. ``offers`` are all that were made under this Boss, each with
    its seat."""
    boss, rules = table.terms.boss, table.rules
    if boss is None:
        return False
    payable = table.active if rules.active_to_be_paid else set(range(table.players))
    own = family_masks(table)[boss]
    agreed = [terms for terms in table.terms.agreements if terms.partner in payable]
    paid = [terms for terms in agreed if rules.pay_all_agreements or not (terms.placards or terms.clans)]
    sources = [(1 << kind, 0) for kind in range(len(FAMILIES)) if own >> kind & 1]
    sources += [(_mask(terms), 0 if rules.pay_all_agreements else terms.price) for terms in agreed]
    sources += [(_mask(terms), terms.price) for terms in _covered_asks(table, boss, offers) if terms.partner in payable]
    budget = proceeds - sum(terms.price for terms in paid)
    costs = {0: 0} if budget >= 0 else {}
    for mask, cost in sources:
        for held, spent in list(costs.items()):
            union, total = held | mask, spent + cost
            if mask and not held & mask and total <= min(budget, costs.get(union, budget)):
                costs[union] = total
    filled = filled_needs(space)
    return any(mask.bit_count() == space.needs == filled[mask] for mask in costs)


def _covered_asks(table: BoardFold, boss: int, offers: Iterable[tuple[int, Offer]]) -> list[Agreement]:
    """What the Boss bid for and what its seat asked no more for, at the lowest price asked, if the cards are still
    there."""
    bids: dict[tuple[int, object, object], int] = {}
    asks: dict[tuple[int, object, object], Agreement] = {}
    for seat, offer in offers:
        partner = offer.to if seat == boss else seat
        cards = (partner, offer.placards, offer.clans)
        if seat == boss:
            bids[cards] = max(offer.price, bids.get(cards, 0))
        elif cards not in asks or offer.price < asks[cards].price:
            asks[cards] = Agreement(partner, offer.price, offer.placards, offer.clans)
    placards, clans = placard_masks(table), clan_masks(table)
    return [
        terms
        for cards, terms in asks.items()
        if bids.get(cards, -1) >= terms.price
        and not mask_of(terms.placards) & ~placards[terms.partner]
        and not mask_of(terms.clans) & ~clans[terms.partner]
    ]


def _mask(terms: Agreement) -> int:
    return mask_of(terms.placards) | mask_of(terms.clans)
