"""The parts that charts share: scales with their ticks, titles, texts for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from arena.drawing.svg import Svg, escape_content, pixel_text
from arena.web.report.charts.chart_scale import ChartScale

LEFT_SPACE, TOP_SPACE, BOTTOM_SPACE = 56.0, 14.0, 44.0
"""The margins around the drawing, in pixels."""
TONE_COUNT, DASH_PATTERNS = 6, 4
"""How many colours and how many dash patterns lines have: the combination of both distinguishes them."""


def line_class(number: int) -> str:
    """Return the CSS classes of the line of the entrant with this number."""
    return f"tone{number % TONE_COUNT} dash{number // TONE_COUNT % DASH_PATTERNS}"


def frame_chart(svg: Svg, width: float, height: float, title: str, about: str) -> str:
    """Return the chart as an element of a page; ``about`` describes it for screen readers."""
    return (
        f'<svg class="chart" viewBox="0 0 {pixel_text(width)} {pixel_text(height)}" role="img" '
        f'width="{pixel_text(width)}" height="{pixel_text(height)}">'
        f"<title>{escape_content(title)}</title><desc>{escape_content(about)}</desc>{''.join(svg.parts)}</svg>"
    )


def values_up(svg: Svg, scale: ChartScale, left: float, right: float, title: str) -> None:
    """Draw the vertical scale at the left, with a rule across the drawing for each tick, and its ``title`` above."""
    for tick in scale.ticks:
        svg.line(left, scale.coordinate(tick), right, scale.coordinate(tick), "rule")
        svg.text(left - 6, scale.coordinate(tick) + 4, scale.tick_label(tick), "tick right")
    svg.text(2, min(scale.start, scale.end) - 6, title, "tick left")


def values_along(svg: Svg, scale: ChartScale, top: float, bottom: float, title: str) -> None:
    """Draw the horizontal scale below, with a rule for each tick and its ``title``."""
    for tick in scale.ticks:
        svg.line(scale.coordinate(tick), top, scale.coordinate(tick), bottom, "rule")
        svg.text(scale.coordinate(tick), bottom + 16, scale.tick_label(tick), "tick")
    svg.text((scale.start + scale.end) / 2, bottom + 34, title, "tick")


def spread_out(places: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Return these coordinates in ascending order, moved as little as possible so that neighbours are ``apart`` from
    each other, between ``low`` and ``high`` as far as there is room."""
    rows: list[float] = []
    for place in places:
        rows.append(max(place, rows[-1] + apart, low) if rows else max(place, low))
    for at in range(len(rows) - 1, -1, -1):
        rows[at] = min(rows[at], rows[at + 1] - apart if at + 1 < len(rows) else high)
    return rows
