"""How each table of the deal ledger is shown: as a table of figures, as heat maps, or as lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LedgerForm(StrEnum):
    """How figures are shown: entrants by figures, as a ``table``; one figure by entrants and what else it hangs on, as
    a heat ``map``; or by entrants and a number, as ``lines``."""

    TABLE = "table"
    MAP = "map"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class LedgerView:
    """One way to show a table of the ledger: the ``figure`` by the key ``across``, in a part of its own for each value
    of the key ``apart``. A table has all its figures, and ``across`` as a column."""

    form: LedgerForm
    across: str = ""
    figure: str = ""
    apart: str = ""


WHOLE = (LedgerView(LedgerForm.TABLE),)
"""Of tables that are not named below."""

VIEWS: dict[tuple[str, str], tuple[LedgerView, ...]] = {
    ("board", "offers"): (LedgerView(LedgerForm.TABLE, apart="role"),),
    ("board", "kept"): (LedgerView(LedgerForm.MAP, "investors", "kept"), LedgerView(LedgerForm.MAP, "value", "kept")),
    ("board", "prices"): (
        LedgerView(LedgerForm.MAP, "family", "got", "role"),
        LedgerView(LedgerForm.MAP, "need", "got", "role"),
        LedgerView(LedgerForm.MAP, "family", "asked", "role"),
        LedgerView(LedgerForm.MAP, "need", "asked", "role"),
    ),
    ("board", "ticks"): (
        LedgerView(LedgerForm.LINES, "tick", "price", "role"),
        LedgerView(LedgerForm.LINES, "tick", "accepted", "role"),
        LedgerView(LedgerForm.LINES, "tick", "concession", "role"),
    ),
    ("cards", "rounds"): (LedgerView(LedgerForm.TABLE, apart="role"),),
    ("cards", "bargains"): (
        LedgerView(LedgerForm.MAP, "want", "accepted", "kind"),
        LedgerView(LedgerForm.MAP, "want", "made", "kind"),
    ),
    ("cards", "turns"): (
        LedgerView(LedgerForm.LINES, "turn", "accepted", "kind"),
        LedgerView(LedgerForm.LINES, "turn", "made", "kind"),
    ),
    ("cards", "cards"): (LedgerView(LedgerForm.MAP, "card", "earned"), LedgerView(LedgerForm.MAP, "card", "played")),
    ("cards", "actions"): (LedgerView(LedgerForm.MAP, "action", "times"),),
}
"""By game and table."""
