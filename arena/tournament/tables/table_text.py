"""Tables of results as text for terminals and as Markdown: the same letters whatever else is installed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from textwrap import fill
from unicodedata import combining, east_asian_width

from arena.tournament.tables.result_table import ResultTable
from arena.tournament.tables.rounded_figures import TEXT_WIDTH

GAP = "  "
"""The space between two columns."""
PADDING = 2
"""The least number of letters by which a column is wider than its heading."""


def text_table(table: ResultTable, padding: int = PADDING) -> str:
    """The headings, a line below them, and the rows; an empty line follows each row that ends a group. Columns are
    wider than their headings by ``padding`` at least. Does not end in a line break."""
    headings, cells = _headings(table), table.cells()
    widths = _widths(headings, cells, padding)
    left = [column.left or not cells for column in table.columns]
    lines = [_line(each, widths, left) for each in headings]
    lines.append(GAP.join("-" * width for width in widths))
    for number, row in enumerate(cells):
        lines += [_line(row, widths, left), ""] if number in table.ends else [_line(row, widths, left)]
    return "\n".join(lines)


def markdown_table(table: ResultTable, edges: bool = False) -> str:
    """The table in GitHub's Markdown, with every text escaped; with ``edges`` numbers are aligned right there, too.
    Does not end in a line break."""
    headings, cells = _headings(table), [[as_written(cell) for cell in row] for row in table.cells()]
    widths = _widths(headings, cells, PADDING, letters=len)
    left = [column.left or not cells for column in table.columns]
    rules = ["-" * (width + 2) for width in widths]
    if edges:
        rules = [f":{rule[1:]}" if begins else f"{rule[1:]}:" for rule, begins in zip(rules, left, strict=True)]
    lines = [f"| {' | '.join(_placed(row, widths, left, letters=len))} |" for row in (*headings, *cells)]
    lines.insert(len(headings), f"|{'|'.join(rules)}|")
    return "\n".join(lines)


def as_written(cell: str) -> str:
    """The text escaped so that Markdown shows it unchanged: a stranger chooses a bot's name."""
    return re.sub(r"([\\`*_\[\]<>&|~#])", r"\\\1", cell)


def fit_table(
    table: ResultTable, columns: int | None, leave: Iterable[Collection[str]], padding: int = PADDING
) -> ResultTable:
    """The table without some columns, so that it is at most ``columns`` letters wide if that is possible. ``leave`` has
    the keys of the columns to leave out, set by set, the first ones first."""
    widths = dict(zip(table.keys, _widths(_headings(table), table.cells(), padding), strict=True))
    for keys in leave:
        if columns is None or sum(widths.values()) + len(GAP) * (len(widths) - 1) <= columns:
            break
        for key in keys:
            del widths[key]
    return table.pick(widths)


def too_wide(whole: ResultTable, shown: ResultTable, elsewhere: str) -> str:
    """A sentence that names the columns left out because the terminal is too narrow, and says with ``elsewhere`` where
    all of them are; empty if none is left out."""
    kept = set(shown.keys)
    gone = [column.heading.replace("\n", " ") for column in whole.columns if column.key not in kept]
    return f"Too wide for this terminal: {', '.join(gone)}; {elsewhere}." if gone else ""


def paragraph(text: str, columns: int | None) -> str:
    """Text below a table, wrapped to the terminal's columns, at most :data:`TEXT_WIDTH`."""
    return fill(text, min(TEXT_WIDTH, columns or TEXT_WIDTH))


def _headings(table: ResultTable) -> list[list[str]]:
    """The lines of the headings; a heading may have several."""
    split = [column.heading.split("\n") for column in table.columns]
    lines = max(map(len, split), default=1)
    return [[each[line] if line < len(each) else "" for each in split] for line in range(lines)]


def letters_wide(text: str) -> int:
    """How many columns of a terminal the text takes: Chinese, Japanese and Korean letters take two (Unicode Standard
    Annex 11), combining marks none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)


def _widths(
    headings: Sequence[Sequence[str]],
    cells: Sequence[Sequence[str]],
    padding: int,
    letters: Callable[[str], int] = letters_wide,
) -> list[int]:
    widths = [max(map(letters, heads)) + padding for heads in zip(*headings, strict=True)]
    for row in cells:
        widths = [max(width, letters(cell)) for width, cell in zip(widths, row, strict=True)]
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    return GAP.join(_placed(cells, widths, left)).rstrip()


def _placed(
    cells: Sequence[str], widths: Sequence[int], left: Sequence[bool], letters: Callable[[str], int] = letters_wide
) -> list[str]:
    """The cells, each padded to its width."""
    free = [" " * (width - letters(cell)) for cell, width in zip(cells, widths, strict=True)]
    return [
        f"{cell}{room}" if begins else f"{room}{cell}" for cell, room, begins in zip(cells, free, left, strict=True)
    ]
