"""Ratings over time as a picture: lines with their 95 % intervals as bands, and marks for events.

The background is opaque: light on light pages, dark on dark ones. Lines are distinguished by colour, dashes and the
names at their ends; the colours are those of M. Okabe & K. Ito, Color Universal Design, 2008, on light ground without
yellow, which is too light for a line there."""

from __future__ import annotations

from collections.abc import Sequence

from arena.drawing.measure import cut_middle
from arena.drawing.style import FAINT, FONTS, GROUND, INK, QUIET
from arena.drawing.svg import Svg
from arena.ladder.presenting.standings_cells import rating_decimals
from arena.ladder.presenting.words import day_text
from arena.ladder.rating.rating_history import (
    HistoryAxis,
    HistoryEvent,
    HistoryLine,
    HistoryPoint,
    SeasonHistory,
    ValueRange,
    range_of,
)
from arena.printable import printable_text
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.rounded_figures import fixed_decimals

SVG_WIDTH, SVG_HEIGHT = 960.0, 540.0
LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 64.0, 200.0, 64.0, 78.0
"""The margins around the lines, in pixels."""
LABEL_PITCH = 16.0
"""The least distance between two names at the right, in pixels."""
LINE_COLORS = ("#0072b2", "#d55e00", "#009e73", "#b34d88", "#8f6a00", "#3a8fbf", "#000000")
DARK_LINE_COLORS = ("#56b4e9", "#ee8a3c", "#2fc79a", "#e29ac4", "#e0cc2f", "#a8d8f5", "#ffffff")
DARK_INK, DARK_QUIET, DARK_FAINT, DARK_GROUND = "#e3e6ea", "#a0a9b4", "#3a4048", "#1e2227"
"""The colours on dark pages; a browser takes them where the page around the chart is dark."""
LINE_DASHES = ("", "8 3", "2 3", "9 3 2 3")
MOST_MARKS = 200
"""How many events are marked at most."""


def history_svg(history: SeasonHistory, axis: HistoryAxis = HistoryAxis.MATCHES) -> str:
    """Return the chart of ratings as a complete SVG file; the same history gives the same bytes."""
    svg = Svg()
    title = f"{history.ladder}, season {history.season}: {history.measure}"
    svg.rect(0.5, 0.5, SVG_WIDTH - 1, SVG_HEIGHT - 1, "page", rx=8)
    svg.text(20, 28, cut_middle(printable_text(title), SVG_WIDTH - 40, 15, bold=True), "title left")
    if any(line.rated_points for line in history.lines):
        svg.text(20, 46, "bands: 95 % intervals, clustered by table; points are rounds", "q left")
        _Drawing(svg, history, axis).draw()
    else:
        svg.text(20, 46, "no version is rated yet" if history.rounds else "no round is closed yet", "q left")
    return svg.document(SVG_WIDTH, SVG_HEIGHT, title, _chart_styles(len(history.lines)), about_history(history))


def about_history(history: SeasonHistory) -> str:
    """Describe the chart in words, for screen readers."""
    told = [f"Ratings after each of {history.rounds} rounds."]
    for line in history.lines:
        if line.rated_points:
            first, last = line.rated_points[0][1], line.rated_points[-1][0]
            told.append(f"{line.version}: from {_rating_text(history, first)} to {_told_point(history, last)}.")
    return printable_text(" ".join(told))


def _rating_text(history: SeasonHistory, value: float) -> str:
    return fixed_decimals(value, rating_decimals(history.rated_by))


def _told_point(history: SeasonHistory, point: HistoryPoint) -> str:
    estimate = Estimate(point.value, point.low, point.high, 0)
    width = "" if estimate.half_width is None else f" ±{_rating_text(history, estimate.half_width)}"
    return f"{_rating_text(history, point.value or 0.0)}{width}, place {point.place}"


class _Drawing:
    """Draws everything between the margins."""

    def __init__(self, svg: Svg, history: SeasonHistory, axis: HistoryAxis) -> None:
        self.svg, self.history, self.axis = svg, history, axis
        points = [point for line in history.lines for point, _ in line.rated_points]
        moments = sorted((point.when for point in points), key=lambda when: when.round)
        self.first, self.last = moments[0], moments[-1]
        self.begin, self.end = self.first.axis_position(axis), self.last.axis_position(axis)
        self.values = range_of(_shown_values(points))

    def draw(self) -> None:
        """Draw the scales, then bands, then lines, then names."""
        self._values_scale()
        self._time_scale()
        self._events(self.history.events[-MOST_MARKS:])
        for number, line in reversed(list(enumerate(self.history.lines))):
            for part in _without_gaps([point for point, _ in line.rated_points]):
                self.svg.polygon(self._band(part), f"b{number}")
        for number, line in reversed(list(enumerate(self.history.lines))):
            self._line(number, line)
        self._names()

    def x(self, place: float) -> float:
        """Return the x coordinate of a time."""
        room = SVG_WIDTH - LEFT_MARGIN - RIGHT_MARGIN
        return LEFT_MARGIN + (room if self.end <= self.begin else room * (place - self.begin) / (self.end - self.begin))

    def y(self, value: float) -> float:
        """Return the y coordinate of a value; a value beyond the scale gets the scale's end."""
        part = (value - self.values.low) / (self.values.high - self.values.low)
        return SVG_HEIGHT - BOTTOM_MARGIN - (SVG_HEIGHT - TOP_MARGIN - BOTTOM_MARGIN) * min(max(part, 0.0), 1.0)

    def _values_scale(self) -> None:
        for tick in self.values.ticks:
            self.svg.line(
                LEFT_MARGIN, self.y(tick), SVG_WIDTH - RIGHT_MARGIN, self.y(tick), "zero" if tick == 0 else "rule"
            )
            self.svg.text(LEFT_MARGIN - 8, self.y(tick) + 4, _tick_label(tick, self.values), "q right")

    def _time_scale(self) -> None:
        low = SVG_HEIGHT - BOTTOM_MARGIN
        self.svg.line(LEFT_MARGIN, low, SVG_WIDTH - RIGHT_MARGIN, low, "axis")
        if self.axis is HistoryAxis.MATCHES:
            ticks = [tick for tick in range_of([self.begin, self.end], 7).ticks if self.begin <= tick <= self.end]
            told = [f"{tick:,.0f}" for tick in ticks]
        else:
            ends = {when.axis_position(self.axis): day_text(when.at) for when in (self.first, self.last)}
            ticks, told = list(ends), list(ends.values())
        for tick, text in zip(ticks, told, strict=True):
            self.svg.line(self.x(tick), low, self.x(tick), low + 5, "axis")
            self.svg.text(self.x(tick), low + 19, text, "q")
        what = "matches of the season" if self.axis is HistoryAxis.MATCHES else "date (UTC)"
        self.svg.text((LEFT_MARGIN + SVG_WIDTH - RIGHT_MARGIN) / 2, low + 38, what, "q")

    def _events(self, events: Sequence[HistoryEvent]) -> None:
        """Draw marks below the time scale, each with its events as a tooltip."""
        moments = sorted(
            {point.when for line in self.history.lines for point in line.points}, key=lambda when: when.round
        )
        low, drawn = SVG_HEIGHT - 26, 0
        for event in events:
            later = [when for when in moments if when.at >= event.at]
            if event.version and later:
                hint = f"{day_text(event.at)} {event.version} {event.what}{f': {event.why}' if event.why else ''}"
                with self.svg.group("mark", hint):
                    x = self.x(later[0].axis_position(self.axis))
                    self.svg.polygon([(x - 4, low + 8), (x + 4, low + 8), (x, low)], "mark")
                drawn += 1
        if drawn:
            self.svg.text(LEFT_MARGIN - 8, low + 8, "events", "q right")

    def _band(self, points: Sequence[HistoryPoint]) -> list[tuple[float, float]]:
        upper = [(self.x(point.when.axis_position(self.axis)), self.y(point.high or 0.0)) for point in points]
        lower = [(self.x(point.when.axis_position(self.axis)), self.y(point.low or 0.0)) for point in points]
        return [*upper, *reversed(lower)]

    def _line(self, number: int, line: HistoryLine) -> None:
        points = [(self.x(point.when.axis_position(self.axis)), self.y(value)) for point, value in line.rated_points]
        if not points:
            return
        last = line.rated_points[-1][0]
        with self.svg.group(hint=f"{line.version}: {_told_point(self.history, last)}, after {last.matches} matches"):
            self.svg.polyline(points, f"l{number}")
            x, y = points[-1]
            self.svg.rect(x - 3, y - 3, 6, 6, f"e{number}", rx=0 if number % 2 else 3)

    def _names(self) -> None:
        """The names beside the ends of their lines, as near as there is room."""
        ends = sorted(
            (self.y(line.rated_points[-1][1]), number)
            for number, line in enumerate(self.history.lines)
            if line.rated_points
        )
        rows: list[float] = []
        for y, _ in ends:
            rows.append(max(y, rows[-1] + LABEL_PITCH) if rows else y)
        for at in range(len(rows) - 1, -1, -1):
            rows[at] = min(rows[at], rows[at + 1] - LABEL_PITCH if at + 1 < len(rows) else SVG_HEIGHT - BOTTOM_MARGIN)
        for row, (y, number) in zip(rows, ends, strict=True):
            line = self.history.lines[number]
            point, value = line.rated_points[-1]
            x = self.x(point.when.axis_position(self.axis))
            self.svg.polyline(
                [(x + 4, y), (SVG_WIDTH - RIGHT_MARGIN + 14, row), (SVG_WIDTH - RIGHT_MARGIN + 30, row)],
                f"l{number} thin",
            )
            worth = _rating_text(self.history, value)
            name = cut_middle(printable_text(line.version), RIGHT_MARGIN - 44 - 8 * len(worth), 12)
            self.svg.text(SVG_WIDTH - RIGHT_MARGIN + 34, row + 4, f"{name} {worth}", "left")


def _shown_values(points: Sequence[HistoryPoint]) -> list[float]:
    """Return the values for the scale: all ratings, and their intervals unless these are much wider."""
    values = [point.value for point in points if point.value is not None]
    room = max(max(values) - min(values), 1.0) / 2
    ends = [end for point in points for end in (point.low, point.high) if end is not None]
    return [*values, *(min(max(end, min(values) - room), max(values) + room) for end in ends)]


def _without_gaps(points: Sequence[HistoryPoint]) -> list[list[HistoryPoint]]:
    """Split the points into stretches in which every point has an interval."""
    parts: list[list[HistoryPoint]] = [[]]
    for point in points:
        if point.low is None or point.high is None:
            parts.append([])
        else:
            parts[-1].append(point)
    return [part for part in parts if len(part) > 1]


def _tick_label(value: float, shown: ValueRange) -> str:
    step = shown.ticks[1] - shown.ticks[0]
    return fixed_decimals(value, 0 if step >= 1 else 1 if step >= 0.1 else 2)


def _chart_styles(lines: int) -> str:
    rules = [
        f"text{{font-family:{FONTS};font-size:12px;text-anchor:middle}}",
        ".left{text-anchor:start}",
        ".right{text-anchor:end}",
        ".title{font-size:15px;font-weight:700}",
        ".rule{stroke-width:.6}",
        ".zero{stroke-width:1}",
        "polyline{fill:none;stroke-width:2;stroke-linejoin:round}",
        "polyline.thin{stroke-width:1;stroke-dasharray:none;opacity:.6}",
    ]
    for number in range(lines):
        if dash := LINE_DASHES[number % len(LINE_DASHES)]:
            rules.append(f".l{number}{{stroke-dasharray:{dash}}}")
    dark = _colour_rules(lines, DARK_LINE_COLORS, (DARK_INK, DARK_QUIET, DARK_FAINT, DARK_GROUND))
    rules += _colour_rules(lines, LINE_COLORS, (INK, QUIET, FAINT, GROUND))
    return "\n".join([*rules, "@media (prefers-color-scheme:dark){", *dark, "}"])


def _colour_rules(lines: int, colors: Sequence[str], greys: tuple[str, str, str, str]) -> list[str]:
    """The colours of everything: of lines and bands by ``colors``, of the rest by the ``greys``: of letters, of quiet
    letters, of fine lines, and of the background."""
    ink, quiet, faint, ground = greys
    rules = [
        f"text{{fill:{ink}}}.q,.mark{{fill:{quiet}}}",
        f".page{{fill:{ground};stroke:{faint}}}.rule{{stroke:{faint}}}.zero,.axis{{stroke:{quiet}}}",
    ]
    for number in range(lines):
        color = colors[number % len(colors)]
        rules.append(f".l{number}{{stroke:{color}}}.b{number}{{fill:{color};opacity:.10}}.e{number}{{fill:{color}}}")
    return rules
