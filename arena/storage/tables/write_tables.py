"""Writes tables as files: all of them completely, or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.storage.files.atomic_files import blame_path, remove_left
from arena.storage.tables.match_tables import Table
from arena.storage.tables.table_files import TableFormat, open_table_file


class TableExport(msgspec.Struct, frozen=True):
    """The result of an export: the number of ``matches``; those ``without_replay``, which are only in tables made from
    records; ``files`` by table, and the number of ``rows`` of each."""

    matches: int
    without_replay: int
    files: dict[str, str]
    rows: dict[str, int]


class EncodedPart(NamedTuple):
    """Some matches, encoded: the bytes and numbers of rows by table, and the number of matches without a replay."""

    matches: int
    without_replay: int
    encoded: dict[str, bytes]
    rows: dict[str, int]


def write_tables(
    out: Path,
    tables: dict[str, Table],
    format: TableFormat,
    parts: Iterator[EncodedPart],
    tell: Callable[[int], object],
) -> TableExport:
    """Write these tables into the folder ``out``, from parts in the order of their rows: all of them completely, or
    none. On failure, folders created for them are removed too."""
    made = [each for each in (out, *out.parents) if not each.exists()]
    out.mkdir(parents=True, exist_ok=True)
    for name in tables:
        remove_left(out / f"{name}.{format}")
    final = {name: out / f"{name}.{format}" for name in tables}
    unfinished = {name: out / f".{name}.{format}.{os.getpid()}" for name in tables}
    rows = dict.fromkeys(tables, 0)
    matches = without = 0
    try:
        with blame_path(out), ExitStack() as files:
            opened = {name: open_table_file(unfinished[name], table, format) for name, table in tables.items()}
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
    except BaseException:
        _remove_files(unfinished.values(), made)
        raise
    return TableExport(matches, without, {name: str(path) for name, path in final.items()}, rows)


def _remove_files(files: Iterable[Path], folders: Iterable[Path]) -> None:
    """Remove those of these files that exist, then those of these folders that are empty."""
    for path in files:
        with suppress(OSError):
            path.unlink()
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()
