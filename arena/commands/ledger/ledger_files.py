"""Writes the tables of a ledger as CSV and Parquet files, one per table, and one more with their definitions."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arena.analysis.run_ledger import LedgerOptions, choose_of_ledger
from arena.ledger.figure import NUMBER_KEYS
from arena.ledger.figure import FigureTable as Figures
from arena.ledger.gift_table import GIFTS_TABLE
from arena.ledger.ledger_fold import DealLedger, GameLedger
from arena.storage.files.atomic_files import check_place
from arena.storage.tables.match_tables import Table
from arena.storage.tables.table_files import Rows, TableFormat, load_pyarrow
from arena.storage.tables.write_tables import EncodedPart, TableExport, write_tables

VALUE_TYPES: tuple[tuple[str, object], ...] = (
    ("figure", str),
    ("unit", str),
    ("matches", int),
    ("n", int),
    ("total", float | None),
    ("mean", float | None),
    ("low", float | None),
    ("high", float | None),
    ("blocks", int),
)
"""The names and types of the columns :data:`arena.ledger.ledger_fold.VALUE_COLUMNS`."""


NOTHING_ELSE = LedgerOptions()


class FigureRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The definition of a ``figure`` in the ``table`` with this name, which is also the name of its file; ``of`` says
    what ``n`` counts."""

    table: str
    figure: str
    heading: str
    unit: str
    of: str
    definition: str


def check_files(out: Path, format: TableFormat) -> None:
    """Raise UserError where no files of this format can be written to the folder ``out``."""
    check_place(out, "--out", folder=True)
    if format is TableFormat.PARQUET:
        load_pyarrow()


def write_ledger(
    ledger: DealLedger, out: Path, format: TableFormat = TableFormat.CSV, wanted: LedgerOptions = NOTHING_ELSE
) -> TableExport:
    """Write the tables selected by ``wanted`` to the folder ``out``, and the definitions of their figures as
    ``figures``.

    Raises UserError for unknown names, if nothing can be written, and for Parquet if pyarrow is not installed.
    """
    check_files(out, format)
    tables_wanted = choose_of_ledger(ledger, wanted.names)
    rows = {name: _table_rows(game, table, wanted) for name, (game, table) in tables_wanted.items()}
    defined = Rows(Table("figures", FigureRow, of_matches=False))
    for name, (game, table) in tables_wanted.items():
        defined.add_all(_definition_rows(name, game, table))
    rows["figures"] = defined
    encoded = {name: each.encode_rows(format) for name, each in rows.items()}
    counts = {name: len(each.lines) for name, each in rows.items()}
    part = EncodedPart(ledger.matches + ledger.without_replay, ledger.without_replay, encoded, counts)
    tables = {name: each.table for name, each in rows.items()}
    return write_tables(out, tables, format, iter([part]), lambda matches: None)


def _table_rows(game: GameLedger, table: Figures, wanted: LedgerOptions) -> Rows:
    over = [each for each in wanted.over if each in table.keys and table is not GIFTS_TABLE]
    keys = game.keys(table, wanted.by, over)
    fields = [*((key, int if key in NUMBER_KEYS else str) for key in keys), *VALUE_TYPES]
    row = msgspec.defstruct("LedgerLine", fields, frozen=True, gc=False)
    found = Rows(Table(table.name, row, of_matches=False))
    columns = game.columns(table.name, wanted.by, over, wanted.entrant)
    found.lines = list(zip(*columns.values(), strict=True))
    return found


def _definition_rows(name: str, game: GameLedger, table: Figures) -> list[FigureRow]:
    return [
        FigureRow(
            table=name,
            figure=each.name,
            heading=each.heading,
            unit=game.unit_of(each),
            of=each.of,
            definition=each.definition,
        )
        for each in table.figures
    ]
