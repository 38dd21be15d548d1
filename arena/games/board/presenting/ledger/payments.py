"""Ledger table of payments in the board game: who pays whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board.log.ledger_rows import PaymentKind, PaymentRow
from arena.ledger.figure import MET_COUNT, FigureTable, LedgerFigure, LedgerUnit

COMMON_MATCHES = "matches in which both sat"


class PaymentSums(msgspec.Struct, gc=False):
    """The number of matches in which two entrants ``met``, and what the first paid the second, in the game's unit."""

    met: int = 0
    times: int = 0
    paid: int = 0
    agreements: int = 0
    promises: int = 0
    fair_shares: int = 0


def _payment_figure(name: str, heading: str, total: str, definition: str) -> LedgerFigure:
    told = f"Money that the payer, as Boss, paid the payee {definition}, per match in which both sat."
    return LedgerFigure(name, heading, LedgerUnit.MONEY, total, MET_COUNT, COMMON_MATCHES, told)


PAYMENTS_TABLE = FigureTable(
    "payments",
    "Who pays whom",
    ("payer", "payee"),
    PaymentSums,
    (
        _payment_figure("paid", "paid", "paid", "out of its deals"),
        _payment_figure("by_agreement", "by agreement", "agreements", "for cards, by agreement"),
        _payment_figure("side_promises", "side promises", "promises", "as side promises, for no card"),
        _payment_figure("fair_shares", "fair shares", "fair_shares", "for cards that it used without asking"),
        LedgerFigure(
            "times", "payments", LedgerUnit.COUNT, "times", MET_COUNT, COMMON_MATCHES,
            "Payments of the payer to the payee, per match in which both sat.",
        ),
        LedgerFigure(
            "each", "each", LedgerUnit.MONEY, "paid", "times", "payments",
            "Mean size of a payment.",
        ),
    ),
    ("paid",),
)  # fmt: skip


def add_payments(
    cells: Mapping[tuple[str, str], PaymentSums], names: Sequence[str], payments: Sequence[PaymentRow]
) -> None:
    """Add a match's payments to the sums, but not the bank's; ``names`` are the entrants by seat."""
    for one, payer in enumerate(names):
        for two, payee in enumerate(names):
            if one != two:
                cells[payer, payee].met += 1
    for row in payments:
        if row.payer is None:
            continue
        cell = cells[names[row.payer], names[row.payee]]
        cell.times += 1
        cell.paid += row.amount
        match row.kind:
            case PaymentKind.AGREEMENT:
                cell.agreements += row.amount
            case PaymentKind.SIDE_PROMISE:
                cell.promises += row.amount
            case _:
                cell.fair_shares += row.amount
