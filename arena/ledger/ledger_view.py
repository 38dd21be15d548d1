"""How each table of the deal ledger is shown: as a table of figures, as heat maps, or as lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LedgerForm(StrEnum):
    """How figures are shown: entrants by figures, as a ``table``; one figure by entrants and another key, as a heat
    ``map``; or one figure by entrants and a key that is a number, as ``lines``."""

    TABLE = "table"
    MAP = "map"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class LedgerView:
    """One way to show a table of the ledger: the ``figure`` by the key ``across``, in a separate part for each value of
    the key ``apart``. A table shows all its figures, with ``across`` as a column."""

    form: LedgerForm
    across: str = ""
    figure: str = ""
    apart: str = ""


WHOLE_TABLE = (LedgerView(LedgerForm.TABLE),)
"""The view of a table that names no other."""
