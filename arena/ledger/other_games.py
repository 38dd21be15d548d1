"""The ledger of games that provide no tables for it: the columns of their own tables, counted and averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.ledger.figure import MILLION, SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit


class ColumnSums(msgspec.Struct, gc=False):
    """The number of rows with a number in the column, and the sum of these numbers in millionths."""

    rows: int = 0
    total: int = 0


COLUMNS_TABLE = FigureTable(
    "columns",
    "The game's tables, column by column",
    ("entrant", "table", "column"),
    ColumnSums,
    (
        LedgerFigure(
            "rows", "rows", LedgerUnit.COUNT, "rows", SEAT_CASES, "its matches",
            "Rows of the table that belong to the entrant's seat and have a number in this column, per match.",
        ),
        LedgerFigure(
            "mean", "mean", LedgerUnit.COUNT, "total", "rows", "such rows",
            "Mean of the numbers in this column; if the values are true or false, the share of true.", quotient=True,
        ),
    ),
    ("rows", "mean"),
)  # fmt: skip


def add_columns(
    cells: Mapping[tuple[str, str, str], ColumnSums], names: Sequence[str], rows: Mapping[str, Sequence[Any]]
) -> None:
    """Add those rows of a match that have a ``seat`` to ``cells``; ``names`` are the entrants by seat."""
    for table, each in rows.items():
        if not each or "seat" not in each[0].__struct_fields__:
            continue
        for row in each:
            for column in row.__struct_fields__:
                number = getattr(row, column)
                if column != "seat" and isinstance(number, int | float):
                    cell = cells[names[row.seat], table, column]
                    cell.rows += 1
                    cell.total += round(number * MILLION)
