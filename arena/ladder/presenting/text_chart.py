"""Ratings over time as text: a chart of braille dots, and below it a line for each version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from textwrap import fill
from typing import NamedTuple

from arena.drawing.measure import shorten_middle
from arena.ladder.presenting.standings_cells import rating_decimals
from arena.ladder.presenting.words import day_text, minute_text
from arena.ladder.rating.rating_history import (
    HistoryAxis,
    HistoryEvent,
    HistoryLine,
    SeasonHistory,
    ValueRange,
    range_of,
)
from arena.printable import printable_text
from arena.tournament.tables.rounded_figures import NO_VALUE, fixed_decimals

CHART_ROWS = 16
"""Height of the chart, in lines of text."""
LABEL_ROOM = 18
"""Width of the names at the chart's right, in characters."""
MOST_EVENTS = 12
"""How many events are listed at most; the last ones."""
NAME_COLUMNS = 24
_BRAILLE_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille letter by row and column of its dots, from the top left (Unicode, Braille Patterns)."""
_BLOCK_LETTERS = "▁▂▃▄▅▆▇█"

Paint = Callable[[str, int], str]
"""Colours a text like the chart line of this number, from 0."""


class _Cell(NamedTuple):
    """A braille character: its dots, and the number of the line that was last drawn in it."""

    bits: int = 0
    line: int = -1


def history_text(
    history: SeasonHistory, columns: int, axis: HistoryAxis = HistoryAxis.MATCHES, paint: Paint = lambda text, _: text
) -> str:
    """Return the history for a terminal of this many ``columns``. The lines of the chart are distinguished by their
    ends, by ``paint`` and by the small chart beside each name. The text ends in a line break."""
    heading = f"{history.ladder}, season {history.season}: {history.measure}, after each of {history.rounds} rounds"
    parts = [fill(heading, columns)]
    if any(line.rated_points for line in history.lines):
        parts += [
            "\n".join(_chart_lines(history, columns, axis, paint)),
            "\n".join(_table_lines(history, columns, paint)),
        ]
    else:
        parts.append("No round is closed yet." if not history.rounds else "No version is rated yet.")
    parts.append("\n".join(_event_lines(history.events, columns)))
    return "\n\n".join(parts) + "\n"


def _chart_lines(history: SeasonHistory, columns: int, axis: HistoryAxis, paint: Paint) -> list[str]:
    shown = range_of([value for line in history.lines for _, value in line.rated_points])
    labels = [fixed_decimals(tick, _tick_decimals(shown)) for tick in shown.ticks]
    left = max(map(len, labels)) + 1
    wide = max(columns - left - 1 - LABEL_ROOM, 10)
    begin, end = _axis_ends(history, axis)
    cells = [[_Cell() for _ in range(wide)] for _ in range(CHART_ROWS)]
    for number, line in reversed(list(enumerate(history.lines))):
        _draw_line(
            cells,
            [
                (_axis_share(point.when.axis_position(axis), begin, end), _rating_level(value, shown))
                for point, value in line.rated_points
            ],
            number,
        )
    at_row = {_chart_row(_rating_level(tick, shown)): label for tick, label in zip(shown.ticks, labels, strict=True)}
    names = _names_by_row(history.lines, shown)
    drawn = []
    for row, line_of_cells in enumerate(cells):
        told = "".join(
            paint("".join(chr(0x2800 + each.bits) if each.bits else " " for each in same), number)
            for number, same in groupby(line_of_cells, key=lambda each: each.line)
        )
        edge = f"{at_row.get(row, ''):>{left - 1}} {'┤' if row in at_row else '│'}"
        name = names.get(row)
        drawn.append((edge + told + ("" if name is None else f" {paint(name[0], name[1])}")).rstrip())
    first, last = (_end_label(history, axis, way) for way in (0, -1))
    drawn.append(f"{'':{left}}└{'─' * wide}")
    drawn.append(f"{'':{left + 1}}{first}{last:>{max(wide - len(first), len(last) + 2)}}")
    return drawn


def _draw_line(cells: list[list[_Cell]], points: Sequence[tuple[float, float]], number: int) -> None:
    """Draw a line through points with coordinates from 0 to 1; y grows upwards."""
    wide, high = 2 * len(cells[0]) - 1, 4 * len(cells) - 1
    dots = [(round(x * wide), round((1 - y) * high)) for x, y in points]
    for (x, y), (to_x, to_y) in zip(dots, [*dots[1:], *dots[-1:]], strict=True):
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        for step in range(steps + 1):
            column, row = x + round((to_x - x) * step / steps), y + round((to_y - y) * step / steps)
            bits = cells[row // 4][column // 2].bits | _BRAILLE_BITS[row % 4][column % 2]
            cells[row // 4][column // 2] = _Cell(bits, number)


def _names_by_row(lines: Sequence[HistoryLine], shown: ValueRange) -> dict[int, tuple[str, int]]:
    """Return, by row of the chart, the name at its right and the number of the line: each beside the line's end, or as
    near to it as there is room."""
    ends = [(line.rated_points[-1][1], number) for number, line in enumerate(lines) if line.rated_points]
    wanted = [
        (_chart_row(_rating_level(value, shown)), number) for value, number in sorted(ends, key=lambda end: -end[0])
    ]
    rows: list[int] = []
    for row, _ in wanted:
        rows.append(max(row, rows[-1] + 1) if rows else row)
    for at in range(len(rows) - 1, -1, -1):
        rows[at] = min(rows[at], rows[at + 1] - 1 if at + 1 < len(rows) else CHART_ROWS - 1)
    named = zip(rows, (number for _, number in wanted), strict=True)
    return {
        row: (shorten_middle(printable_text(lines[number].version), LABEL_ROOM - 1), number) for row, number in named
    }


def _table_lines(history: SeasonHistory, columns: int, paint: Paint) -> list[str]:
    """Return a line for each version: its place, last, lowest and highest rating, and a small chart by round."""
    decimals = rating_decimals(history.rated_by)
    heads = ["#", "version", "now", "least", "most"]
    rows = []
    for line in history.lines:
        values = [value for _, value in line.rated_points]
        told = (
            [fixed_decimals(each, decimals) for each in (values[-1], min(values), max(values))]
            if values
            else [NO_VALUE] * 3
        )
        place = str(line.points[-1].place) if line.points and line.points[-1].when.round == history.rounds else ""
        rows.append([place, shorten_middle(printable_text(line.version), NAME_COLUMNS), *told])
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    room = max(columns - sum(widths) - 2 * len(widths), 8)

    def written(row: Sequence[str]) -> list[str]:
        return [
            cell.ljust(size) if at == 1 else cell.rjust(size)
            for at, (cell, size) in enumerate(zip(row, widths, strict=True))
        ]

    drawn = ["  ".join([*written(heads), "by round, each scaled from its lowest to its highest value"[:room]])]
    for number, (row, line) in enumerate(zip(rows, history.lines, strict=True)):
        cells = written(row)
        cells[1] = paint(cells[1], number)
        drawn.append("  ".join([*cells, paint(_small_chart(line, history.rounds, room), number)]).rstrip())
    return drawn


def _small_chart(line: HistoryLine, rounds: int, room: int) -> str:
    """Draw a version's ratings as block characters, from its lowest to its highest; where there are more rounds than
    columns, the last round of every few."""
    count = min(rounds, room)
    blocks, values = [" "] * count, [value for _, value in line.rated_points]
    least, most = min(values, default=0.0), max(values, default=0.0)
    for point, value in line.rated_points:
        place = min(int((point.when.round - 1) * count / rounds), count - 1)
        level = 0.5 if most - least < 1e-9 else (value - least) / (most - least)
        blocks[place] = _BLOCK_LETTERS[int(level * (len(_BLOCK_LETTERS) - 1) + 0.5)]
    return "".join(blocks)


def _event_lines(events: Sequence[HistoryEvent], columns: int) -> list[str]:
    told = [f"Events{f' (the last {MOST_EVENTS} of {len(events)})' if len(events) > MOST_EVENTS else ''}:"]
    for each in events[-MOST_EVENTS:]:
        why = f": {each.why}" if each.why else ""
        line = f"  {minute_text(each.at)}  {printable_text(' '.join(filter(None, (each.version, each.what))) + why)}"
        told.append(line if len(line) <= columns else f"{line[: columns - 1]}…")
    return told


def _axis_ends(history: SeasonHistory, axis: HistoryAxis) -> tuple[float, float]:
    places = [point.when.axis_position(axis) for line in history.lines for point, _ in line.rated_points]
    return min(places), max(places)


def _end_label(history: SeasonHistory, axis: HistoryAxis, way: int) -> str:
    """Return the label below the chart's left end (``way`` 0) or right end (-1)."""
    moments = sorted(
        (point.when for line in history.lines for point, _ in line.rated_points), key=lambda when: when.round
    )
    when = moments[way]
    if axis is HistoryAxis.DATE:
        return day_text(when.at)
    return f"{when.matches} matches" if way else str(when.matches)


def _axis_share(value: float, begin: float, end: float) -> float:
    return 1.0 if end <= begin else (value - begin) / (end - begin)


def _rating_level(value: float, shown: ValueRange) -> float:
    return (value - shown.low) / (shown.high - shown.low)


def _chart_row(level: float) -> int:
    return round((1 - level) * (4 * CHART_ROWS - 1)) // 4


def _tick_decimals(shown: ValueRange) -> int:
    step = shown.ticks[1] - shown.ticks[0]
    return 0 if step >= 1 else 1 if step >= 0.1 else 2
