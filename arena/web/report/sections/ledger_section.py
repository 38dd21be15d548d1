"""The deal ledger in the report: how each bot bargains, as Boss and as partner, with whom, and at what prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from arena.ledger.figure import FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.figure_rows import LedgerRow, figure_rows
from arena.ledger.game_tables import ledger_tables
from arena.ledger.gift_table import GIFTS_TABLE
from arena.ledger.ledger_fold import GameLedger
from arena.ledger.ledger_view import LedgerForm, LedgerView
from arena.pages.html_table import ColumnHead, Field, Grid, TableLine
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.rounded_figures import NO_VALUE
from arena.web.report.charts.line_chart import IN_COLOUR, Curve, line_chart
from arena.web.report.sections.ledger_figures import (
    band_told,
    figure_sheet,
    figure_short,
    figure_told,
    meanings_of,
    shade_of,
    shades_of,
    unit_told,
)
from arena.web.report.sections.pairs_section import MAP_ENTRANTS
from arena.web.report.sections.report_parts import HeatMap, ReportPart, ReportSection, Sheet, Spot

MOST_LINES = 40
"""How many curves a chart has at most."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The matches that figures cover: a ``label`` of the standings, its ``edition`` ("": all editions of the game), and
    the entrants in the order of these standings."""

    label: str
    edition: str
    entrants: Sequence[str]


@dataclass(frozen=True, slots=True)
class LedgerReader:
    """Reads the rows of one ``table`` of a ``ledger`` for the ``scopes``; ``numbers`` are those of the entrants."""

    ledger: GameLedger
    table: FigureTable
    scopes: Sequence[Scope]
    numbers: Mapping[str, int]

    def rows(self, by: Sequence[str], figures: Sequence[LedgerFigure]) -> dict[str, list[LedgerRow]]:
        """The rows of these figures by the label of the scope, each with the keys ``by``."""
        table, found = replace(self.table, figures=tuple(figures)), dict[str, list[LedgerRow]]()
        if self.table is GIFTS_TABLE:
            return {self.scopes[-1].label: list(self.ledger.rows(GIFTS_TABLE.name))} if self.scopes else {}
        labels = {scope.edition: scope.label for scope in self.scopes}
        if any(labels):
            for row in figure_rows(self.ledger.book, table, ("edition", *by)):
                if (label := labels.get(str(row.keys[0]))) is not None:
                    found.setdefault(label, []).append(row._replace(keys=row.keys[1:]))
        if "" in labels:
            found[labels[""]] = list(figure_rows(self.ledger.book, table, by))
        return found


def ledger_section(
    ledger: GameLedger, scopes: Sequence[Scope], numbers: Mapping[str, int], command: str, missing: Sequence[str]
) -> ReportSection:
    """Return the section on one game's ledger for each of the ``scopes``; ``command`` writes all its tables."""
    parts = [
        part
        for table in ledger.tables.values()
        for part in _table_parts(LedgerReader(ledger, table, scopes, numbers), len(numbers) > MAP_ENTRANTS)
    ]
    return ReportSection(
        id=f"ledger-{ledger.game}",
        title=ledger_tables(ledger.game).title or f"How bots bargain: {ledger.game}",
        about="Means and shares over all matches with a replay, each with its 95 % interval by block. For all "
        f"tables, also by edition and block, use: {command}",
        parts=parts,
        missing=missing,
    )


def _table_parts(reading: LedgerReader, many: bool) -> Iterator[ReportPart]:
    """Yield the parts of a table; where there are ``many`` entrants, only with its most important figures."""
    table = reading.table
    figures = [each for each in table.figures if not many or each.name in table.told]
    if table.of_pairs:
        yield from _pair_parts(reading, figures)
        return
    for view in table.views:
        if view.form is LedgerForm.TABLE:
            yield from _figure_tables(reading, view, figures)
        else:
            yield from _chart_parts(reading, view)


def _figure_tables(reading: LedgerReader, view: LedgerView, figures: Sequence[LedgerFigure]) -> Iterator[ReportPart]:
    """Yield tables with the figures of each entrant side by side, preceded by the values of the other keys."""
    keys = reading.table.keys
    found = reading.rows(keys, figures)
    for scope in reading.scopes:
        for group, rows in _split_rows(found.get(scope.label, ()), keys, view.apart).items():
            yield ReportPart(
                title=_part_title(reading, view.apart, group),
                edition=scope.label,
                meanings=meanings_of(reading.table, keys),
                grid=_figure_grid(reading, scope, view, rows),
                notes=[reading.table.note] if reading.table.note else [],
                sheet=_ledger_sheet(reading, scope, keys, rows, group),
            )


def _split_rows(rows: Sequence[LedgerRow], keys: Sequence[str], apart: str) -> dict[str, list[LedgerRow]]:
    """Group the rows by the value of the key ``apart``; all in one group where there is no such key."""
    at = keys.index(apart) if apart else None
    found: dict[str, list[LedgerRow]] = {}
    for row in rows:
        found.setdefault("" if at is None else str(row.keys[at]), []).append(row)
    return found


def _figure_grid(reading: LedgerReader, scope: Scope, view: LedgerView, rows: Sequence[LedgerRow]) -> Grid:
    keys = reading.table.keys
    at = keys.index("entrant")
    others = [place for place, key in enumerate(keys) if key not in ("entrant", view.apart)]
    values: dict[tuple[str, ...], dict[str, LedgerRow]] = {}
    for row in rows:
        line = (str(row.keys[at]), *(str(row.keys[place]) for place in others))
        values.setdefault(line, {})[row.figure.name] = row
    figures = list(dict.fromkeys(row.figure for row in rows))
    figures.sort(key=reading.table.figures.index)
    heads = [ColumnHead("entrant", left=True), *(ColumnHead(keys[place], left=True) for place in others)]
    heads += [ColumnHead(_figure_head(each, reading.ledger.unit)) for each in figures]
    places = {name: place for place, name in enumerate(scope.entrants)}
    order = sorted(values, key=lambda line: (places[line[0]], line[1:]))
    return Grid(heads, [_entrant_line(line, values[line], figures, reading.numbers) for line in order])


def _entrant_line(
    line: tuple[str, ...], of: Mapping[str, LedgerRow], figures: Sequence[LedgerFigure], numbers: Mapping[str, int]
) -> TableLine:
    name, *others = line
    told = [Field(figure_told(of[each.name]) if each.name in of else NO_VALUE) for each in figures]
    return TableLine([Field(name, entrant=numbers[name]), *map(Field, others), *told], numbers[name])


def _figure_head(figure: LedgerFigure, money: str) -> str:
    """Return the heading of a figure with its unit, unless the unit is in the cells or the figure is a plain number."""
    return (
        figure.heading
        if figure.unit in (LedgerUnit.SHARE, LedgerUnit.COUNT, LedgerUnit.NUMBER)
        else f"{figure.heading}, {unit_told(figure, money)}"
    )


def _part_title(
    reading: LedgerReader, apart: str = "", group: str = "", figure: LedgerFigure | None = None, across: str = ""
) -> str:
    told = reading.table.heading
    if figure is not None:
        told = f"{told}: {_figure_head(figure, reading.ledger.unit)}"
        told += " in %" if figure.unit is LedgerUnit.SHARE else ""
    if across:
        told = f"{told}, by {across}"
    if not apart:
        return told
    return f"{told} ({label_of(reading.ledger, apart, group)})"


def label_of(ledger: GameLedger, key: str, value: str) -> str:
    """Return the name of a key's value in the ledger of a game."""
    return ledger_tables(ledger.game).labels.get((key, value), value)


def _ledger_sheet(
    reading: LedgerReader, scope: Scope, by: Sequence[str], rows: Sequence[LedgerRow], group: str = "", what: str = ""
) -> Sheet:
    name = "-".join(filter(None, ("ledger", reading.table.name, what, group, scope.label)))
    return Sheet(name, figure_sheet(by, rows))


def _chart_parts(reading: LedgerReader, view: LedgerView) -> Iterator[ReportPart]:
    """Yield one figure by the values of a key, as a heat map or as lines."""
    figure = next((each for each in reading.table.figures if each.name == view.figure), None)
    if figure is None:
        return
    by = ("entrant", *((view.apart,) if view.apart else ()), view.across)
    found = reading.rows(by, [figure])
    for scope in reading.scopes:
        for group, rows in _split_rows(found.get(scope.label, ()), by, view.apart).items():
            title = _part_title(reading, view.apart, group, figure, view.across)
            yield ReportPart(
                title=title,
                edition=scope.label,
                meanings=meanings_of(reading.table, by, figure.name),
                picture=_line_chart(reading, scope, rows, figure, view, title) if view.form is LedgerForm.LINES else "",
                heat=_figure_map(reading, scope, rows, view) if view.form is LedgerForm.MAP else None,
                notes=_cut_notes(scope, view),
                sheet=_ledger_sheet(reading, scope, by, rows, group, f"{view.figure}-by-{view.across}"),
            )


def _cut_notes(scope: Scope, view: LedgerView) -> list[str]:
    entrants, most = len(scope.entrants), IN_COLOUR if view.form is LedgerForm.LINES else MAP_ENTRANTS
    if entrants <= most:
        return []
    if view.form is LedgerForm.LINES:
        return [f"In colour: the best {most} of {entrants}; pick another to see its line."]
    return [f"The map has the best {most} of {entrants} entrants; the CSV file has all."]


def _line_chart(
    reading: LedgerReader, scope: Scope, rows: Sequence[LedgerRow], figure: LedgerFigure, view: LedgerView, title: str
) -> str:
    scale = 100.0 if figure.unit is LedgerUnit.SHARE else 1.0
    points: dict[str, list[tuple[int, Estimate]]] = {}
    for row in rows:
        points.setdefault(str(row.keys[0]), []).append((int(row.keys[-1]), _scale_estimate(row.estimate, scale)))
    curves = [
        Curve(name, reading.numbers[name], points[name]) for name in scope.entrants[:MOST_LINES] if name in points
    ]
    return line_chart(title, curves, view.across, unit_told(figure, reading.ledger.unit))


def _scale_estimate(estimate: Estimate, scale: float) -> Estimate:
    mean, low, high = (None if each is None else each * scale for each in (estimate.mean, estimate.low, estimate.high))
    return Estimate(mean, low, high, estimate.clusters)


def _figure_map(reading: LedgerReader, scope: Scope, rows: Sequence[LedgerRow], view: LedgerView) -> HeatMap:
    columns = _map_columns(rows)
    heads = [band_told(view.across, column, reading.ledger.unit) for column in columns]
    cells = {(str(row.keys[0]), row.keys[-1]): row for row in rows}
    present = {name for name, _ in cells}
    names = [name for name in scope.entrants if name in present][:MAP_ENTRANTS]
    shades = shades_of(row.estimate.mean for row in rows if row.estimate.mean is not None)
    spots = [
        [
            _figure_spot(cells.get((name, column)), name, told, shades)
            for column, told in zip(columns, heads, strict=True)
        ]
        for name in names
    ]
    sides = [(name, reading.numbers[name]) for name in names]
    return HeatMap(view.across, sides, [(told, None) for told in heads], spots)


def _map_columns(rows: Sequence[LedgerRow]) -> list[str | int]:
    """Return the columns of a heat map: enums in their own order, texts and numbers sorted."""
    found = {row.keys[-1] for row in rows}
    if all(isinstance(each, Enum) for each in found):
        return [each for each in type(next(iter(found))) if each in found]  # type: ignore[union-attr]
    return sorted(found)


def _figure_spot(row: LedgerRow | None, name: str, column: str, shades: tuple[float, float]) -> Spot:
    if row is None:
        return Spot(NO_VALUE, None, f"{name}, {column}: no case")
    told = f"{name}, {column}: {figure_told(row)}, over {row.n:,} {row.figure.of}"
    return Spot(figure_short(row), shade_of(row.estimate, shades), told)


def _pair_parts(reading: LedgerReader, figures: Sequence[LedgerFigure]) -> Iterator[ReportPart]:
    """Yield a pair table's most important figure as a heat map: giver or payer in rows, the other in columns."""
    table = reading.table
    (figure, *_) = [each for each in table.figures if each.name == table.told[0]]
    found = reading.rows(table.keys, figures)
    for scope in reading.scopes:
        if rows := found.get(scope.label):
            yield ReportPart(
                title=_part_title(reading, figure=figure),
                edition=scope.label,
                meanings=meanings_of(table, table.keys),
                heat=_pair_map(reading, scope, [row for row in rows if row.figure is figure]),
                notes=_cut_notes(scope, LedgerView(LedgerForm.MAP)),
                sheet=_ledger_sheet(reading, scope, table.keys, rows),
            )


def _pair_map(reading: LedgerReader, scope: Scope, rows: Sequence[LedgerRow]) -> HeatMap:
    cells = {(str(row.keys[0]), str(row.keys[1])): row for row in rows}
    present = {name for pair in cells for name in pair}
    names = [name for name in scope.entrants if name in present][:MAP_ENTRANTS]
    shades = shades_of(row.estimate.mean for row in cells.values() if row.estimate.mean is not None)
    own = Spot("", None, "")
    spots = [
        [own if one == two else _figure_spot(cells.get((one, two)), one, f"to {two}", shades) for two in names]
        for one in names
    ]
    sides = [(name, reading.numbers[name]) for name in names]
    first, second = reading.table.keys
    return HeatMap(f"{first} to {second}", sides, sides, spots)
