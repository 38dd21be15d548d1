"""Closings: which are legal, what they cost, and the one the engine chooses when it must (B4.5 phase 4, B7.1, B9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.games.board.answers.legal import owned_mask
from arena.games.board.cards import FAMILIES, FAMILY_ID, NO_CLANS, Family, families_in, mask_of
from arena.games.board.moves import Agreement, Close, Offer
from arena.games.board.spaces import misfit_reason
from arena.games.board.table import Table, by_terms, either_mask, family_order, free_clans, promised_placards
from arena.games.contract import Refusal


class Source(NamedTuple):
    """One way to fill needs: the families it brings in, as a mask, its cost in $M, and its entry in a :class:`Close`.

    The entry is ``placard`` or ``clan`` for the Boss's own card, ``partner`` for another seat's cards.
    """

    mask: int
    cost: int
    placard: Family | None = None
    clan: Family | None = None
    partner: Agreement | None = None


def may_be_paid(table: Table, seat: int) -> bool:
    """Whether ``seat`` may receive money for this deal (B8, "active to be paid")."""
    return not table.layout.rules.active_to_be_paid or bool(table.active >> seat & 1)


def fixed_costs(table: Table) -> int:
    """What the Boss pays in any closing, in $M: side promises, and with ``pay_all_agreements`` every agreement."""
    every = table.layout.rules.pay_all_agreements
    return sum(
        agreement.price
        for agreement in table.agreements
        if (every or not (agreement.placards or agreement.clans)) and may_be_paid(table, agreement.partner)
    )


def is_fair_share(table: Table, terms: Agreement) -> bool:
    """Whether ``terms`` are one card at its fair share that the Boss may use without asking (B9.1)."""
    if not table.layout.fair or terms.price != table.fair_price or terms.partner == table.boss:
        return False
    if len(terms.placards) + len(terms.clans) != 1 or not 0 <= terms.partner < table.layout.players:
        return False
    if terms.clans:
        return free_clans(table, terms.partner, terms.clans[0]) > 0
    usable = owned_mask(table.owners, terms.partner) & ~table.travelling & ~promised_placards(table.agreements)
    return bool(usable & mask_of(terms.placards))


def matching_offer(table: Table, terms: Agreement) -> Offer | None:
    """The open offer to the Boss that has these terms; None if there is none."""
    if not 0 <= terms.partner < table.layout.players:
        return None
    offer = Offer(table.boss, terms.price, family_order(terms.placards), family_order(terms.clans))
    return offer if offer in table.offers[terms.partner] else None


def canonical_closing(close: Close) -> Close:
    """The same closing with every list of families in family order and partners in seat order."""
    partners = (
        Agreement(terms.partner, terms.price, family_order(terms.placards), family_order(terms.clans))
        for terms in close.partners
    )
    return Close(
        family_order(close.placards),
        family_order(close.clans),
        tuple(sorted(partners, key=lambda terms: (terms.partner, terms.price, terms.placards, terms.clans))),
    )


def barred_placard(table: Table, seat: int, family: Family) -> str:
    """Why a placard is not one that ``seat`` can bring in: another's, travelling or promised."""
    index = FAMILY_ID[family]
    if table.owners[index] != seat:
        return f"the {family} placard is not seat {seat}'s"
    if table.travelling >> index & 1:
        return f"the {family} placard travels"
    return f"the {family} placard is promised already"


def refuse_close(table: Table, hand: bytes, close: Close) -> Refusal | None:
    """Why the rules refuse this closing by a Boss who holds ``hand``; None if they allow it."""
    boss, laid, mask = table.boss, table.laid[table.boss], 0
    families: list[Family] = [*close.placards, *close.clans]
    for family in close.placards:
        index = FAMILY_ID[family]
        if table.owners[index] != boss or table.travelling >> index & 1:
            return Refusal("B4.3", barred_placard(table, boss, family))
    for family in close.clans:
        if not laid[FAMILY_ID[family]] and not hand[FAMILY_ID[family]]:
            return Refusal("B4.3", f"the Boss has no {family} clan card")
    for terms in close.partners:
        if refused := _refuse_terms(table, terms):
            return refused
        families += terms.placards
        families += terms.clans
    for family in families:
        bit = 1 << FAMILY_ID[family]
        if mask & bit:
            return Refusal("B4.2", f"{family} fills two needs; a family counts once")
        mask |= bit
    return _refuse_fit(table, mask) or _refuse_cost(table, close)


def _refuse_terms(table: Table, terms: Agreement) -> Refusal | None:
    terms = Agreement(terms.partner, terms.price, family_order(terms.placards), family_order(terms.clans))
    if not terms.placards and not terms.clans:
        return Refusal("B4.5", "a side promise fills no need; it is paid without being named")
    if is_fair_share(table, terms):
        return None
    if terms not in table.agreements and matching_offer(table, terms) is None:
        return Refusal(
            "B4.5", f"no agreement and no open offer of seat {terms.partner} with these cards at ${terms.price}M"
        )
    if not may_be_paid(table, terms.partner):
        return Refusal("B8", f"seat {terms.partner} has played no card in this negotiation and may not be paid")
    return None


def _refuse_fit(table: Table, mask: int) -> Refusal | None:
    layout, space = table.layout, table.marker
    if layout.filled[space][mask] == layout.needs[space] == mask.bit_count():
        return None
    return Refusal("B4.2", misfit_reason(layout.rules.spaces[space], mask))


def _refuse_cost(table: Table, close: Close) -> Refusal | None:
    total = sum(closing_payments(table, close))
    if total > table.proceeds:
        return Refusal("B4.4", f"payments of ${total}M exceed the proceeds of ${table.proceeds}M")
    return None


def closing_payments(table: Table, close: Close) -> tuple[int, ...]:
    """What the Boss pays each seat in this closing, in $M (B7.1): for the cards it uses, and every side promise."""
    paid = [0] * table.layout.players
    every = table.layout.rules.pay_all_agreements
    for terms in close.partners:
        if not (every and terms in table.agreements):
            paid[terms.partner] += terms.price
    for agreement in table.agreements:
        if (every or not (agreement.placards or agreement.clans)) and may_be_paid(table, agreement.partner):
            paid[agreement.partner] += agreement.price
    return tuple(paid)


def need_sources(table: Table, hand: bytes, with_offers: bool) -> list[Source]:
    """Everything the Boss may fill needs with: own placards, own clan cards laid or in ``hand``, agreements,
    fair shares, and with ``with_offers`` the offers to the Boss that are still open."""
    boss, laid, rules = table.boss, table.laid[table.boss], table.layout.rules
    wanted = table.layout.wanted[table.marker]
    placards = owned_mask(table.owners, boss) & ~table.travelling & wanted
    found = [source for source in OWN_PLACARDS if source.mask & placards]
    for index, source in enumerate(OWN_CLANS):
        if source.mask & wanted and (laid[index] or hand[index]):
            found.append(source)
    partners = sorted([terms for terms in table.agreements if terms.placards or terms.clans], key=by_terms)
    if table.layout.fair:
        partners += _fair_terms(table)
    if with_offers:
        for seat, offers in enumerate(table.offers):
            if offers and seat != boss:
                partners += [Agreement(seat, o.price, o.placards, o.clans) for o in offers if o.placards or o.clans]
    for terms in dict.fromkeys(partners):
        mask = mask_of(terms.placards + terms.clans)
        if not mask & ~wanted and (may_be_paid(table, terms.partner) or is_fair_share(table, terms)):
            cost = 0 if rules.pay_all_agreements and terms in table.agreements else terms.price
            found.append(Source(mask, cost, partner=terms))
    return found


OWN_PLACARDS = tuple([Source(1 << index, 0, placard=family) for index, family in enumerate(FAMILIES)])
OWN_CLANS = tuple([Source(1 << index, 0, clan=family) for index, family in enumerate(FAMILIES)])
"""The Boss's own cards as sources, by family."""


def _fair_terms(table: Table) -> list[Agreement]:
    price, found = table.fair_price, []
    usable = ~table.travelling & ~promised_placards(table.agreements)
    for seat in range(table.layout.players):
        if seat == table.boss:
            continue
        for family in families_in(owned_mask(table.owners, seat) & usable):
            found.append(Agreement(seat, price, placards=(family,)))
        for family in FAMILIES:
            if free_clans(table, seat, family) > 0:
                found.append(Agreement(seat, price, clans=(family,)))
    return found


def legal_closings(table: Table, hand: bytes, with_offers: bool = True) -> Iterator[Close]:
    """Every legal closing, each once, in canonical form."""
    if not can_fill(table, hand):
        return
    filled, needs = table.layout.filled[table.marker], table.layout.needs[table.marker]
    usable = need_sources(table, hand, with_offers)
    together = 0
    for source in usable:
        together |= source.mask
    if filled[together] < needs:
        return
    budget = table.proceeds - fixed_costs(table)
    left = [0] * (len(usable) + 1)  # what sources from here on can still fill
    for index in range(len(usable) - 1, -1, -1):
        left[index] = left[index + 1] | usable[index].mask
    stack: list[tuple[int, int, int, tuple[Source, ...]]] = [(0, 0, 0, ())]
    while stack:
        index, mask, cost, used = stack.pop()
        if filled[mask] == needs:
            if cost <= budget:
                yield closing_with(used)
            continue
        if index == len(usable) or filled[mask | left[index]] < needs:
            continue
        stack.append((index + 1, mask, cost, used))
        source = usable[index]
        union = mask | source.mask
        if not source.mask & mask and filled[union] == union.bit_count() and cost + source.cost <= budget:
            stack.append((index + 1, union, cost + source.cost, (*used, source)))


def closing_with(used: Sequence[Source]) -> Close:
    """The closing that uses these sources, in canonical form."""
    return canonical_closing(
        Close(
            tuple(source.placard for source in used if source.placard is not None),
            tuple(source.clan for source in used if source.clan is not None),
            tuple(source.partner for source in used if source.partner is not None),
        )
    )


def cheapest_closing(table: Table, hand: bytes = bytes(16), with_offers: bool = False) -> Close | None:
    """The legal closing that costs least; ties go to placards before clan cards, then to the lowest family ids (B9.3).
    With the default arguments it is the closing that the engine plays when the Boss must close. None if there is no
    legal closing."""

    def rank(close: Close) -> tuple[int, int, list[int], list[tuple[int, int]]]:
        clans = [*close.clans, *(family for terms in close.partners for family in terms.clans)]
        families = [*close.placards, *clans, *(family for terms in close.partners for family in terms.placards)]
        return (
            sum(closing_payments(table, close)),
            len(clans),
            sorted(FAMILY_ID[family] for family in families),
            [(terms.partner, terms.price) for terms in close.partners],
        )

    return min(legal_closings(table, hand, with_offers), key=rank, default=None)


def must_close(table: Table) -> bool:
    """Whether the Boss may not let this deal lapse: B9 holds and what lies on the table suffices (B9.3)."""
    return table.layout.fair and next(legal_closings(table, NO_CLANS, with_offers=False), None) is not None


def can_fill(table: Table, hand: bytes) -> bool:
    """Whether a legal closing could exist at all: a quick test to make before those that exist are compared."""
    layout, boss, marker = table.layout, table.boss, table.marker
    if layout.fair:
        return True
    mask = owned_mask(table.owners, boss) & ~table.travelling | either_mask(hand, table.laid[boss])
    for terms in table.agreements:
        mask |= mask_of(terms.placards + terms.clans)
    for offers in table.offers:
        for offer in offers:
            mask |= mask_of(offer.placards + offer.clans)
    return layout.filled[marker][mask] == layout.needs[marker]
