"""Tables in HTML: the content of their cells, and the conversion of a table of results.

A page draws them with the macros of ``tables.html``; `drawn_grid` is for pages that have no template."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.pages.page import render_template
from arena.tournament.tables.result_table import ResultTable


@dataclass(frozen=True, slots=True)
class EventPlace:
    """An ``event`` of a match, given by its line in the replay, from 1. ``page`` is the number of the match's page in
    the report, None where it has none; ``command`` is a command line that shows the event in any case. In a served
    report, ``address`` is that of the event in the server's viewer."""

    match: str
    event: int
    page: int | None
    command: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A cell of a table: its ``text``, a ``picture`` beside it (SVG), the number of the ``entrant`` that it names, the
    ``place`` or ``address`` that it leads to. One of ``prose`` may be broken into lines."""

    text: str
    picture: str = ""
    entrant: int | None = None
    place: EventPlace | None = None
    prose: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """The head of a column; ``left`` aligns its cells to the left, as texts are."""

    text: str
    left: bool = False


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row of a table, with the number of its entrant if it belongs to one. A ``more`` row is shown only while its
    entrant is picked. Below a row with ``end``, a line ends the group."""

    fields: Sequence[Field]
    entrant: int | None = None
    more: bool = False
    end: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. If it has rows of ``each`` entrant, a page shows only the picked entrant's while one is picked."""

    heads: Sequence[ColumnHead]
    lines: Sequence[TableLine]
    each: bool = False


MakeField = Callable[[str, Any], Field]
"""Makes a cell from its text and from the entrant's name in the same row (column ``entrant``)."""


def grid_of(
    table: ResultTable, numbers: Mapping[str, int] | None = None, fields: Mapping[str, MakeField] | None = None
) -> Grid:
    """Return the visible columns of the table, with whole numbers grouped by thousands. ``numbers`` are those of the
    entrants, by name, and make the names pickable; ``fields`` make the cells of the columns with these keys."""
    table, made = table.for_people(), fields or {}
    heads = [ColumnHead(column.heading, column.left) for column in table.columns]
    at = table.keys.index("entrant") if "entrant" in table.keys else None
    lines = []
    for place, cells in enumerate(table.cells(grouped=True)):
        name = "" if at is None else cells[at]
        entrant = None if numbers is None or at is None else numbers[name]
        line = [
            made[key](cell, name) if key in made else Field(cell, entrant=entrant if key == "entrant" else None)
            for key, cell in zip(table.keys, cells, strict=True)
        ]
        lines.append(TableLine(line, entrant, end=place in table.ends))
    return Grid(heads, lines)


def drawn_grid(grid: Grid) -> str:
    """Return the table in HTML, in a frame in which wide tables scroll; empty where it has no row."""
    return render_template("table", {"grid": grid}) if grid.lines else ""
