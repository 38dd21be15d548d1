"""How each table of the deal ledger is shown: as a table of figures, as heat maps, or as lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """How figures are shown: entrants by figures, as a ``table``; one figure by entrants and what else it hangs on, as
    a heat ``map``; or by entrants and a number, as ``lines``."""

    TABLE = "table"
    MAP = "map"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class View:
    """One way to show a table of the ledger: the ``figure`` by the key ``across``, in a part of its own for each value
    of the key ``apart``. A table has all its figures, and ``across`` as a column."""

    form: Form
    across: str = ""
    figure: str = ""
    apart: str = ""


WHOLE = (View(Form.TABLE),)
"""Of tables that are not named below."""

VIEWS: dict[tuple[str, str], tuple[View, ...]] = {
    ("board", "offers"): (View(Form.TABLE, apart="role"),),
    ("board", "kept"): (View(Form.MAP, "investors", "kept"), View(Form.MAP, "value", "kept")),
    ("board", "prices"): (
        View(Form.MAP, "family", "got", "role"),
        View(Form.MAP, "need", "got", "role"),
        View(Form.MAP, "family", "asked", "role"),
        View(Form.MAP, "need", "asked", "role"),
    ),
    ("board", "ticks"): (
        View(Form.LINES, "tick", "price", "role"),
        View(Form.LINES, "tick", "accepted", "role"),
        View(Form.LINES, "tick", "concession", "role"),
    ),
    ("cards", "rounds"): (View(Form.TABLE, apart="role"),),
    ("cards", "bargains"): (View(Form.MAP, "want", "accepted", "kind"), View(Form.MAP, "want", "made", "kind")),
    ("cards", "turns"): (View(Form.LINES, "turn", "accepted", "kind"), View(Form.LINES, "turn", "made", "kind")),
    ("cards", "cards"): (View(Form.MAP, "card", "earned"), View(Form.MAP, "card", "played")),
    ("cards", "actions"): (View(Form.MAP, "action", "times"),),
}
"""By game and table."""
