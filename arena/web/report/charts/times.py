"""Times on a logarithmic scale: the typical one, the mean and the longest of each entrant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.drawing.measure import cut_middle
from arena.drawing.svg import Svg
from arena.printable import printable
from arena.web.report.charts.drawing import TOP, framed, values_along
from arena.web.report.charts.scale import ChartScale, decades

ROW, NAMES, WIDTH, MARGIN = 24.0, 190.0, 720.0, 66.0
MILLI = 1000.0


@dataclass(frozen=True, slots=True)
class Times:
    """Of the ``entrant`` (its number) called ``name``, in seconds: the ``typical`` time, the ``mean`` and the
    ``longest``."""

    name: str
    entrant: int
    typical: float
    mean: float
    longest: float


def times(title: str, rows: Sequence[Times], limit: float | None) -> str:
    """The chart, in milliseconds: a circle for the typical time, a bar for the mean, a square for the longest, and the
    ``limit`` as a line."""
    if not rows:
        return ""
    values = [each * MILLI for row in rows for each in (row.typical, row.mean, row.longest)]
    scale = decades([*values, *([] if limit is None else [limit * MILLI])], NAMES, WIDTH - 20)
    bottom = TOP + ROW * len(rows)
    svg = Svg()
    values_along(svg, scale, TOP, bottom, "milliseconds: circle typical, bar mean, square longest")
    if limit is not None:
        x = scale.at(limit * MILLI)
        svg.line(x, TOP - 4, x, bottom, "limit")
    for row, each in enumerate(rows):
        svg.parts.append(_drawn(each, TOP + ROW * (row + 0.5), scale))
    about = "; ".join(_told(each) for each in rows)
    return framed(svg, WIDTH, bottom + MARGIN - 20, title, f"Milliseconds an ask: {about}.")


def _drawn(row: Times, y: float, scale: ChartScale) -> str:
    svg = Svg()
    typical, mean, longest = (scale.at(each * MILLI) for each in (row.typical, row.mean, row.longest))
    with svg.group("dots", printable(_told(row))):
        svg.text(NAMES - 10, y + 4, cut_middle(printable(row.name), NAMES - 16, 12), "right")
        svg.line(typical, y, longest, y, "span")
        svg.rect(typical - 4, y - 4, 8, 8, "dot", rx=4)
        svg.line(mean, y - 6, mean, y + 6, "mean")
        svg.rect(longest - 4, y - 4, 8, 8, "dot")
    return "".join(svg.parts).replace("<g ", f'<g data-e="{row.entrant}" ', 1)


def _told(row: Times) -> str:
    told = (f"{row.typical * MILLI:.3g}", f"{row.mean * MILLI:.3g}", f"{row.longest * MILLI:.3g}")
    return f"{row.name}: typical {told[0]}, mean {told[1]}, longest {told[2]}"
