"""Lines over whole numbers, such as money over deals, each with its 95 % interval as a band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.drawing.measure import cut_middle
from arena.drawing.svg import Svg
from arena.printable import printable_text
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.rounded_figures import fixed_decimals
from arena.web.report.charts.chart_scale import ChartScale, linear_scale, whole_numbers
from arena.web.report.charts.drawing import (
    BOTTOM_SPACE,
    DASH_PATTERNS,
    LEFT_SPACE,
    TONE_COUNT,
    TOP_SPACE,
    frame_chart,
    line_class,
    spread_out,
    values_along,
    values_up,
)

LINES_WIDTH, LINES_HEIGHT, LINES_NAMES = 860.0, 360.0, 190.0
NAME_PITCH = 15.0
"""The least distance between two names, in pixels."""
IN_COLOUR = 10
"""How many lines are drawn in colour and named; others are thin and grey until their entrant is picked."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The line of the ``entrant`` with this number, called ``name``: an estimate at each whole number."""

    name: str
    entrant: int
    points: Sequence[tuple[int, Estimate]]


def line_chart(title: str, curves: Sequence[Curve], along: str, up: str) -> str:
    """Draw these curves, the most important first. ``along`` and ``up`` are the titles of the chart's scales."""
    curves = [curve for curve in curves if any(point.mean is not None for _, point in curve.points)]
    if not curves:
        return ""
    right = LINES_WIDTH - LINES_NAMES
    places = [place for curve in curves for place, _ in curve.points]
    across = whole_numbers(min(places), max(places), LEFT_SPACE, right)
    values = linear_scale(_curve_values(curves[:IN_COLOUR]), LINES_HEIGHT - BOTTOM_SPACE, TOP_SPACE + 14)
    alone = len(curves) <= TONE_COUNT * DASH_PATTERNS
    tones = [line_class(curve.entrant if alone else rank) for rank, curve in enumerate(curves)]
    svg = Svg()
    values_up(svg, values, LEFT_SPACE, right, up)
    values_along(svg, across, TOP_SPACE + 14, LINES_HEIGHT - BOTTOM_SPACE, along)
    for rank, curve in reversed(list(enumerate(curves))):
        svg.parts.append(_draw_curve(curve, tones[rank], rank >= IN_COLOUR, across, values))
    _draw_names(svg, curves[:IN_COLOUR], tones, across, values)
    return frame_chart(svg, LINES_WIDTH, LINES_HEIGHT, title, _chart_description(curves[:IN_COLOUR], along))


def _curve_values(curves: Sequence[Curve]) -> list[float]:
    points = [point for curve in curves for _, point in curve.points]
    return [each for point in points for each in (point.low, point.mean, point.high) if each is not None]


def _draw_curve(curve: Curve, look: str, other: bool, across: ChartScale, values: ChartScale) -> str:
    svg = Svg()
    known = [(across.coordinate(place), point) for place, point in curve.points if point.mean is not None]
    band = [(x, point.low, point.high) for x, point in known if point.low is not None and point.high is not None]
    upper = [(x, values.coordinate(high)) for x, _, high in band]
    lower = [(x, values.coordinate(low)) for x, low, _ in reversed(band)]
    if len(band) > 1:
        svg.polygon([*upper, *lower], "band")
    svg.polyline([(x, values.coordinate(point.mean)) for x, point in known if point.mean is not None], "line")
    x, mean = known[-1][0], known[-1][1].mean or 0.0
    svg.rect(x - 3, values.coordinate(mean) - 3, 6, 6, "end", rx=3)
    look = f"curve {look}{' other' if other else ''}"
    hint = printable_text(f"{curve.name}: {_point_text(known[-1][1])} at the end")
    with_title = Svg()
    with with_title.group(look, hint):
        with_title.parts += svg.parts
    return "".join(with_title.parts).replace("<g ", f'<g data-e="{curve.entrant}" ', 1)


def _draw_names(
    svg: Svg, curves: Sequence[Curve], tones: Sequence[str], across: ChartScale, values: ChartScale
) -> None:
    """The names beside the ends of their lines, as near as there is room."""
    ends = sorted(
        (values.coordinate(curve.points[-1][1].mean), rank)
        for rank, curve in enumerate(curves)
        if curve.points[-1][1].mean is not None
    )
    rows = spread_out([y for y, _ in ends], NAME_PITCH, TOP_SPACE + 14, LINES_HEIGHT - BOTTOM_SPACE)
    for row, (y, rank) in zip(rows, ends, strict=True):
        curve = curves[rank]
        x = across.coordinate(curve.points[-1][0])
        named = Svg()
        named.polyline(
            [(x + 3, y), (LINES_WIDTH - LINES_NAMES + 12, row), (LINES_WIDTH - LINES_NAMES + 22, row)], "lead"
        )
        worth = fixed_decimals(curve.points[-1][1].mean or 0.0, 1)
        name = cut_middle(printable_text(curve.name), LINES_NAMES - 34 - 8 * len(worth), 12)
        named.text(LINES_WIDTH - LINES_NAMES + 26, row + 4, f"{name} {worth}", "left")
        svg.parts.append(f'<g class="{tones[rank]}" data-e="{curve.entrant}">{"".join(named.parts)}</g>')


def _point_text(point: Estimate) -> str:
    width = "" if point.half_width is None else f" ±{fixed_decimals(point.half_width, 1)}"
    return f"{fixed_decimals(point.mean or 0.0, 1)}{width}"


def _chart_description(curves: Sequence[Curve], along: str) -> str:
    told = [
        f"{curve.name} from {_point_text(curve.points[0][1])} to {_point_text(curve.points[-1][1])}" for curve in curves
    ]
    return f"Lines by {along}: {'; '.join(told)}."
