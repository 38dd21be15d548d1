"""Exports the tables of a run as files, one per table, made from its replays in several processes.

The parts are joined in the schedule's order, whichever process finishes first: so the files have the same bytes for any
number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from arena.analysis.process_map import SERIAL_MATCHES, in_parts
from arena.commands.export.data_package import write_package_files
from arena.errors import UserError
from arena.recorded.replay_names import kept_replay
from arena.storage.files.atomic_files import check_place
from arena.storage.packs.replay_packs import replays_of
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import Table, choose_run_tables, replays_by_game, rows_of_match, run_tables
from arena.storage.tables.table_files import Rows, TableFormat, load_pyarrow
from arena.storage.tables.write_tables import EncodedPart, TableExport, write_tables
from arena.tournament.records.match_record import MatchRecord


class ExportOrder(NamedTuple):
    """The arguments of each task: plain data, which can be sent to a process."""

    folder: Path
    games: tuple[str, ...]
    names: tuple[str, ...]
    format: TableFormat


def export_run(
    folder: Path,
    out: Path | None = None,
    format: TableFormat = TableFormat.CSV,
    names: Sequence[str] = (),
    jobs: int = 1,
    tell: Callable[[int], object] = lambda matches: None,
) -> TableExport:
    """Write the tables of the run in ``folder`` to ``out`` (by default its folder ``tables``), one file each: those
    called ``names``, or all. Either all files are written completely, or none is; existing files of the same names are
    replaced. ``tell`` is called with the number of matches whenever some are done.

    Raises UserError for a folder without a run, an unknown table, tables that cannot be made because no replays were
    kept, and for Parquet if pyarrow is not installed; ReplayError for a damaged replay.
    """
    FolderStore(folder).facts()
    matches, kept = replays_by_game(folder)
    tables = choose_run_tables(run_tables(kept, events=True), names)
    _check_replays(folder, tables, kept, bool(names))
    tables = {name: table for name, table in tables.items() if _has_replays(table, kept)}
    if format is TableFormat.PARQUET:
        load_pyarrow()
    out = out if out is not None else folder / "tables"
    check_place(out, "--out", folder=True)
    order = ExportOrder(folder.absolute(), tuple(kept), tuple(tables), format)
    parts = in_parts(
        _encode_rows, order, records_in_order(folder), jobs if matches > SERIAL_MATCHES else 1, order.games
    )
    return write_tables(out, tables, format, parts, tell)


def export_package(
    folder: Path,
    out: Path | None = None,
    authors: Sequence[str] = (),
    jobs: int = 1,
    tell: Callable[[int], object] = lambda matches: None,
) -> TableExport:
    """Write all tables of the run in ``folder`` as a package (:mod:`arena.commands.export.data_package`) to ``out``, by
    default its folder ``package``; ``authors`` are to be cited for it. Raises as :func:`export_run`."""
    out = out if out is not None else folder / "package"
    done = export_run(folder, out, TableFormat.PARQUET, (), jobs, tell)
    _, kept = replays_by_game(folder)
    tables = {name: table for name, table in run_tables(kept, events=True).items() if name in done.files}
    return replace(done, files=write_package_files(folder, out, tables, done.files, authors))


def _check_replays(folder: Path, tables: dict[str, Table], kept: dict[str, bool], named: bool) -> None:
    """Raise UserError if a table named by the user needs replays that were not kept."""
    lacking = [name for name, table in tables.items() if not _has_replays(table, kept)]
    if lacking and named:
        those = ", ".join(lacking)
        raise UserError(f"{folder} has no replays, and {those} are made from replays; play with `replays: all`")


def _has_replays(table: Table, kept: dict[str, bool]) -> bool:
    """Whether the table is made from records, or a game of it has replays."""
    return not table.games or any(kept[game] for game in table.games)


def _encode_rows(order: ExportOrder, matches: Sequence[MatchRecord]) -> EncodedPart:
    """The rows of some matches."""
    tables = choose_run_tables(run_tables(order.games, events=True), order.names)
    found = {name: Rows(table) for name, table in tables.items()}
    replayed = any(table.games for table in tables.values())
    kept = replays_of(order.folder)
    without = 0
    for record in matches:
        replay = kept_replay(kept.get, order.folder, record) if replayed and record.replay else None
        without += replay is None
        for name, rows in rows_of_match(record, replay, tables.values()).items():
            found[name].add(record, rows)
    encoded = {name: rows.encode_rows(order.format) for name, rows in found.items()}
    counts = {name: len(rows.lines) for name, rows in found.items()}
    return EncodedPart(len(matches), without if replayed else 0, encoded, counts)
