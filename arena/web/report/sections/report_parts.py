"""What a report consists of: sections, each of parts, each a chart, a table or a map, with what its figures mean and
their rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.pages.html_table import Grid
from arena.tournament.tables.result_table import ResultTable, table_csv


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a ``term`` in a part means, in a sentence or two."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a part as a file in CSV. ``name`` is the file's, without its ending."""

    name: str
    table: ResultTable

    def text(self) -> str:
        """The file (RFC 4180): numbers with six decimals, unknown ones empty."""
        return table_csv(self.table, end="\r\n")


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
