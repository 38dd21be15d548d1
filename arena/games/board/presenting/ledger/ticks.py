"""Ledger table of concessions in the board game: how prices and answers change from tick to tick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from arena.games.board.cards import Family
from arena.games.board.log.ledger_rows import Answer, OfferRow
from arena.games.board.presenting.ledger.prices import per_card
from arena.ledger.figure import LAST_BAND, SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit, SeatRole, seat_role
from arena.ledger.ledger_view import LedgerForm, LedgerView

OFFERED_CARDS = "its offers for cards"


class TickSums(msgspec.Struct, gc=False):
    """Sums over offers for cards, with prices in millionths; ``again`` counts ticks in which a seat named a new price
    for cards that it had offered, or bid for, in an earlier tick."""

    offers: int = 0
    price: int = 0
    share: int = 0
    yes: int = 0
    again: int = 0
    conceded: int = 0


TICKS_TABLE = FigureTable(
    "ticks",
    "Concession from tick to tick",
    ("entrant", "role", "tick"),
    TickSums,
    (
        LedgerFigure(
            "offers", "offers", LedgerUnit.COUNT, "offers", SEAT_CASES, "its matches",
            "Offers for cards that it first made in this tick, per match.",
        ),
        LedgerFigure(
            "price", "price", LedgerUnit.DIVIDENDS, "price", "offers", OFFERED_CARDS,
            "Price per card in its offers that were first made in this tick, in dividends of the deal.", quotient=True,
        ),
        LedgerFigure(
            "share", "of proceeds", LedgerUnit.SHARE, "share", "offers", OFFERED_CARDS,
            "The same as a share of the proceeds.", quotient=True,
        ),
        LedgerFigure(
            "accepted", "accepted", LedgerUnit.SHARE, "yes", "offers", OFFERED_CARDS,
            "Share of its offers for cards first made in this tick that got the answer yes.", yes_or_no=True,
        ),
        LedgerFigure(
            "concession", "concession", LedgerUnit.DIVIDENDS, "conceded", "again", "new prices for the same cards",
            "By how much its best new price in this tick is better for the other side than its best price in the last "
            "earlier tick with one, for the same cards, the same seat and under the same Boss, per card and in "
            "dividends. A partner asks less, the Boss bids more; negative: the price got worse.", quotient=True,
        ),
    ),
    ("offers", "price", "share", "accepted", "concession"),
    over=("entrant",),
    views=(
        LedgerView(LedgerForm.LINES, "tick", "price", "role"),
        LedgerView(LedgerForm.LINES, "tick", "accepted", "role"),
        LedgerView(LedgerForm.LINES, "tick", "concession", "role"),
    ),
    compared=("concession",),
)  # fmt: skip

Cells = Mapping[tuple[str, SeatRole, int], TickSums]
Asked = tuple[int, int, int, int, tuple[Family, ...], tuple[Family, ...]]
"""The subject of a price: the deal, the Boss, the offering seat, the addressee, placards and clan cards."""


def best_prices(offers: Sequence[OfferRow]) -> dict[Asked, dict[int, int]]:
    """The best price for the other side that a seat newly named in each tick for the same cards: a price per card in
    millionths of a dividend, by subject and tick, in the order of ticks."""
    best: dict[Asked, dict[int, int]] = {}
    for row in offers:
        cards = row.placards + row.clans
        if cards:
            price = per_card(row.dividends, cards)
            prices = best.setdefault((row.deal, row.boss, row.by, row.to, row.placards, row.clans), {})
            held = prices.get(row.tick, price)
            prices[row.tick] = max(held, price) if row.by == row.boss else min(held, price)
    return best


def add_ticks(
    cells: Cells, names: Sequence[str], offers: Sequence[OfferRow], best: Mapping[Asked, Mapping[int, int]]
) -> None:
    """Add a match's offers for cards, and their ``best`` prices, to the sums; ``names`` are the entrants by seat."""
    for row in offers:
        cards = row.placards + row.clans
        if not cards:
            continue
        role = seat_role(row.by, row.boss)
        cell = cells[names[row.by], role, min(row.tick, LAST_BAND)]
        cell.offers += 1
        cell.price += per_card(row.dividends, cards)
        cell.share += per_card(row.share, cards)
        cell.yes += row.answer is Answer.YES
    for about, prices in best.items():
        if len(prices) > 1:
            _add_concessions(cells, names, about, list(prices.items()))


def _add_concessions(cells: Cells, names: Sequence[str], about: Asked, prices: Sequence[tuple[int, int]]) -> None:
    """Add the changes between a seat's best prices for the same cards; ``prices`` are pairs of tick and price."""
    _, boss, by, *_ = about
    role = seat_role(by, boss)
    for (_, last), (tick, price) in pairwise(prices):
        cell = cells[names[by], role, min(tick, LAST_BAND)]
        cell.again += 1
        cell.conceded += price - last if by == boss else last - price
