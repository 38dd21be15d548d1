"""Standings as text: JSON-able data and CSV for programs, Markdown and plain tables for people.

Every text ends in a line break. Pairs and seats have tables of their own, in
:mod:`arena.tournament.standings.breakdown`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from textwrap import fill

import tabulate

from arena.games import load_game
from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.measures.measures import Measure, MeasureUnit, order_measures
from arena.tournament.schedule.schedule import ALL_EDITIONS
from arena.tournament.standings.breakdown import pair_data, seat_data
from arena.tournament.standings.design_worth import design_told
from arena.tournament.standings.rounded_figures import (
    TEXT_WIDTH,
    csv_number,
    csv_text,
    estimate_cells,
    estimate_columns,
    estimate_data,
    estimate_text,
    json_number,
    percent_text,
)
from arena.tournament.standings.standings import Standings, StandingsRow, Value

_FIRST_COLUMNS = ("edition", "games", "place", "entrant", "matches")
FEW_BLOCKS = 5
"""With fewer blocks, a table says that they tell little."""


def standings_data(standings: Iterable[Standings]) -> dict[str, dict[str, object]]:
    """``{edition: {...}}`` with the fields of `Standings`, ready for JSON.

    Shares are in 0…1, money is in ``unit``; an estimate is ``{"mean", "half_width", "low", "high",
    "clusters"}``; unknown values are
    null. Numbers are rounded to 6 decimals.
    """
    return {
        each.edition: {
            "games": list(each.games),
            "unit": _money_unit(each),
            "matches": each.matches,
            "voids": each.voids,
            "blocks": each.blocks,
            "even_share": json_number(each.even_share),
            "design_factor": {name: estimate_data(factor) for name, factor in each.design.items()},
            "rows": [_row_data(row, each.measures) for row in each.rows],
            "seats": [seat_data(row) for row in each.seats],
            "crosstable": [pair_data(pair) for pair in each.crosstable],
        }
        for each in standings
    }


def standings_csv(standings: Iterable[Standings]) -> str:
    """One line for each entrant of each edition, best first; plain numbers, and empty fields for unknown values.

    After the fixed columns comes each measure under its name, with ``X_half_width``, ``X_low`` and ``X_high`` after an
    estimate X; ``even_share`` stands behind the last estimate. ``games`` are separated by spaces. At the end comes
    ``NAME.KIND`` for each kind, by name, that a measure with parts has in any of the standings.
    """
    every = list(standings)
    measures = list(dict.fromkeys(measure for each in every for measure in each.measures))
    estimates = max((place for place, measure in enumerate(measures, 1) if measure.interval), default=0)
    parts = [
        (measure.name, kind)
        for measure in measures
        if measure.parts is not None
        for kind in sorted({kind for each in every for row in each.rows for kind in row.parts[measure.name]})
    ]

    def line(fixed: Iterable[object], measured: Callable[[Measure], Iterable[object]], even: object) -> list[object]:
        before, after = measures[:estimates], measures[estimates:]
        return [*fixed, *chain.from_iterable(map(measured, before)), even, *chain.from_iterable(map(measured, after))]

    header = line(_FIRST_COLUMNS, _csv_names, "even_share")
    lines: list[Sequence[object]] = [[*header, *(f"{name}.{kind}" for name, kind in parts)]]
    for each in every:
        for place, row in enumerate(each.rows, start=1):
            fixed = (each.edition, " ".join(each.games), place, row.entrant, row.matches)
            by_kind = (row.parts[name].get(kind, 0) for name, kind in parts)
            lines.append([*line(fixed, partial(_csv_cells, row), csv_number(each.even_share)), *by_kind])
    return csv_text(lines)


def standings_markdown(standings: Standings) -> str:
    """A GitHub table, a blank line and the `caption`, without a heading."""
    shown = shown_measures(standings)
    escaped = [[escape_markdown(cell) for cell in row] for row in _row_cells(standings, shown)]
    return f"{_format_table(_table_headers(shown), escaped, 'github')}\n\n{standings_caption(standings)}\n"


def escape_markdown(cell: str) -> str:
    """Text that Markdown shows as it is written: a stranger chooses a bot's name."""
    return re.sub(r"([\\`*_\[\]<>&|~#])", r"\\\1", cell)


def standings_table(standings: Standings, columns: int | None = None) -> str:
    """A table for the terminal, a second one of the measures that were made for this tournament, if any, and below them
    the `caption`. Where the terminal has fewer ``columns`` than a table, measures are left out, the last first, but
    those that decide the order and counts last; the caption names them."""
    shown = shown_measures(standings)
    tables = [_fitting_table(standings, [each for each in shown if not each.made], True, columns)]
    if made := [each for each in shown if each.made]:
        tables.append(_fitting_table(standings, made, False, columns))
    kept = [each for _, measures in tables for each in measures]
    below = standings_caption(standings, kept)
    if left_out := ", ".join(each.header for each in shown if each not in kept):
        below += f" Too wide for this terminal: {left_out}; all is in standings.csv, or with --json."
    printed = "\n\n".join(table for table, _ in tables)
    return f"{printed}\n\n{fill(below, min(TEXT_WIDTH, columns or TEXT_WIDTH))}\n"


def _fitting_table(
    standings: Standings, measures: Sequence[Measure], matches: bool, columns: int | None
) -> tuple[str, list[Measure]]:
    """A table of as many of these measures as have room, and which they are; with the number of ``matches`` or
    without."""
    kept = list(measures)
    decide = order_measures(standings.measures, standings.games)
    needed = sorted(kept, key=lambda each: each not in decide and each.interval)
    while True:
        headers, cells = _table_headers(kept), _row_cells(standings, kept)
        if not matches:
            headers, cells = [*headers[:2], *headers[3:]], [[*row[:2], *row[3:]] for row in cells]
        table = _format_table(headers, cells, "simple")
        if columns is None or len(kept) < 2 or max(map(len, table.splitlines())) <= columns:
            return table, kept
        kept.remove(needed.pop())


def _format_table(headers: list[str], rows: list[list[str]], tablefmt: str) -> str:
    with _letters_counted():
        if not rows:  # tabulate 0.9 cannot align columns without rows
            return tabulate.tabulate([], headers=headers, tablefmt=tablefmt)
        align = ["left" if header == "entrant" else "right" for header in headers]
        return tabulate.tabulate(rows, headers=headers, tablefmt=tablefmt, disable_numparse=True, colalign=align)


@contextmanager
def _letters_counted() -> Iterator[None]:
    """Inside of it the width of a name is the number of its letters. Where wcwidth is installed, tabulate would count
    Chinese letters twice, and files would be other bytes than elsewhere."""
    before, tabulate.WIDE_CHARS_MODE = tabulate.WIDE_CHARS_MODE, False
    try:
        yield
    finally:
        tabulate.WIDE_CHARS_MODE = before


def standings_caption(standings: Standings, measures: Iterable[Measure] | None = None) -> str:
    """The text below a table of these ``measures`` (by default of all that have a column): what it counts, the unit of
    money, how to read it, and what the design was worth."""
    unit = _money_unit(standings)
    counted = (
        f"{standings.edition}: {_count_text(standings.matches, 'match', 'matches')}{_editions_text(standings)} "
        f"in {_count_text(standings.blocks, 'block', 'blocks')}, {standings.voids} void"
        f"{f'; money in {unit}' if unit else ''}."
    )
    even = _even_shares(standings, shown_measures(standings) if measures is None else measures)
    told = [counted, _order_sentence(standings), even, _interval_note(standings.blocks), design_told(standings)]
    return " ".join(filter(None, told))


def _order_sentence(standings: Standings) -> str:
    """By which measures the rows are ordered."""
    by = order_measures(standings.measures, standings.games)
    if not by or not standings.matches:
        return ""
    first, *others = [each.header or each.name for each in by]
    return f"Ordered by {first}{', then ' if others else ''}{', '.join(others)}."


def _even_shares(standings: Standings, measures: Iterable[Measure]) -> str:
    """What equal entrants would have in the columns of shares."""
    even = {"win_rate": standings.even_share, "beaten": 0.5}
    told = [f"{each.header} {percent_text(even[each.name])}" for each in measures if each.name in even]
    return f"Even share: {', '.join(told)}." if told else ""


def _interval_note(blocks: int) -> str:
    """What ± is, or why there is none."""
    if blocks < LEAST_CLUSTERS:
        return f"No ± (95 % interval) with fewer than {LEAST_CLUSTERS} blocks: they tell too little."
    few = " So few blocks tell little." if blocks < FEW_BLOCKS else ""
    return f"± is half of a 95 % interval clustered by block; (low…high) are its ends.{few}"


def _editions_text(standings: Standings) -> str:
    """The editions or game of the matches, in words."""
    if not standings.games:
        return ""
    whole = standings.edition == ALL_EDITIONS or standings.edition in standings.games
    return f" of {'all editions of ' if whole else ''}{' and '.join(standings.games)}"


def _money_unit(standings: Standings) -> str | None:
    """The unit of money; None over several games, which have no common unit, and before the first match."""
    return load_game(standings.games[0]).unit if len(standings.games) == 1 else None


def shown_measures(standings: Standings) -> list[Measure]:
    """The measures that have a column in tables. Counts that are 0 for everybody have none: the tables stay narrow."""
    known = [each for each in standings.measures if each.header and each.known(standings.games)]
    return [
        each for each in known if each.unit is not MeasureUnit.COUNT or any(row[each.name] for row in standings.rows)
    ]


def _table_headers(shown: Iterable[Measure]) -> list[str]:
    return ["#", "entrant", "matches", *(measure.header for measure in shown)]


def _row_cells(standings: Standings, shown: Sequence[Measure]) -> list[list[str]]:
    """The rows of a table, with columns as in `_headers`."""
    return [
        [str(place), row.entrant, str(row.matches), *(cell_told(measure, row[measure.name]) for measure in shown)]
        for place, row in enumerate(standings.rows, start=1)
    ]


def cell_told(measure: Measure, value: Value) -> str:
    """A value as tables show it: shares in percent, estimates with their half-widths."""
    estimate = (
        value if isinstance(value, Estimate) else Estimate(None if value is None else float(value), None, None, 0)
    )
    return estimate_text(estimate, measure.decimals, measure.unit is MeasureUnit.SHARE)


def _count_text(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _row_data(row: StandingsRow, measures: Iterable[Measure]) -> dict[str, object]:
    data: dict[str, object] = {"entrant": row.entrant, "matches": row.matches}
    for measure in measures:
        data[measure.name] = _value_data(measure, row[measure.name])
        if measure.parts is not None:
            data[f"{measure.name}_by_kind"] = dict(row.parts[measure.name])
    return data


def _value_data(measure: Measure, value: Value) -> object:
    match value:
        case None:
            return None
        case Estimate():
            return estimate_data(value)
    return int(value) if measure.unit is MeasureUnit.COUNT else json_number(float(value))


def _csv_names(measure: Measure) -> list[str]:
    return estimate_columns(measure.name) if measure.interval else [measure.name]


def _csv_cells(row: StandingsRow, measure: Measure) -> list[str]:
    match value := row[measure.name]:
        case None:
            return [""]
        case Estimate():
            return estimate_cells(value)
    return [str(int(value)) if measure.unit is MeasureUnit.COUNT else csv_number(float(value))]
