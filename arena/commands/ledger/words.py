"""What ``arena ledger`` prints: tables with a column for each figure, matrices of pairs, definitions; or JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from arena.analysis.run_ledger import LedgerOptions, choose_of_ledger
from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_json import print_json
from arena.ledger.figure import FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.figure_rows import LedgerRow
from arena.ledger.gift_table import GIFTS_TABLE
from arena.ledger.ledger_fold import VALUE_COLUMNS, DealLedger, GameLedger
from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.tournament.tables.rounded_figures import NO_VALUE, estimate_text, fixed_decimals
from arena.tournament.tables.table_text import text_table

LEDGER_MATRIX_ENTRANTS = 12
"""Pairs are printed as a matrix for at most this number of entrants."""


def print_tables(folder: Path, found: DealLedger, wanted: LedgerOptions) -> None:
    """Print the tables that ``wanted`` names, with all figures and their meaning; without names an overview."""
    for game, each in choose_of_ledger(found, wanted.names).values():
        _print_table(game, each, wanted, several=len(found.games) > 1)
    for line in _explanation_lines(folder, found, bool(wanted.names)):
        click.echo(fold_to_terminal(line))


def _print_table(game: GameLedger, about: FigureTable, wanted: LedgerOptions, several: bool) -> None:
    named = bool(wanted.names)
    brief = () if named else tuple(key for key in about.over if not (wanted.entrant and key == "entrant"))
    over = [key for key in about.keys if (key in wanted.over or key in brief) and about is not GIFTS_TABLE]
    figures = list(about.figures if named else about.overview)
    click.echo(f"{about.heading} ({f'{game.game} ' if several else ''}{about.name})\n")
    rows = list(game.rows(about.name, wanted.by, over, wanted.entrant))
    for text in _laid_out(game, about, game.keys(about, wanted.by, over), figures, rows):
        click.echo(f"{text}\n")
    if named:
        for figure in figures:
            click.echo(fold_to_terminal(f"  {figure.heading}: {figure.definition} n: {figure.of}."))
        click.echo()
    if about.note and rows:
        click.echo(f"{fold_to_terminal(f'  {about.note}')}\n")


def _laid_out(
    game: GameLedger,
    about: FigureTable,
    keys: Sequence[str],
    figures: Sequence[LedgerFigure],
    rows: Sequence[LedgerRow],
) -> Iterator[str]:
    """The rows as tables that fit the terminal."""
    if not rows:
        yield "  no such event"
    elif (
        about.of_pairs
        and len(keys) == 2
        and set(keys) == set(about.keys)
        and _count_names(rows) <= LEDGER_MATRIX_ENTRANTS
    ):
        for figure in figures:
            if text := _pair_matrix(game, keys, figure, [row for row in rows if row.figure is figure]):
                yield text
    else:
        yield from _fitting_tables(game, keys, figures, rows)


def _count_names(rows: Sequence[LedgerRow]) -> int:
    return len({name for row in rows for name in row.keys})


def _pair_matrix(game: GameLedger, keys: Sequence[str], figure: LedgerFigure, rows: Sequence[LedgerRow]) -> str:
    """A matrix of one figure of pairs, with one entrant of a pair as row and the other as column; without intervals if
    these do not fit."""
    names = sorted({str(name) for row in rows for name in row.keys})
    if not names:
        return ""
    cells = {row.keys: row for row in rows}
    head = f"{figure.heading} ({game.unit_of(figure)})\n{keys[0]} \\ {keys[1]}"
    text = ""
    for told in (_estimate_cell, _mean_cell):
        for numbered in (False, True):
            lines = [
                [f"{at} {one}" if numbered else one, *(told(cells.get((one, two))) for two in names)]
                for at, one in enumerate(names, 1)
            ]
            text = _laid([head, *(map(str, range(1, len(names) + 1)) if numbered else names)], lines)
            if _text_width(text) <= terminal_width():
                return text
    return text


def _fitting_tables(
    game: GameLedger, keys: Sequence[str], figures: Sequence[LedgerFigure], rows: Sequence[LedgerRow]
) -> Iterator[str]:
    """Tables with as many figures side by side as fit, and the other figures below."""
    lines: dict[tuple[str | int, ...], dict[str, LedgerRow]] = {}
    for row in rows:
        lines.setdefault(row.keys, {})[row.figure.name] = row
    filled = [figure for figure in figures if any(figure.name in line for line in lines.values())]
    while filled:
        for fitting in range(len(filled), 0, -1):
            text = _figure_table(game, keys, filled[:fitting], lines)
            if fitting == 1 or _text_width(text) <= terminal_width():
                break
        yield text
        filled = filled[fitting:]


def _figure_table(
    game: GameLedger,
    keys: Sequence[str],
    figures: Sequence[LedgerFigure],
    lines: dict[tuple[str | int, ...], dict[str, LedgerRow]],
) -> str:
    cells = [
        [*map(str, key), *(_estimate_cell(line.get(figure.name)) for figure in figures)]
        for key, line in lines.items()
        if any(figure.name in line for figure in figures)
    ]
    heads = [*keys, *(_figure_heading(game, figure) for figure in figures)]
    return _laid(heads, cells)


def _laid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with all cells aligned left."""
    return text_table(ResultTable(tuple(ResultColumn(head, head, left=True) for head in heads), rows))


def _figure_heading(game: GameLedger, figure: LedgerFigure) -> str:
    words = figure.heading
    return f"{words}\n({game.unit_of(figure)})" if figure.unit in (LedgerUnit.MONEY, LedgerUnit.DIVIDENDS) else words


def _estimate_cell(row: LedgerRow | None) -> str:
    if row is None:
        return NO_VALUE
    return estimate_text(row.estimate, row.figure.decimals, share=row.figure.unit is LedgerUnit.SHARE)


def _mean_cell(row: LedgerRow | None) -> str:
    return (
        NO_VALUE if row is None or row.estimate.mean is None else fixed_decimals(row.estimate.mean, row.figure.decimals)
    )


def _text_width(text: str) -> int:
    return max(map(len, text.splitlines()))


def _explanation_lines(folder: Path, found: DealLedger, named: bool) -> Iterator[str]:
    """What the numbers mean."""
    blocks = max(int(game.blocks) for game in found.games.values())
    yield (
        f"{found.matches} matches in {blocks} blocks. ±, or both ends in brackets: 95 % intervals clustered by block. "
        f"Without an interval: fixed by the rules, or too few cases. {NO_VALUE}: no case of it."
    )
    if not named:
        first = next(iter(next(iter(found.games.values())).tables))
        more = shlex.join(["arena", "ledger", str(folder), "--table", first])
        yield f"All figures of a table, with definitions: {more}"


def print_ledger_json(found: DealLedger, wanted: LedgerOptions) -> None:
    """Print the tables selected by ``wanted`` as JSON, with every row and definition."""
    tables = choose_of_ledger(found, wanted.names)
    data = {
        "matches": found.matches,
        "void": found.voids,
        "without_replay": found.without_replay,
        "tables": {name: _table_data(game, each, wanted) for name, (game, each) in tables.items()},
    }
    print_json(data)


def _table_data(game: GameLedger, about: FigureTable, wanted: LedgerOptions) -> dict[str, Any]:
    over = [key for key in wanted.over if key in about.keys and about is not GIFTS_TABLE]
    keys = game.keys(about, wanted.by, over)
    names = (*keys, *VALUE_COLUMNS)
    return {
        "game": game.game,
        "heading": about.heading,
        "note": about.note,
        "keys": keys,
        "figures": {
            each.name: {
                "heading": each.heading,
                "unit": game.unit_of(each),
                "n": each.of,
                "definition": each.definition,
            }
            for each in about.figures
        },
        "rows": [
            dict(zip(names, (*row.keys, *game.values(row)), strict=True))
            for row in game.rows(about.name, wanted.by, over, wanted.entrant)
        ],
    }
