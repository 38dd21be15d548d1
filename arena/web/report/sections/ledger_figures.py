"""Figures of the deal ledger as text, as shades of a map, and as rows of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.ledger.figure import KEY_MEANINGS, LAST_BAND, FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.figure_rows import LedgerRow
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column, keyed_table
from arena.tournament.tables.rounded_figures import estimate_text, fixed_decimals
from arena.web.report.charts.shades import shade_step
from arena.web.report.sections.report_parts import Meaning

MAP_DECIMALS = {
    LedgerUnit.SHARE: 0,
    LedgerUnit.MONEY: 1,
    LedgerUnit.DIVIDENDS: 2,
    LedgerUnit.COUNT: 1,
    LedgerUnit.NUMBER: 2,
}
"""Decimals of figures in heat maps."""
PROCEEDS_BAND = 10
"""The width of a band of proceeds, in the game's unit of money."""
CUT_KEYS = frozenset({"tick", "turn"})
"""Keys whose last value includes all greater ones."""


def figure_told(row: LedgerRow) -> str:
    """A figure with its interval."""
    return estimate_text(row.estimate, row.figure.decimals, row.figure.unit is LedgerUnit.SHARE)


def figure_short(row: LedgerRow) -> str:
    """Format a figure without its interval; a share in percent."""
    unit, mean = row.figure.unit, row.estimate.mean or 0.0
    return fixed_decimals(mean * 100 if unit is LedgerUnit.SHARE else mean, MAP_DECIMALS[unit])


def unit_told(figure: LedgerFigure, money: str) -> str:
    """Return the unit of a figure in words; ``money`` is the game's unit of money."""
    words = {LedgerUnit.SHARE: "%", LedgerUnit.MONEY: money, LedgerUnit.DIVIDENDS: "dividends"}
    return words.get(figure.unit, "")


def band_told(key: str, at: str | int, money: str) -> str:
    """Return the head of a heat map's column: for proceeds (key ``value``) the whole band, in ``money``; for the last
    value of :data:`CUT_KEYS`, "or more"."""
    if not isinstance(at, int):
        return str(at)
    if key == "value":
        last = at >= LAST_BAND * PROCEEDS_BAND
        low = f"{money[:1]}{at}{money[1:]}"
        return f"{low} or more" if last else f"{low}–{at + PROCEEDS_BAND - 1}{money[1:]}"
    return f"{at} or more" if key in CUT_KEYS and at >= LAST_BAND else str(at)


def shades_of(means: Iterable[float]) -> tuple[float, float]:
    """Return the neutral value for the heat map of these means, and the greatest distance from it: the neutral value is
    0 if some means are negative, else the middle of their range."""
    known = list(means)
    if not known:
        return 0.0, 0.0
    even = 0.0 if min(known) < 0 else (min(known) + max(known)) / 2
    return even, max(abs(each - even) for each in known)


def shade_of(estimate: Estimate, shades: tuple[float, float]) -> int | None:
    """Return the shade of a figure, given the result of :func:`shades_of`."""
    return shade_step(estimate.mean, *shades)


def meanings_of(table: FigureTable, keys: Sequence[str], only: str = "") -> list[Meaning]:
    """Return the meanings of a table's figures (or of ``only`` this one), and of the keys."""
    figures = [each for each in table.figures if not only or each.name == only]
    told = [Meaning(each.heading, f"{each.definition} Counted over: {each.of}.") for each in figures]
    known = [
        Meaning(key, _make_sentence(KEY_MEANINGS[key].replace("`", "")))
        for key in keys
        if key in KEY_MEANINGS and key != "entrant"
    ]
    return [*told, *known]


def _make_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def figure_sheet(keys: Sequence[str], rows: Sequence[LedgerRow]) -> ResultTable:
    """Return the figures as rows of a file: keys, name, unit, the numbers of matches and cases, and the interval."""
    columns: tuple[str | ResultColumn, ...] = (*keys, "figure", "unit", "matches", "n", estimate_column("mean"))
    return keyed_table(columns, [_sheet_row(row) for row in rows])


def _sheet_row(row: LedgerRow) -> tuple[object, ...]:
    keys = (each if isinstance(each, int) else str(each) for each in row.keys)
    return (*keys, row.figure.name, row.figure.unit.value, row.matches, row.n, row.estimate)
