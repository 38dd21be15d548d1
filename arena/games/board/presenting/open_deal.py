"""What the open deal of the board game would bring in the current situation: which cards fill its needs, and who gets
what. Computed by the rules' own code from the table that the page shows."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

import msgspec

from arena.games.board.answers.closing import (
    Source,
    closing_payments,
    closing_with,
    fixed_costs,
    is_fair_share,
    may_be_paid,
    need_sources,
)
from arena.games.board.answers.legal import ASIDE_OWNER
from arena.games.board.cards import NO_CLANS, Card, Family, clans_counted, count_cards, mask_of
from arena.games.board.deal_money import kept_by_boss, seat_amounts
from arena.games.board.log.fold_table import BoardTable, TablePlacard
from arena.games.board.moves import Agreement, Close
from arena.games.board.rules import Layout
from arena.games.board.table import Table
from arena.games.board.views import NamedClosing, OpenOffer


class CoverKind(StrEnum):
    """How the Boss can use a card that fills a need."""

    PLACARD = "own placard"
    LAID = "laid"
    IN_HAND = "in hand"
    AGREED = "agreed"
    ASKED = "asks"
    FAIR_SHARE = "fair share"
    NAMED = "named"


class CoverSource(msgspec.Struct, frozen=True, gc=False):
    """Cards that fill needs of the open deal, only usable together: the ``placards`` and ``clans`` that ``seat`` brings
    in for ``cost`` $M; ``how`` is the way in which the Boss can use them."""

    seat: int
    placards: tuple[Family, ...]
    clans: tuple[Family, ...]
    cost: int
    how: CoverKind


class OpenDeal(NamedTuple):
    """The state of the open deal. ``cover`` are the cards that fill most needs for least money, among those that the
    Boss has, has agreed on, or has named; ``hope`` are cards that may fill more, from its hand or by open offers.
    ``missing`` is how many needs ``cover`` leaves open. ``amounts`` is what each seat would get if the deal closed with
    ``cover``, in $M; ``unpayable`` are the seats that may not be paid now (B8)."""

    cover: tuple[CoverSource, ...] = ()
    hope: tuple[CoverSource, ...] = ()
    missing: int = 0
    amounts: tuple[int, ...] = ()
    unpayable: tuple[int, ...] = ()


class DealSituation(NamedTuple):
    """The fields of a :class:`BoardTable` on which the open deal depends, in a negotiation. ``hand`` is the Boss's, or
    None if it is not known."""

    boss: int
    marker: int
    deal: int
    placards: tuple[TablePlacard, ...]
    hand: tuple[Card, ...] | None
    laid: tuple[tuple[Family, ...], ...]
    offers: tuple[OpenOffer, ...]
    agreements: tuple[Agreement, ...]
    active: tuple[int, ...]
    named: NamedClosing | None


def deal_situation(shown: BoardTable) -> DealSituation | None:
    """The situation of the deal that is open on a table; None outside negotiations."""
    if shown.boss is None:
        return None
    assert shown.marker is not None
    assert shown.deal is not None
    return DealSituation(
        shown.boss,
        shown.marker,
        shown.deal,
        shown.placards,
        shown.hands[shown.boss],
        shown.laid,
        shown.offers,
        shown.agreements,
        shown.active,
        shown.named,
    )


class _Choice(NamedTuple):
    """Sources chosen together: the mask of the families that they bring in, and their cost."""

    mask: int = 0
    cost: int = 0
    used: tuple[Source, ...] = ()


def open_deal(layout: Layout, shown: DealSituation) -> OpenDeal:
    """The open deal in this situation."""
    table = _table(layout, shown)
    budget = table.proceeds - fixed_costs(table)
    if shown.named is not None:
        named = _named_sources(table, shown.named.closing)
        sure = every = _Choice(_joint_mask(named), sum(source.cost for source in named), tuple(named))
    else:
        known = sorted(need_sources(table, NO_CLANS, with_offers=False), key=lambda each: _fair_order(table, each))
        hand = count_cards(shown.hand or ())
        sure = _best(table, known, _Choice(), budget)
        every = _best(
            table, [each for each in need_sources(table, hand, with_offers=True) if each not in known], sure, budget
        )
    paid = closing_payments(table, closing_with(sure.used))
    kept = kept_by_boss(table.proceeds, sum(paid))
    return OpenDeal(
        cover=tuple(_cover_source(table, each, shown) for each in sure.used),
        hope=tuple(_cover_source(table, each, shown) for each in every.used[len(sure.used) :]),
        missing=layout.needs[table.marker] - sure.mask.bit_count(),
        amounts=seat_amounts(table.boss, kept, paid),
        unpayable=tuple(seat for seat in range(layout.players) if not may_be_paid(table, seat)),
    )


def _table(layout: Layout, shown: DealSituation) -> Table:
    """A table of the engine, filled in only as far as closings depend on it."""
    table = Table()
    table.layout, table.boss, table.marker = layout, shown.boss, shown.marker
    table.deal = layout.cards.index(shown.deal)
    table.owners = bytes([ASIDE_OWNER if each.owner is None else each.owner for each in shown.placards])
    table.travelling = sum(1 << index for index, each in enumerate(shown.placards) if each.card is not None)
    table.laid = tuple(map(clans_counted, shown.laid))
    table.offers = tuple(
        tuple(each.offer for each in shown.offers if each.by == seat) for seat in range(layout.players)
    )
    table.agreements = shown.agreements
    table.active = sum(1 << seat for seat in shown.active)
    return table


def _best(table: Table, usable: Iterable[Source], start: _Choice, budget: int) -> _Choice:
    """Add ``usable`` sources to ``start`` and return the choice that fills the most needs for at most ``budget`` $M; of
    several such choices, the cheapest. A family counts only once (B4.2)."""
    filled = table.layout.filled[table.marker]
    best = {start.mask: start}
    for source in usable:
        for mask, chosen in list(best.items()):
            union, cost = mask | source.mask, chosen.cost + source.cost
            if mask & source.mask or filled[union] < union.bit_count() or cost > budget:
                continue
            if union not in best or cost < best[union].cost:
                best[union] = _Choice(union, cost, (*chosen.used, source))
    return max(best.values(), key=lambda each: (each.mask.bit_count(), -each.cost))


def _named_sources(table: Table, close: Close) -> list[Source]:
    """The sources of a closing that the Boss has named."""
    own = [Source(mask_of((family,)), 0, placard=family) for family in close.placards]
    own += [Source(mask_of((family,)), 0, clan=family) for family in close.clans]
    free = table.agreements if table.layout.rules.pay_all_agreements else ()  # they are paid in any case
    return own + [
        Source(mask_of((*terms.placards, *terms.clans)), 0 if terms in free else terms.price, partner=terms)
        for terms in close.partners
    ]


def _joint_mask(used: Iterable[Source]) -> int:
    mask = 0
    for source in used:
        mask |= source.mask
    return mask


def _fair_order(table: Table, source: Source) -> tuple[bool, bool, int]:
    """A sort key: fair shares last, among them placards before clan cards, then by family (B9.3)."""
    terms = source.partner
    if terms is None or not is_fair_share(table, terms):
        return False, False, 0
    return True, bool(terms.clans), source.mask


def _cover_source(table: Table, source: Source, shown: DealSituation) -> CoverSource:
    if (terms := source.partner) is not None:
        if shown.named is not None:
            how = CoverKind.NAMED
        elif terms in table.agreements:
            how = CoverKind.AGREED
        else:
            how = CoverKind.FAIR_SHARE if is_fair_share(table, terms) else CoverKind.ASKED
        return CoverSource(terms.partner, terms.placards, terms.clans, source.cost, how)
    boss = table.boss if shown.named is None else shown.named.by
    if source.placard is not None:
        return CoverSource(boss, (source.placard,), (), 0, CoverKind.PLACARD)
    assert source.clan is not None
    laid = shown.named is not None or source.clan in shown.laid[table.boss]
    return CoverSource(boss, (), (source.clan,), 0, CoverKind.LAID if laid else CoverKind.IN_HAND)
