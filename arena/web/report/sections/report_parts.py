"""What a report consists of: sections, each of parts, each a chart, a table or a map, with what its figures mean and
their rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.tournament.standings.rounded_figures import csv_number, csv_text

Cell = str | int | float | bool | None
"""A value in a CSV file; None is empty."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a ``term`` in a part means, in a sentence or two."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a part as a file in CSV. ``name`` is the file's, without its ending."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def text(self) -> str:
        """The file (RFC 4180): numbers with at most six decimals, unknown ones empty."""
        lines = [self.columns, *([_cell_text(cell) for cell in row] for row in self.rows)]
        return csv_text(lines).replace("\n", "\r\n") if not _has_breaks(lines) else _by_line(lines)


def _cell_text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return csv_number(cell) if isinstance(cell, float) else str(cell)


def _has_breaks(lines: Sequence[Sequence[str]]) -> bool:
    return any("\n" in cell for line in lines for cell in line)


def _by_line(lines: Sequence[Sequence[str]]) -> str:
    """Line by line, so that breaks inside a cell stay as they are."""
    return "".join(f"{csv_text([line])[:-1]}\r\n" for line in lines)


@dataclass(frozen=True, slots=True)
class EventPlace:
    """An ``event`` of a match, by its line in the replay from 1. ``page`` is the number of the match's page in the
    report, None where it has none; ``command`` shows the event in any case. In a report that is served, ``address`` is
    that of the event in the server's viewer."""

    match: str
    event: int
    page: int | None
    command: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A cell of a table: its ``text``, a ``picture`` beside it (SVG), the number of the ``entrant`` that it names, the
    ``place`` that it leads to. One of ``prose`` may be broken into lines."""

    text: str
    picture: str = ""
    entrant: int | None = None
    place: EventPlace | None = None
    prose: bool = False


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """The head of a column; ``left`` says that its cells are texts."""

    text: str
    left: bool = False


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row of a table, of the entrant of this number if it is that of one. One that is ``more`` is seen only when its
    entrant is picked."""

    fields: Sequence[Field]
    entrant: int | None = None
    more: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. Of one with rows of ``each`` entrant only those of the picked one are seen, if one is picked."""

    heads: Sequence[ColumnHead]
    lines: Sequence[TableLine]
    each: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell of a heat map: its ``text``, its shade from -10 (least) by 0 (even) to 10 (most), None where nothing is
    known, and ``told``: all that is known of it, in words."""

    text: str
    shade: int | None
    told: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A table of rows against columns. ``sides`` are the names of rows and of columns with the number of the entrant,
    if it is one; ``corner`` says what stands in the cells."""

    corner: str
    rows: Sequence[tuple[str, int | None]]
    columns: Sequence[tuple[str, int | None]]
    spots: Sequence[Sequence[Spot]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPart:
    """One chart, table or map. ``edition`` is that of its figures, "" where they are of the whole run. ``notes`` are
    sentences below it."""

    title: str
    edition: str = ""
    meanings: Sequence[Meaning] = ()
    picture: str = ""
    grid: Grid | None = None
    heat: HeatMap | None = None
    notes: Sequence[str] = ()
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSection:
    """A section of the report. ``id`` is its place in links; ``missing`` says why it has no parts, or why some are
    not there."""

    id: str
    title: str
    about: str = ""
    parts: Sequence[ReportPart] = ()
    missing: Sequence[str] = ()
