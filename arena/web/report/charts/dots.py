"""Charts of means with their intervals, one below the other, such as the win rate of each seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.drawing.measure import cut_middle
from arena.drawing.svg import Svg
from arena.printable import printable_text
from arena.tournament.inference.intervals import Estimate
from arena.web.report.charts.chart_scale import linear_scale
from arena.web.report.charts.drawing import TOP_SPACE, frame_chart, values_along

DOTS_ROW, DOTS_NAMES, DOTS_WIDTH, DOTS_MARGIN = 24.0, 190.0, 620.0, 48.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A mean called ``name``, the number of its ``entrant`` if any, and its value among equals (``even``)."""

    name: str
    value: Estimate
    entrant: int | None = None
    even: float | None = None


def dot_chart(title: str, all_dots: Sequence[Dot], along: str) -> str:
    """Draw these means, one below the other; ``along`` is the title of the scale. Empty if there is no mean."""
    shown = [dot for dot in all_dots if dot.value.mean is not None]
    if not shown:
        return ""
    values = [(dot.value.low, dot.value.mean, dot.value.high, dot.even) for dot in shown]
    scale = linear_scale([each for of in values for each in of if each is not None], DOTS_NAMES, DOTS_WIDTH - 14)
    bottom = TOP_SPACE + DOTS_ROW * len(shown)
    svg = Svg()
    values_along(svg, scale, TOP_SPACE, bottom, along)
    for row, dot in enumerate(shown):
        svg.parts.append(_draw_dot(dot, TOP_SPACE + DOTS_ROW * (row + 0.5), scale.coordinate))
    about = "; ".join(f"{dot.name} {_estimate_text(dot.value)}" for dot in shown)
    return frame_chart(svg, DOTS_WIDTH, bottom + DOTS_MARGIN, title, f"{along}: {about}.")


def _draw_dot(dot: Dot, y: float, place: Callable[[float], float]) -> str:
    svg = Svg()
    svg.text(DOTS_NAMES - 10, y + 4, cut_middle(printable_text(dot.name), DOTS_NAMES - 16, 12), "right")
    if dot.even is not None:
        svg.line(place(dot.even), y - DOTS_ROW / 2, place(dot.even), y + DOTS_ROW / 2, "even")
    if dot.value.low is not None and dot.value.high is not None:
        svg.line(place(dot.value.low), y, place(dot.value.high), y, "span")
    x = place(dot.value.mean or 0.0)
    svg.rect(x - 4, y - 4, 8, 8, "dot", rx=4)
    grouped = Svg()
    with grouped.group("dots", printable_text(f"{dot.name}: {_estimate_text(dot.value)}")):
        grouped.parts += svg.parts
    drawn = "".join(grouped.parts)
    return drawn if dot.entrant is None else drawn.replace("<g ", f'<g data-e="{dot.entrant}" ', 1)


def _estimate_text(value: Estimate) -> str:
    mean = f"{value.mean:.3g}"
    if value.low is None or value.high is None:
        return mean
    return f"{mean} ({value.low:.3g} to {value.high:.3g})"
