"""The deal ledger in the report: how each bot bargains, as Boss and as partner, with whom, and at what prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from arena.ledger.figure import Figure, Table, Unit
from arena.ledger.gifts import GIFTS
from arena.ledger.ledger import GameLedger
from arena.ledger.rows import LedgerRow, rows_of
from arena.report.charts.lines import IN_COLOUR, Curve, lines
from arena.report.ledger_figures import (
    figure_short,
    figure_told,
    meanings_of,
    shade_of,
    shades_of,
    sheet_columns,
    sheet_row,
    unit_told,
)
from arena.report.ledger_views import VIEWS, WHOLE, Form, View
from arena.report.pairs_section import MOST
from arena.report.parts import Field, Grid, Head, HeatMap, Line, Part, Section, Sheet, Spot
from arena.tournament.figures import NOTHING
from arena.tournament.intervals import Estimate

TITLES = {"board": "How bots bargain: the deal ledger", "cards": "How bots bargain for Cousins"}
MOST_LINES = 40
"""Curves of a chart at most."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What figures are of: a ``label`` of the standings, its ``edition`` ("": all of the game), and the entrants in
    the order of these standings."""

    label: str
    edition: str
    entrants: Sequence[str]


@dataclass(frozen=True, slots=True)
class Numbered:
    """Rows of a table of one scope."""

    scope: Scope
    table: Table
    rows: Sequence[LedgerRow]
    numbers: Mapping[str, int]
    money: str


def ledger_section(
    ledger: GameLedger, scopes: Sequence[Scope], numbers: Mapping[str, int], command: str, missing: Sequence[str]
) -> Section:
    """The ledger of one game for each of the ``scopes``; the ``command`` writes all its tables."""
    parts = [part for table in ledger.tables.values() for part in _table_parts(ledger, table, scopes, numbers)]
    return Section(
        id=f"ledger-{ledger.game}",
        title=TITLES.get(ledger.game, f"How bots bargain: {ledger.game}"),
        about="Means and shares over all matches with a replay, each with its 95 % interval by block. All tables, by "
        f"edition and block too, come from: {command}",
        parts=parts,
        missing=missing,
    )


def _table_parts(
    ledger: GameLedger, table: Table, scopes: Sequence[Scope], numbers: Mapping[str, int]
) -> Iterator[Part]:
    """The parts of a table, scope by scope. In a run of many entrants only the figures that tell most."""
    if len(numbers) > MOST and table is not GIFTS:
        table = replace(table, figures=tuple(each for each in table.figures if each.name in table.told))
    by_edition: dict[str, list[LedgerRow]] = {}
    if table is not GIFTS and any(scope.edition for scope in scopes):
        for row in rows_of(ledger.book, table, ("edition", *table.keys)):
            by_edition.setdefault(str(row.keys[0]), []).append(row._replace(keys=row.keys[1:]))
    for scope in scopes:
        if table is GIFTS:
            rows = list(ledger.rows(GIFTS.name)) if scope is scopes[-1] else []
        elif scope.edition:
            rows = by_edition.get(scope.edition, [])
        else:
            rows = list(rows_of(ledger.book, table, table.keys))
        if rows:
            found = Numbered(scope, table, rows, numbers, ledger.unit)
            yield from _pairs(found) if table.of_pairs else _views(ledger, found)


def _views(ledger: GameLedger, found: Numbered) -> Iterator[Part]:
    for place, view in enumerate(VIEWS.get((ledger.game, found.table.name), WHOLE)):
        sheet = _sheet(found) if place == 0 else None
        if view.form is Form.TABLE:
            yield from _tables(found, view, sheet)
        else:
            yield from _drawn(ledger, found, view, sheet)


def _sheet(found: Numbered) -> Sheet:
    keys = found.table.keys
    return Sheet(
        f"ledger-{found.table.name}-{found.scope.label}", sheet_columns(keys), [sheet_row(row) for row in found.rows]
    )


def _tables(found: Numbered, view: View, sheet: Sheet | None) -> Iterator[Part]:
    """The figures of each entrant side by side, and what else they hang on as texts before them."""
    keys = found.table.keys
    at, apart = keys.index("entrant"), keys.index(view.apart) if view.apart else None
    others = [place for place in range(len(keys)) if place not in (at, apart)]
    groups: dict[str, dict[tuple[str, ...], dict[str, LedgerRow]]] = {}
    for row in found.rows:
        group = "" if apart is None else str(row.keys[apart])
        line = (str(row.keys[at]), *(str(row.keys[place]) for place in others))
        groups.setdefault(group, {}).setdefault(line, {})[row.figure.name] = row
    places = {name: place for place, name in enumerate(found.scope.entrants)}
    for number, (group, values) in enumerate(groups.items()):
        figures = [each for each in found.table.figures if any(each.name in of for of in values.values())]
        heads = [Head("entrant", left=True), *(Head(keys[place], left=True) for place in others)]
        heads += [Head(_head(each, found.money)) for each in figures]
        order = sorted(values, key=lambda line: (places[line[0]], line[1:]))
        yield Part(
            title=_title(found, group),
            edition=found.scope.label,
            meanings=meanings_of(found.table, keys),
            grid=Grid(heads, [_entrant_line(line, values[line], figures, found.numbers) for line in order]),
            sheet=sheet if number == 0 else None,
        )


def _entrant_line(
    line: tuple[str, ...], of: Mapping[str, LedgerRow], figures: Sequence[Figure], numbers: Mapping[str, int]
) -> Line:
    name, *others = line
    told = [Field(figure_told(of[each.name]) if each.name in of else NOTHING) for each in figures]
    return Line([Field(name, entrant=numbers[name]), *map(Field, others), *told], numbers[name])


def _head(figure: Figure, money: str) -> str:
    return (
        figure.heading if figure.unit in (Unit.SHARE, Unit.COUNT) else f"{figure.heading}, {unit_told(figure, money)}"
    )


def _title(found: Numbered, group: str, figure: Figure | None = None, across: str = "") -> str:
    told = found.table.heading
    if figure is not None:
        told = f"{told}: {figure.heading}, {unit_told(figure, found.money)}"
    if across:
        told = f"{told}, by {across}"
    return f"{told}{f', as {group}' if group else ''}: {found.scope.label}"


def _drawn(ledger: GameLedger, found: Numbered, view: View, sheet: Sheet | None) -> Iterator[Part]:
    """One figure by what it hangs on, in a map or as lines."""
    figure = next((each for each in found.table.figures if each.name == view.figure), None)
    if figure is None:
        return
    only = replace(found.table, figures=(figure,))
    apart = (view.apart,) if view.apart else ()
    by = ("entrant", *apart, view.across)
    if found.scope.edition:
        split = rows_of(ledger.book, only, ("edition", *by))
        rows = [row._replace(keys=row.keys[1:]) for row in split if row.keys[0] == found.scope.edition]
    else:
        rows = list(rows_of(ledger.book, only, by))
    groups: dict[str, list[LedgerRow]] = {}
    for row in rows:
        groups.setdefault(str(row.keys[1]) if apart else "", []).append(row)
    for place, (group, own) in enumerate(groups.items()):
        drawn = _lines(found, own, figure, view) if view.form is Form.LINES else ""
        yield Part(
            title=_title(found, group, figure, view.across),
            edition=found.scope.label,
            meanings=meanings_of(found.table, by, figure.name),
            picture=drawn,
            heat=_map(found, own, view) if view.form is Form.MAP else None,
            notes=_cut(found, view),
            sheet=sheet if place == 0 and sheet is not None else _part_sheet(found, view, by, own, group),
        )


def _cut(found: Numbered, view: View) -> list[str]:
    entrants, most = len(found.scope.entrants), IN_COLOUR if view.form is Form.LINES else MOST
    if entrants <= most:
        return []
    if view.form is Form.LINES:
        return [f"In colour: the best {most} of {entrants}; pick another to see its line."]
    return [f"The map has the best {most} of {entrants} entrants; the CSV file has all."]


def _part_sheet(found: Numbered, view: View, by: Sequence[str], rows: Sequence[LedgerRow], group: str) -> Sheet:
    name = "-".join(filter(None, ("ledger", found.table.name, view.figure, view.across, group, found.scope.label)))
    return Sheet(name, sheet_columns(by), [sheet_row(row) for row in rows])


def _lines(found: Numbered, rows: Sequence[LedgerRow], figure: Figure, view: View) -> str:
    scale = 100.0 if figure.unit is Unit.SHARE else 1.0
    points: dict[str, list[tuple[int, Estimate]]] = {}
    for row in rows:
        points.setdefault(str(row.keys[0]), []).append((int(row.keys[-1]), _scaled(row.estimate, scale)))
    curves = [
        Curve(name, found.numbers[name], points[name]) for name in found.scope.entrants[:MOST_LINES] if name in points
    ]
    title = _title(found, "", figure, view.across)
    return lines(title, curves, view.across, unit_told(figure, found.money))


def _scaled(estimate: Estimate, scale: float) -> Estimate:
    mean, low, high = (None if each is None else each * scale for each in (estimate.mean, estimate.low, estimate.high))
    return Estimate(mean, low, high, estimate.clusters)


def _map(found: Numbered, rows: Sequence[LedgerRow], view: View) -> HeatMap:
    columns = _columns(rows)
    cells = {(str(row.keys[0]), row.keys[-1]): row for row in rows}
    present = {name for name, _ in cells}
    names = [name for name in found.scope.entrants if name in present][:MOST]
    shades = shades_of(row.estimate.mean for row in rows if row.estimate.mean is not None)
    spots = [[_spot(cells.get((name, column)), name, column, shades) for column in columns] for name in names]
    sides = [(name, found.numbers[name]) for name in names]
    return HeatMap(view.across, sides, [(str(column), None) for column in columns], spots)


def _columns(rows: Sequence[LedgerRow]) -> list[str | int]:
    """What stands along a map: enums in their own order, texts and numbers in theirs."""
    found = {row.keys[-1] for row in rows}
    if all(isinstance(each, Enum) for each in found):
        return [each for each in type(next(iter(found))) if each in found]  # type: ignore[union-attr]
    return sorted(found)


def _spot(row: LedgerRow | None, name: str, column: str | int, shades: tuple[float, float]) -> Spot:
    if row is None:
        return Spot(NOTHING, None, f"{name}, {column}: no case")
    told = f"{name}, {column}: {figure_told(row)}, over {row.n:,} {row.figure.of}"
    return Spot(figure_short(row), shade_of(row.estimate, shades), told)


def _pairs(found: Numbered) -> Iterator[Part]:
    """The first figure told of a table of pairs: giver or payer in rows, the other in columns."""
    figure = next(each for each in found.table.figures if each.name == found.table.told[0])
    rows = {(str(row.keys[0]), str(row.keys[1])): row for row in found.rows if row.figure.name == figure.name}
    present = {name for pair in rows for name in pair}
    names = [name for name in found.scope.entrants if name in present][:MOST]
    shades = shades_of(row.estimate.mean for row in rows.values() if row.estimate.mean is not None)
    spots = [
        [Spot("", None, "") if one == two else _spot(rows.get((one, two)), one, f"to {two}", shades) for two in names]
        for one in names
    ]
    sides = [(name, found.numbers[name]) for name in names]
    keys = found.table.keys
    yield Part(
        title=_title(found, "", figure),
        edition=found.scope.label,
        meanings=meanings_of(found.table, keys),
        heat=HeatMap(f"{keys[0]} to {keys[1]}", sides, sides, spots),
        notes=_cut(found, View(Form.MAP)),
        sheet=_sheet(found),
    )
