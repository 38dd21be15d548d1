"""One mean with its interval, drawn small, for a cell of a table."""

from __future__ import annotations

from collections.abc import Iterable

from arena.drawing.svg import number
from arena.tournament.inference.intervals import Estimate
from arena.web.report.charts.scale import ChartScale, linear

WIDTH, HEIGHT = 88.0, 10.0
EDGE = 4.0


def whisker_scale(estimates: Iterable[Estimate], even: float | None = None) -> ChartScale:
    """A scale on which all of these can be drawn one below the other, and the value ``even`` too."""
    values = [each for estimate in estimates for each in (estimate.low, estimate.mean, estimate.high)]
    return linear([each for each in (*values, even) if each is not None], EDGE, WIDTH - EDGE)


def whisker(estimate: Estimate, scale: ChartScale, even: float | None = None) -> str:
    """The mean as a dot, the interval as a line, the value that equals would have (``even``) as a tick; nothing where
    there is no mean. What it shows stands in words beside it, so it is hidden from those who have the page read."""
    if estimate.mean is None:
        return ""
    middle = HEIGHT / 2
    drawn = f'<svg class="whisker" viewBox="0 0 {number(WIDTH)} {number(HEIGHT)}" aria-hidden="true">'
    if even is not None:
        drawn += f'<path class="even" d="M{number(scale.at(even))} 0v{number(HEIGHT)}"/>'
    if estimate.low is not None and estimate.high is not None:
        low, high = scale.at(estimate.low), scale.at(estimate.high)
        drawn += f'<path d="M{number(low)} {number(middle)}H{number(high)}"/>'
    return f'{drawn}<circle cx="{number(scale.at(estimate.mean))}" cy="{number(middle)}" r="2.2"/></svg>'
