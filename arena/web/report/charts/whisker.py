"""One mean with its interval, drawn small, for a cell of a table."""

from __future__ import annotations

from collections.abc import Iterable

from arena.drawing.svg import pixel_text
from arena.tournament.inference.intervals import Estimate
from arena.web.report.charts.chart_scale import ChartScale, linear_scale

WHISKER_WIDTH, WHISKER_HEIGHT = 88.0, 10.0
WHISKER_EDGE = 4.0


def whisker_scale(estimates: Iterable[Estimate], even: float | None = None) -> ChartScale:
    """Return a scale on which all of these estimates, and the value ``even``, can be drawn one below the other."""
    values = [each for estimate in estimates for each in (estimate.low, estimate.mean, estimate.high)]
    return linear_scale(
        [each for each in (*values, even) if each is not None], WHISKER_EDGE, WHISKER_WIDTH - WHISKER_EDGE
    )


def draw_whisker(estimate: Estimate, scale: ChartScale, even: float | None = None) -> str:
    """Draw the mean as a dot, the interval as a line, and the value among equals (``even``) as a tick; empty where
    there is no mean. It is hidden from screen readers, because the text beside it says the same."""
    if estimate.mean is None:
        return ""
    middle = WHISKER_HEIGHT / 2
    box = f"0 0 {pixel_text(WHISKER_WIDTH)} {pixel_text(WHISKER_HEIGHT)}"
    drawn = f'<svg class="whisker" viewBox="{box}" aria-hidden="true">'
    if even is not None:
        drawn += f'<path class="even" d="M{pixel_text(scale.coordinate(even))} 0v{pixel_text(WHISKER_HEIGHT)}"/>'
    if estimate.low is not None and estimate.high is not None:
        low, high = scale.coordinate(estimate.low), scale.coordinate(estimate.high)
        drawn += f'<path d="M{pixel_text(low)} {pixel_text(middle)}H{pixel_text(high)}"/>'
    return (
        f'{drawn}<circle cx="{pixel_text(scale.coordinate(estimate.mean))}" cy="{pixel_text(middle)}" r="2.2"/></svg>'
    )
