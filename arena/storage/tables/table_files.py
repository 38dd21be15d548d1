"""Rows of tables as the bytes of CSV or Parquet files.

Workers encode the rows of a few matches at a time (:class:`Rows`); :class:`CsvFile` or :class:`ParquetFile` joins the
results in a file. Equal rows give equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena import __version__
from arena.errors import UserError
from arena.storage.tables.match_tables import Column, ColumnKind, Table
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.tables.csv_cells import csv_text, safe_cell, write_csv

if TYPE_CHECKING:
    import pyarrow

ITEM_SEPARATOR = ";"
"""The separator between the items of a list in CSV."""
ROW_GROUP = 1 << 16
"""The minimum number of rows of a Parquet file that are written together."""
CSV_TRUTH = {True: "true", False: "false", None: ""}


class TableFormat(StrEnum):
    """The file formats of tables; the value is the suffix."""

    CSV = "csv"
    PARQUET = "parquet"


class Rows:
    """Rows of one table, from several matches."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lines: list[tuple[Any, ...]] = []

    def add(self, record: MatchRecord, rows: Iterable[msgspec.Struct]) -> None:
        """Add the rows of a match."""
        match = (record.id, record.edition, record.block)
        self.lines += [(*match, *msgspec.structs.astuple(row)) for row in rows]

    def add_all(self, rows: Iterable[msgspec.Struct]) -> None:
        """Add rows that belong to no match."""
        self.lines += [msgspec.structs.astuple(row) for row in rows]

    def columns(self) -> dict[str, list[Any]]:
        """The values of each column, by its name."""
        names = [column.name for column in self.table.columns]
        if not self.lines:
            return {name: [] for name in names}
        return {name: list(values) for name, values in zip(names, zip(*self.lines, strict=True), strict=True)}

    def encode_rows(self, format: TableFormat) -> bytes:
        """The rows as lines of CSV, or as Arrow record batches (IPC)."""
        return self._csv() if format is TableFormat.CSV else self._ipc()

    def _csv(self) -> bytes:
        written = {
            place: write for place, each in enumerate(self.table.columns) if (write := CELL_WRITERS.get(each.kind))
        }
        text = StringIO()
        write_csv(text, self.lines, written)
        return text.getvalue().encode()

    def _ipc(self) -> bytes:
        import pyarrow

        sink = pyarrow.BufferOutputStream()
        batch = self.batch()
        with pyarrow.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        return bytes(sink.getvalue())

    def batch(self) -> pyarrow.RecordBatch:
        """The rows as an Arrow record batch. Raises UserError where pyarrow is not installed."""
        pyarrow = load_pyarrow()
        columns = self.columns()
        for column in self.table.columns:
            if column.kind is ColumnKind.DATA:
                columns[column.name] = [None if each is None else _value_json(each) for each in columns[column.name]]
        return pyarrow.RecordBatch.from_pydict(columns, schema=schema_of(self.table.columns))


def _value_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _list_cell(value: Sequence[Any] | None) -> str:
    return ITEM_SEPARATOR.join(map(str, value)) if value else ""


CELL_WRITERS: dict[ColumnKind, Callable[[Any], object]] = {
    ColumnKind.TRUTH: CSV_TRUTH.__getitem__,
    ColumnKind.WHOLES: _list_cell,
    ColumnKind.TEXT: safe_cell,
    ColumnKind.TIME: lambda value: value.isoformat(),
    ColumnKind.TEXTS: lambda value: safe_cell(_list_cell(value)),
    ColumnKind.DATA: lambda value: "" if value is None else safe_cell(_value_json(value)),
}
"""The functions that convert values for CSV, for the kinds of columns whose values are not written unchanged."""


def load_pyarrow() -> Any:
    """Import pyarrow, which reads and writes Parquet. Raises UserError where it is not installed."""
    try:
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError as problem:
        how = 'install it with: pip install pyarrow (arena\'s extra "parquet"), or use CSV'
        raise UserError(f"Parquet and Arrow need pyarrow ({problem}); {how}") from None
    return pyarrow


def schema_of(columns: Sequence[Column]) -> Any:
    """The Arrow schema of these columns. Enums are strings."""
    pa = load_pyarrow()
    types = {
        ColumnKind.WHOLE: pa.int64(),
        ColumnKind.NUMBER: pa.float64(),
        ColumnKind.TRUTH: pa.bool_(),
        ColumnKind.TEXT: pa.string(),
        ColumnKind.WHOLES: pa.list_(pa.int64()),
        ColumnKind.TEXTS: pa.list_(pa.string()),
        ColumnKind.TIME: pa.timestamp("us", "UTC"),
        ColumnKind.DATA: pa.string(),
    }
    return pa.schema([pa.field(each.name, types[each.kind], nullable=each.empty) for each in columns])


class CsvFile:
    """A CSV file that is being written: RFC 4180 except for its line ends, which are ``\\n``."""

    def __init__(self, path: Path, table: Table) -> None:
        self._file = path.open("wb")
        self._file.write(csv_text([[column.name for column in table.columns]]).encode())

    def add(self, part: bytes) -> None:
        """Append rows that a worker has encoded."""
        self._file.write(part)

    def close(self) -> None:
        """Close the complete file."""
        self._file.close()


class ParquetFile:
    """A Parquet file that is being written, in groups of at least :data:`ROW_GROUP` rows."""

    def __init__(self, path: Path, table: Table) -> None:
        self._arrow = load_pyarrow()
        schema = schema_of(table.columns).with_metadata({"arena": __version__, "table": table.name})
        self._schema = schema
        self._writer = self._arrow.parquet.ParquetWriter(path, schema, compression="zstd")
        self._batches: list[Any] = []
        self._rows = 0

    def add(self, part: bytes) -> None:
        """Append rows that a worker has encoded."""
        with self._arrow.ipc.open_stream(part) as stream:
            for batch in stream:
                self._batches.append(batch)
                self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            self._write()

    def _write(self) -> None:
        table = self._arrow.Table.from_batches(self._batches, self._schema.remove_metadata())
        self._writer.write_table(table.replace_schema_metadata(self._schema.metadata), row_group_size=1 << 20)
        self._batches, self._rows = [], 0

    def close(self) -> None:
        """Close the complete file."""
        if self._rows:
            self._write()
        self._writer.close()


def open_table_file(path: Path, table: Table, format: TableFormat) -> CsvFile | ParquetFile:
    """Open a table's file in this format for writing."""
    return CsvFile(path, table) if format is TableFormat.CSV else ParquetFile(path, table)
