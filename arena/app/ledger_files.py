"""The tables of a ledger as CSV and Parquet files, one a table, and their definitions as one more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.app.columnar import Format, Rows, load_pyarrow
from arena.app.export import Exported, Part, write_tables
from arena.app.tables import Table
from arena.app.wholefile import check_place
from arena.errors import UserError, nearest
from arena.ledger.figure import NUMBERS
from arena.ledger.figure import Table as Figures
from arena.ledger.ledger import VALUES, GameLedger, Ledger

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
"""What stands in the columns of :data:`arena.ledger.ledger.VALUES`."""
assert tuple(name for name, _ in VALUE_TYPES) == VALUES


class FigureRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A figure and its definition: ``figure`` of ``table``, which is the name of its file; ``of`` says what is counted
    as ``n``."""

    table: str
    figure: str
    heading: str
    unit: str
    of: str
    definition: str


def names_of(ledger: Ledger) -> dict[str, tuple[GameLedger, Figures]]:
    """The tables of all games by name; where two games have one of the same name, it is called ``GAME-NAME``."""
    all = [(game, table) for game in ledger.games.values() for table in game.tables.values()]
    names = [table.name for _, table in all]
    return {
        table.name if names.count(table.name) == 1 else f"{game.game}-{table.name}": (game, table)
        for game, table in all
    }


def choose(ledger: Ledger, names: Sequence[str]) -> dict[str, tuple[GameLedger, Figures]]:
    """The tables of these names, all where none is named; one that several games have is meant in each of them. Raises
    UserError for one that there is not."""
    all = names_of(ledger)
    known = list(dict.fromkeys([*all, *(table.name for _, table in all.values())]))
    for name in names:
        if name not in known:
            raise UserError(f"the ledger has no table {name!r}{nearest(name, known)}; it has {', '.join(all)}")
    wanted = set(names)
    return {name: found for name, found in all.items() if not wanted or {name, found[1].name} & wanted}


def write_ledger(
    ledger: Ledger,
    out: Path,
    format: Format = Format.CSV,
    names: Sequence[str] = (),
    by: Sequence[str] = (),
    over: Sequence[str] = (),
    entrant: str = "",
) -> Exported:
    """Write the tables of these ``names`` (all where none is named) to the folder ``out``, with the definitions of the
    figures in ``figures``. Rows are as :meth:`arena.ledger.ledger.GameLedger.rows` gives them.

    Raises UserError for names that there are not, where nothing can be written, and for Parquet where pyarrow is not
    installed.
    """
    check_place(out, "--out", folder=True)
    if format is Format.PARQUET:
        load_pyarrow()
    chosen = choose(ledger, names)
    rows = {name: _rows(game, table, by, over, entrant) for name, (game, table) in chosen.items()}
    defined = Rows(Table("figures", FigureRow, of_matches=False))
    for name, (game, table) in chosen.items():
        defined.add_all(_definitions(name, game, table))
    rows["figures"] = defined
    encoded = {name: each.encoded(format) for name, each in rows.items()}
    counts = {name: len(each.lines) for name, each in rows.items()}
    part = Part(ledger.matches + ledger.without_replay, ledger.without_replay, encoded, counts)
    tables = {name: each.table for name, each in rows.items()}
    return write_tables(out, tables, format, iter([part]), lambda matches: None)


def _rows(game: GameLedger, table: Figures, by: Sequence[str], over: Sequence[str], entrant: str) -> Rows:
    own = [each for each in over if each in table.keys]
    keys = game.keys(table, by, own)
    fields = [*((key, int if key in NUMBERS else str) for key in keys), *VALUE_TYPES]
    row = msgspec.defstruct("LedgerLine", fields, frozen=True, gc=False)
    found = Rows(Table(table.name, row, of_matches=False))
    columns = game.columns(table.name, by, own, entrant)
    found.lines = list(zip(*columns.values(), strict=True))
    return found


def _definitions(name: str, game: GameLedger, table: Figures) -> list[FigureRow]:
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
