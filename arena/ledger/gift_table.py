"""Gifts in the ledger: what each entrant gave each other above what is usual; :mod:`arena.collusion` finds them."""

from __future__ import annotations

import msgspec

from arena.ledger.figure import MET_COUNT, FigureTable, LedgerFigure, LedgerUnit


class PairGifts(msgspec.Struct, gc=False):
    """The number of matches in which both ``met``, and the sum of the gifts in them."""

    met: int = 0
    gift: float = 0.0


GIFTS_TABLE = FigureTable(
    "gifts",
    "Gifts: who gives whom more than usual",
    ("giver", "receiver"),
    PairGifts,
    (
        LedgerFigure(
            "gift", "gift", LedgerUnit.MONEY, "gift", MET_COUNT, "matches in which both sat",
            "Money that the giver gave the receiver, per match, beyond what it gives everybody and what the receiver "
            "gets from everybody in similar positions; negative: less. `arena docs collusion` defines gifts.",
        ),
    ),
    ("gift",),
)  # fmt: skip
