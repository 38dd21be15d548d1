"""A table of results: one record of columns and rows, of which JSON and CSV are written here, text and Markdown in
:mod:`arena.tournament.tables.table_text`, HTML in :mod:`arena.pages.html_table`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.csv_cells import safe_cell, write_csv
from arena.tournament.tables.rounded_figures import (
    NO_VALUE,
    csv_number,
    estimate_cells,
    estimate_columns,
    estimate_data,
    estimate_text,
    json_number,
    signed_text,
)

Row = Sequence[Any]
"""A value for each column: text, a number, a truth value, an `Estimate`, None where it is unknown; a list or a mapping
where the column has ``parts``, or is for JSON alone."""


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """One column. Programs use its ``key``; people read the ``heading`` above it, and a column without a heading is
    hidden from them.

    Columns of text are aligned ``left``. Numbers are shown with so many ``decimals``, a ``share`` in percent, a
    ``signed`` difference with its sign; ``unknown`` is shown where there is no value. CSV spreads a value that has
    several ``parts`` over columns of these names.
    """

    key: str
    heading: str = ""
    left: bool = False
    decimals: int = 1
    share: bool = False
    signed: bool = False
    unknown: str = NO_VALUE
    parts: tuple[str, ...] = ()

    def text(self, value: Any, grouped: bool = False) -> str:
        """The value as people read it; ``grouped`` separates the thousands of whole numbers."""
        if isinstance(value, float):
            value = Estimate(value, None, None, 0)
        match value:
            case None | Estimate(mean=None):
                return self.unknown
            case Estimate():
                write = signed_text if self.signed else estimate_text
                return write(value, decimals=self.decimals, share=self.share)
            case int() if grouped:
                return f"{value:,}"
        return str(value)


def estimate_column(key: str, heading: str = "", **looks: Any) -> ResultColumn:
    """A column of estimates: CSV has the mean under the ``key``, and the interval in three columns behind it."""
    return ResultColumn(key, heading, parts=tuple(estimate_columns(key)), **looks)


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Columns and rows. ``ends`` are the indices, from 0, of the rows that end a group of rows for people."""

    columns: tuple[ResultColumn, ...]
    rows: Sequence[Row]
    ends: Collection[int] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the columns."""
        return tuple(column.key for column in self.columns)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings that people read above the columns."""
        return tuple(column.heading for column in self.columns)

    def pick(self, keys: Iterable[str]) -> ResultTable:
        """The table with only the columns of these keys, in the order of the keys."""
        places = [self.keys.index(key) for key in keys]
        rows = [[row[place] for place in places] for row in self.rows]
        return replace(self, columns=tuple(self.columns[place] for place in places), rows=rows)

    def drop(self, keys: Collection[str]) -> ResultTable:
        """The table without the columns of these keys."""
        return self.pick([key for key in self.keys if key not in keys])

    def for_people(self) -> ResultTable:
        """The table with only the columns that people see."""
        return self.pick([column.key for column in self.columns if column.heading])

    def cells(self, grouped: bool = False) -> list[list[str]]:
        """The rows as people read them."""
        columns = self.columns
        return [[each.text(value, grouped) for each, value in zip(columns, row, strict=True)] for row in self.rows]


def keyed_table(keys: Iterable[str | ResultColumn], rows: Sequence[Row]) -> ResultTable:
    """A table for programs alone, of columns with these keys."""
    return ResultTable(tuple(ResultColumn(each) if isinstance(each, str) else each for each in keys), rows)


def rows_data(table: ResultTable, flat: bool = False) -> list[dict[str, object]]:
    """The rows, ready for JSON, each by the keys of the columns. Estimates are ``{"mean", "half_width", "low", "high",
    "clusters"}``, or ``flat``: their parts side by side. Unknown values are null, numbers are rounded to 6 decimals."""
    names = [name for column in table.columns for name in (column.parts if flat and column.parts else (column.key,))]
    spread = [bool(flat and column.parts) for column in table.columns]
    found = []
    for row in table.rows:
        values: list[object] = []
        for parts, value in zip(spread, row, strict=True):
            if parts:
                values += _interval_cells(value)
            elif isinstance(value, Estimate):
                values.append(estimate_data(value))
            else:
                values.append(json_number(value) if isinstance(value, float) else value)
        found.append(dict(zip(names, values, strict=True)))
    return found


def _interval_cells(value: Estimate | None) -> tuple[float | None, ...]:
    if value is None:
        return (None,) * 4
    return json_number(value.mean), json_number(value.half_width), json_number(value.low), json_number(value.high)


def table_csv(table: ResultTable, end: str = "\n") -> str:
    """The table as CSV, under the keys of the columns: numbers with six decimals, unknown values empty."""
    text = StringIO()
    write_csv(text, _csv_lines(table), written={}, end=end)
    return text.getvalue()


def _csv_lines(table: ResultTable) -> Iterator[list[object]]:
    yield [safe_cell(name) for column in table.columns for name in column.parts or (column.key,)]
    spread = [len(column.parts) for column in table.columns]
    for row in table.rows:
        line: list[object] = []
        for parts, value in zip(spread, row, strict=True):
            if not parts:
                line.append(_csv_cell(value))
            elif isinstance(value, Estimate):
                line += estimate_cells(value)
            elif value is None:
                line += [""] * parts
            else:
                line += map(_csv_cell, value.values() if isinstance(value, Mapping) else value)
        yield line


def _csv_cell(value: Any) -> object:
    if isinstance(value, float):
        return csv_number(value)
    if isinstance(value, str):
        return safe_cell(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value
