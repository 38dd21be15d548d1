"""Gifts in the ledger: what each entrant gave each other above what is usual; :mod:`arena.collusion` finds them."""

from __future__ import annotations

import msgspec

from arena.ledger.figure import MET, Figure, Table, Unit


class GiftsMet(msgspec.Struct, gc=False):
    """Matches in which both ``met``, and the gift of these together."""

    met: int = 0
    gift: float = 0.0


GIFTS = Table(
    "gifts",
    "Gifts: who gives whom more than others",
    ("giver", "receiver"),
    GiftsMet,
    (
        Figure(
            "gift", "gift", Unit.MONEY, "gift", MET, "matches in which both sat",
            "What the giver gave the receiver a match, beyond what it gives everybody and what the receiver gets from "
            "everybody in like positions; negative: less. What counts as given: `arena docs collusion`.",
        ),
    ),
    ("gift",),
)  # fmt: skip
