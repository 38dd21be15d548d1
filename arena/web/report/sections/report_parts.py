"""The parts of a report: sections consist of parts, each a chart, a table or a heat map, with the meanings of its
figures and its rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.pages.html_table import Grid
from arena.tournament.tables.result_table import ResultTable, table_csv


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a ``term`` in a part, in a sentence or two."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a part as a CSV file. ``name`` is the file's name without its ending."""

    name: str
    table: ResultTable

    def text(self) -> str:
        """Return the content of the file (RFC 4180): numbers with six decimals, unknown ones empty."""
        return table_csv(self.table, end="\r\n")


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell of a heat map: its ``text``, its shade from -10 (least) through 0 (neutral) to 10 (most), None where it is
    unknown, and ``told``: its full description."""

    text: str
    shade: int | None
    told: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A heat map. ``sides`` are the names of rows and of columns, each with the number of its entrant, if it is one;
    ``corner`` says what the cells contain."""

    corner: str
    rows: Sequence[tuple[str, int | None]]
    columns: Sequence[tuple[str, int | None]]
    spots: Sequence[Sequence[Spot]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPart:
    """One chart, table or heat map. ``edition`` is that of its figures, "" where they cover the whole run.
    ``sentences`` stand above it and say the most important, ``notes`` below it."""

    title: str
    edition: str = ""
    meanings: Sequence[Meaning] = ()
    sentences: Sequence[str] = ()
    picture: str = ""
    grid: Grid | None = None
    heat: HeatMap | None = None
    notes: Sequence[str] = ()
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSection:
    """A section of the report. ``id`` is its anchor in links; ``missing`` says why all or some of its parts are left
    out."""

    id: str
    title: str
    about: str = ""
    parts: Sequence[ReportPart] = ()
    missing: Sequence[str] = ()
