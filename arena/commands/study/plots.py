"""Plots the answer of a study with matplotlib: each row is a line with a point and its 95 % interval."""

from __future__ import annotations

from io import BytesIO
from math import nan
from typing import TYPE_CHECKING, Any

from arena.errors import UserError
from arena.study.finding import StudyAnswer, StudyColumn, StudyTable
from arena.tournament.measures.measures import MeasureUnit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE_INCHES, PANEL_INCHES, LABEL_INCHES = 0.24, 3.0, 3.2
"""Inches: the height of a line, the widths of a column and of the labels."""
PLOT_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""The colour of a row, by its first label; colour-blind people can distinguish them (M. Okabe & K. Ito, Color Universal
Design, 2008)."""


def plot_finding(found: StudyAnswer) -> bytes:
    """All tables of a finding as one SVG picture; the same bytes for the same numbers and version of matplotlib.

    Raises UserError where matplotlib is not installed."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise UserError("plots need matplotlib: pip install matplotlib") from None
    heights = [1.1 + LINE_INCHES * len(table.lines) for table in found.tables]
    columns = max(len(table.columns) for table in found.tables)
    with matplotlib.rc_context({"svg.hashsalt": "arena", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(LABEL_INCHES + PANEL_INCHES * columns, sum(heights)), layout="constrained")
        FigureCanvasSVG(figure)
        rows = figure.subfigures(len(found.tables), 1, height_ratios=heights, squeeze=False)[:, 0]
        for row, table in zip(rows, found.tables, strict=True):
            _draw_table(row, table)
        content = BytesIO()
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    return content.getvalue()


def _draw_table(row: Any, table: StudyTable) -> None:
    row.suptitle(table.title, fontsize=10)
    panels = row.subplots(1, len(table.columns), sharey=True, squeeze=False)[0]
    for number, (panel, column) in enumerate(zip(panels, table.columns, strict=True)):
        _draw_column(panel, table, column, number)
    panels[0].set_yticks(range(len(table.lines)), [", ".join(line.label) for line in table.lines])
    panels[0].set_ylim(len(table.lines) - 0.5, -0.5)


def _draw_column(panel: Axes, table: StudyTable, column: StudyColumn, number: int) -> None:
    scale = 100 if column.unit is MeasureUnit.SHARE else 1
    groups = list(dict.fromkeys(line.label[0] for line in table.lines))
    panel.set_title(column.head + (" (%)" if scale == 100 else ""), fontsize=9)
    if column.even is not None:
        panel.axvline(column.even * scale, color="#888888", linewidth=0.8, linestyle="--")
    for group, name in enumerate(groups):
        color = PLOT_COLORS[group % len(PLOT_COLORS)]
        known = [
            (place, value)
            for place, line in enumerate(table.lines)
            if line.label[0] == name and (value := line.values[number]) is not None and value.mean is not None
        ]
        xs, ys = list[float](), list[float]()
        panel.plot(
            [(value.mean or 0) * scale for _, value in known], [place for place, _ in known], "o", ms=3.5, color=color
        )
        sure = [(place, each.low, each.high) for place, each in known if each.low is not None and each.high is not None]
        for place, low, high in sure:
            xs, ys = [*xs, low * scale, high * scale, nan], [*ys, place, place, place]
        panel.plot(xs, ys, color=color, linewidth=1.6)  # one line with gaps makes a smaller file than many
    panel.grid(axis="x", linewidth=0.3)
    panel.tick_params(labelsize=8)
