"""Concession in the board game: how prices and answers move from tick to tick of a negotiation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board.cards import Family
from arena.games.board.ledger_rows import Answer, OfferRow
from arena.ledger.board.prices import per_card
from arena.ledger.figure import LAST_BAND, SEATS, Figure, Role, Table, Unit

OFFERED = "its offers for cards"


class TickSums(msgspec.Struct, gc=False):
    """Offers for cards, with prices in millionths; ``again`` are those for cards that the seat had offered, or bid
    for, before."""

    offers: int = 0
    price: int = 0
    share: int = 0
    yes: int = 0
    again: int = 0
    conceded: int = 0


TICKS = Table(
    "ticks",
    "Concession from tick to tick",
    ("entrant", "role", "tick"),
    TickSums,
    (
        Figure(
            "offers", "offers", Unit.COUNT, "offers", SEATS, "its matches",
            "Offers for cards that it first made in this tick, a match.",
        ),
        Figure(
            "price", "price", Unit.DIVIDENDS, "price", "offers", OFFERED,
            "Price a card of its offers that were first made in this tick, in dividends of the deal.", quotient=True,
        ),
        Figure(
            "share", "of proceeds", Unit.SHARE, "share", "offers", OFFERED,
            "The same as a share of the proceeds.", quotient=True,
        ),
        Figure(
            "accepted", "accepted", Unit.SHARE, "yes", "offers", OFFERED,
            "Share of its offers for cards first made in this tick that were answered yes.", yes_or_no=True,
        ),
        Figure(
            "concession", "concession", Unit.DIVIDENDS, "conceded", "again", "new prices for the same cards",
            "By how much a new price is better for the other side than the seat's last one for the same cards to the "
            "same seat under the same Boss, a card and in dividends: a partner asks less, the Boss bids more. Negative: "
            "it takes back.", quotient=True,
        ),
    ),
    ("offers", "price", "share", "accepted", "concession"),
)  # fmt: skip

Cells = Mapping[tuple[str, Role, int], TickSums]
Asked = tuple[int, int, int, int, tuple[Family, ...], tuple[Family, ...]]
"""What a price is for: the deal, the Boss, who offers to whom, and the cards."""


def add_ticks(cells: Cells, names: Sequence[str], offers: Sequence[OfferRow]) -> None:
    """The offers for cards of a match, whose entrants by seat have these ``names``."""
    before: dict[Asked, int] = {}
    for row in offers:
        cards = row.placards + row.clans
        if not cards:
            continue
        by_boss = row.by == row.boss
        price = per_card(row.dividends, cards)
        tick = min(row.tick, LAST_BAND)
        cell = cells[names[row.by], Role.BOSS if by_boss else Role.PARTNER, tick]
        cell.offers += 1
        cell.price += price
        cell.share += per_card(row.share, cards)
        cell.yes += row.answer is Answer.YES
        about = (row.deal, row.boss, row.by, row.to, row.placards, row.clans)
        if (last := before.get(about)) is not None:
            cell.again += 1
            cell.conceded += price - last if by_boss else last - price
        before[about] = price
