"""Ledger table of prices of cards in the board game, asked and received, by family and need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board.cards import Family
from arena.games.board.log.ledger_rows import AgreementRow, DealRow, OfferRow
from arena.ledger.figure import MILLION, FigureTable, LedgerFigure, LedgerUnit, SeatRole, seat_role
from arena.ledger.ledger_view import LedgerForm, LedgerView

PER_CARD = "An offer of several cards counts once for each card, with an equal part of its price."
ASKED_CARDS = "cards in its offers"
SOLD_CARDS = "cards that were paid for"


class PriceSums(msgspec.Struct, gc=False):
    """Sums over cards offered and cards paid for, with prices in millionths of a dividend and of the proceeds."""

    offered: int = 0
    asked: int = 0
    asked_share: int = 0
    sold: int = 0
    got: int = 0
    got_share: int = 0


PRICES_TABLE = FigureTable(
    "prices",
    "Prices of cards, asked and paid",
    ("entrant", "role", "family", "need"),
    PriceSums,
    (
        LedgerFigure(
            "asked", "asked", LedgerUnit.DIVIDENDS, "asked", "offered", ASKED_CARDS,
            f"Price of a card in its offers, in dividends of the deal: a partner asks it, the Boss bids it. "
            f"{PER_CARD}", quotient=True,
        ),
        LedgerFigure(
            "asked_share", "asked, of proceeds", LedgerUnit.SHARE, "asked_share", "offered", ASKED_CARDS,
            f"The same as a share of the proceeds. {PER_CARD}", quotient=True,
        ),
        LedgerFigure(
            "got", "paid", LedgerUnit.DIVIDENDS, "got", "sold", SOLD_CARDS,
            f"Price paid for a card by agreement, in dividends of the deal: a partner got it, the Boss paid it. "
            f"{PER_CARD}", quotient=True,
        ),
        LedgerFigure(
            "got_share", "paid, of proceeds", LedgerUnit.SHARE, "got_share", "sold", SOLD_CARDS,
            f"The same as a share of the proceeds. {PER_CARD}", quotient=True,
        ),
    ),
    ("asked", "got", "got_share"),
    over=("family",),
    views=(
        LedgerView(LedgerForm.MAP, "family", "got", "role"),
        LedgerView(LedgerForm.MAP, "need", "got", "role"),
        LedgerView(LedgerForm.MAP, "family", "asked", "role"),
        LedgerView(LedgerForm.MAP, "need", "asked", "role"),
    ),
)  # fmt: skip

Cells = Mapping[tuple[str, SeatRole, Family, str], PriceSums]


def need_of(row: OfferRow) -> str:
    """Which needs of the space an offer's cards fill: "required", "optional" or "both"."""
    if row.required and row.optional:
        return "both"
    return "required" if row.required else "optional"


def add_prices(
    cells: Cells,
    names: Sequence[str],
    deals: Sequence[DealRow],
    offers: Sequence[OfferRow],
    agreements: Sequence[AgreementRow],
) -> None:
    """Add a match's prices to the sums; ``names`` are the entrants by seat."""
    for row in offers:
        cards = row.placards + row.clans
        if not cards:
            continue
        role = seat_role(row.by, row.boss)
        dividends, share = per_card(row.dividends, cards), per_card(row.share, cards)
        need = need_of(row)
        for family in cards:
            cell = cells[names[row.by], role, family, need]
            cell.offered += 1
            cell.asked += dividends
            cell.asked_share += share
    for made in agreements:
        if not made.paid:
            continue
        cards, deal = made.placards + made.clans, deals[made.deal - 1]
        if cards:
            add_sale(cells, names, made, cards, deal, need_of(offers[made.offer - 1]))


def add_sale(
    cells: Cells, names: Sequence[str], made: AgreementRow, cards: tuple[Family, ...], deal: DealRow, need: str
) -> None:
    """Add a paid agreement on these cards to the sums of its partner and of the Boss."""
    dividends, share = per_card(made.paid / deal.dividend, cards), per_card(made.paid / deal.proceeds, cards)
    for family in cards:
        for name, role in ((names[made.partner], SeatRole.PARTNER), (names[made.boss], SeatRole.BOSS)):
            cell = cells[name, role, family, need]
            cell.sold += 1
            cell.got += dividends
            cell.got_share += share


def per_card(price: float, cards: tuple[Family, ...]) -> int:
    """The price of one of these cards, in millionths."""
    return round(price * MILLION / len(cards))
