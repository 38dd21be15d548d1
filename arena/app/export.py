"""The tables of a run as files, one a table, made from its replays by several processes.

The parts are put together in the schedule's order, whichever process was first: so the files are the same bytes for any
number of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.app.columnar import Format, Rows, load_pyarrow, open_file
from arena.app.folder import FolderStore
from arena.app.in_parts import FEW, in_parts
from arena.app.inorder import records_in_order
from arena.app.naming import kept_replay
from arena.app.packs.kept import replays_of
from arena.app.runfiles import records
from arena.app.tables import Table, choose, rows_of, tables_of
from arena.app.wholefile import check_place
from arena.errors import UserError
from arena.tournament.records import MatchRecord


class Exported(msgspec.Struct, frozen=True):
    """What was written: how many ``matches``, of which so many ``without_replay`` are in those tables alone that need
    none; ``files`` by table, and the ``rows`` of each."""

    matches: int
    without_replay: int
    files: dict[str, str]
    rows: dict[str, int]


class Part(NamedTuple):
    """Some matches, encoded: the bytes and numbers of rows by table, and how many matches had no replay."""

    matches: int
    without_replay: int
    encoded: dict[str, bytes]
    rows: dict[str, int]


class Order(NamedTuple):
    """What every part is made with: plain data, which can be sent to a process."""

    folder: Path
    games: tuple[str, ...]
    names: tuple[str, ...]
    format: Format


def export(
    folder: Path,
    out: Path | None = None,
    format: Format = Format.CSV,
    names: Sequence[str] = (),
    jobs: int = 1,
    tell: Callable[[int], object] = lambda matches: None,
) -> Exported:
    """Write the tables of the run in ``folder`` to ``out`` (by default its folder ``tables``), one file each: all of
    them, or those of these ``names``. All files are written completely, or none is; older ones of the same names are
    replaced. ``tell`` is called with the number of matches whenever some are done.

    Raises UserError for a folder without a run, a table that it has not, tables that cannot be made because no replays
    were kept, and for Parquet where pyarrow is not installed; ReplayError for a damaged replay.
    """
    FolderStore(folder).facts()
    matches, kept = look_through(folder)
    tables = choose(tables_of(kept), names)
    _check_replays(folder, tables, kept, bool(names))
    tables = {name: table for name, table in tables.items() if not table.game or kept[table.game]}
    if format is Format.PARQUET:
        load_pyarrow()
    out = out if out is not None else folder / "tables"
    check_place(out, "--out", folder=True)
    order = Order(folder.absolute(), tuple(kept), tuple(tables), format)
    parts = in_parts(_encode, order, records_in_order(folder), jobs if matches > FEW else 1, order.games)
    return write_tables(out, tables, format, parts, tell)


def look_through(folder: Path) -> tuple[int, dict[str, bool]]:
    """How many matches are finished, and the games of these, each with whether any of its matches has a replay."""
    matches, kept = 0, dict[str, bool]()
    for matches, record in enumerate(records(folder), 1):  # noqa: B007 - the last number is wanted
        kept[record.game] = kept.get(record.game, False) or bool(record.replay)
    return matches, kept


def _check_replays(folder: Path, tables: dict[str, Table], kept: dict[str, bool], named: bool) -> None:
    """Raise UserError where a table that was named cannot be made, for want of replays."""
    lacking = [name for name, table in tables.items() if table.game and not kept[table.game]]
    if lacking and named:
        those = ", ".join(lacking)
        raise UserError(f"{folder} has no replays, of which {those} would be made; play with `replays: all`")


def _encode(order: Order, matches: Sequence[MatchRecord]) -> Part:
    """The rows of some matches."""
    tables = choose(tables_of(order.games), order.names)
    found = {name: Rows(table) for name, table in tables.items()}
    replayed = any(table.game for table in tables.values())
    kept = replays_of(order.folder)
    without = 0
    for record in matches:
        replay = kept_replay(kept.get, order.folder, record) if replayed and record.replay else None
        without += replay is None
        for name, rows in rows_of(record, replay, tables.values()).items():
            found[name].add(record, rows)
    encoded = {name: rows.encoded(order.format) for name, rows in found.items()}
    counts = {name: len(rows.lines) for name, rows in found.items()}
    return Part(len(matches), without if replayed else 0, encoded, counts)


def has_ended(process: str) -> bool:
    """Whether the process of this number runs no more; another export may be writing to the same folder."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (ValueError, OverflowError, PermissionError):
        pass
    return False


def write_tables(
    out: Path, tables: dict[str, Table], format: Format, parts: Iterator[Part], tell: Callable[[int], object]
) -> Exported:
    """Write these tables into the folder ``out``, of parts in the order of their rows: all completely, or none; then
    no folder that was made for them stays either."""
    made = [each for each in (out, *out.parents) if not each.exists()]
    out.mkdir(parents=True, exist_ok=True)
    for name in tables:
        for left in out.glob(f".{name}.{format}.*"):
            if has_ended(left.suffix[1:]):  # it was killed
                left.unlink(missing_ok=True)
    final = {name: out / f"{name}.{format}" for name in tables}
    unfinished = {name: out / f".{name}.{format}.{os.getpid()}" for name in tables}
    rows = dict.fromkeys(tables, 0)
    matches = without = 0
    try:
        with ExitStack() as files:
            opened = {name: open_file(unfinished[name], table, format) for name, table in tables.items()}
            for file in opened.values():
                files.callback(file.close)
            for part in parts:
                for name, file in opened.items():
                    file.add(part.encoded[name])
                    rows[name] += part.rows[name]
                matches += part.matches
                without += part.without_replay
                tell(part.matches)
        for name, path in unfinished.items():
            path.replace(final[name])
    except BaseException as problem:
        _remove(unfinished.values(), made)
        if isinstance(problem, OSError):
            problem.filename = problem.filename or str(out)  # a full disk does not say whose bytes it refused
        raise
    return Exported(matches, without, {name: str(path) for name, path in final.items()}, rows)


def _remove(files: Iterable[Path], folders: Iterable[Path]) -> None:
    """Remove what is there of these files, then these folders, if they are empty."""
    for path in files:
        with suppress(OSError):
            path.unlink()
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()
