"""Times on a logarithmic scale: the typical one, the mean and the longest of each entrant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.drawing.measure import cut_middle
from arena.drawing.svg import Svg
from arena.printable import printable_text
from arena.web.report.charts.chart_scale import ChartScale, log_scale
from arena.web.report.charts.drawing import TOP_SPACE, frame_chart, values_along

TIMES_ROW, TIMES_NAMES, TIMES_WIDTH, TIMES_MARGIN = 24.0, 190.0, 720.0, 66.0
MILLISECONDS_PER_SECOND = 1000.0


@dataclass(frozen=True, slots=True)
class Times:
    """The times of the ``entrant`` with this number, called ``name``, in seconds: the ``typical`` one, the ``mean`` and
    the ``longest``."""

    name: str
    entrant: int
    typical: float
    mean: float
    longest: float


def time_chart(title: str, rows: Sequence[Times], limit: float | None) -> str:
    """The chart, in milliseconds: a circle for the typical time, a bar for the mean, a square for the longest, and the
    ``limit`` as a line."""
    if not rows:
        return ""
    values = [each * MILLISECONDS_PER_SECOND for row in rows for each in (row.typical, row.mean, row.longest)]
    scale = log_scale(
        [*values, *([] if limit is None else [limit * MILLISECONDS_PER_SECOND])], TIMES_NAMES, TIMES_WIDTH - 20
    )
    bottom = TOP_SPACE + TIMES_ROW * len(rows)
    svg = Svg()
    values_along(svg, scale, TOP_SPACE, bottom, "milliseconds: circle typical, bar mean, square longest")
    if limit is not None:
        x = scale.coordinate(limit * MILLISECONDS_PER_SECOND)
        svg.line(x, TOP_SPACE - 4, x, bottom, "limit")
    for row, each in enumerate(rows):
        svg.parts.append(_draw_times(each, TOP_SPACE + TIMES_ROW * (row + 0.5), scale))
    about = "; ".join(_times_text(each) for each in rows)
    return frame_chart(svg, TIMES_WIDTH, bottom + TIMES_MARGIN - 20, title, f"Milliseconds an ask: {about}.")


def _draw_times(row: Times, y: float, scale: ChartScale) -> str:
    svg = Svg()
    typical, mean, longest = (
        scale.coordinate(each * MILLISECONDS_PER_SECOND) for each in (row.typical, row.mean, row.longest)
    )
    with svg.group("dots", printable_text(_times_text(row))):
        svg.text(TIMES_NAMES - 10, y + 4, cut_middle(printable_text(row.name), TIMES_NAMES - 16, 12), "right")
        svg.line(typical, y, longest, y, "span")
        svg.rect(typical - 4, y - 4, 8, 8, "dot", rx=4)
        svg.line(mean, y - 6, mean, y + 6, "mean")
        svg.rect(longest - 4, y - 4, 8, 8, "dot")
    return "".join(svg.parts).replace("<g ", f'<g data-e="{row.entrant}" ', 1)


def _times_text(row: Times) -> str:
    told = (
        f"{row.typical * MILLISECONDS_PER_SECOND:.3g}",
        f"{row.mean * MILLISECONDS_PER_SECOND:.3g}",
        f"{row.longest * MILLISECONDS_PER_SECOND:.3g}",
    )
    return f"{row.name}: typical {told[0]}, mean {told[1]}, longest {told[2]}"
