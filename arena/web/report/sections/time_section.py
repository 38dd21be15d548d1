"""How long entrants take to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.tournament.standings.rounded_figures import NO_VALUE, fixed_decimals
from arena.web.report.charts.times import Times, time_chart
from arena.web.report.figures.asking_time import Thinking
from arena.web.report.sections.report_parts import (
    Cell,
    ColumnHead,
    Field,
    Grid,
    Meaning,
    ReportPart,
    ReportSection,
    Sheet,
    TableLine,
)

DRAWN_ENTRANTS = 30
"""Entrants that the chart has room for."""


def time_section(thinking: Mapping[str, Thinking], numbers: Mapping[str, int], limit: float | None) -> ReportSection:
    """The times of all entrants, the slowest in the mean first; ``limit`` is that of one ask, in seconds."""
    order = sorted(thinking, key=lambda name: (-(thinking[name].mean or 0.0), name))
    parts = [_time_part(order, thinking, numbers, limit)] if order else []
    return ReportSection(
        id="time",
        title="Time per ask",
        about="As the referee's clock saw it, with the way to the bot's process and back.",
        parts=parts,
        missing=[] if parts else ["No times were measured, or timings.jsonl is missing."],
    )


def _time_part(
    order: Sequence[str], thinking: Mapping[str, Thinking], numbers: Mapping[str, int], limit: float | None
) -> ReportPart:
    heads = [ColumnHead("entrant", left=True), ColumnHead("asks"), ColumnHead("late")]
    heads += [ColumnHead(each) for each in ("mean, ms", "typical, ms", "longest, ms", "in all, s")]
    lines = []
    for name in order:
        of = thinking[name]
        cells = (
            _milliseconds_text(of.mean),
            _milliseconds_text(of.typical),
            _milliseconds_text(of.worst),
            fixed_decimals(of.total, 1),
        )
        counts = (f"{of.asks:,}", f"{of.late:,}")
        lines.append(
            TableLine([Field(name, entrant=numbers[name]), *(Field(each) for each in (*counts, *cells))], numbers[name])
        )
    drawn = [Times(name, numbers[name], *_thinking_seconds(thinking[name])) for name in order[:DRAWN_ENTRANTS]]
    cut = [f"The chart has the slowest {DRAWN_ENTRANTS} of {len(order)}."] if len(order) > DRAWN_ENTRANTS else []
    told = [f"An ask may take {limit:g} s."] if limit is not None else []
    return ReportPart(
        title="All editions",
        meanings=[
            Meaning("asks", "Questions put to the bot, in matches that are not void."),
            Meaning("late", "Asks whose answer came after the limit."),
            Meaning("mean", "All its time divided by its asks."),
            Meaning("typical", "The median over matches of the median ask of each."),
            Meaning("longest", "The slowest answer of all."),
            Meaning("in all", "The sum over all asks of all matches."),
        ],
        picture=time_chart("Time per ask", drawn, limit),
        grid=Grid(heads, lines),
        notes=[*told, *cut],
        sheet=_time_sheet(order, thinking),
    )


def _thinking_seconds(of: Thinking) -> tuple[float, float, float]:
    return of.typical or 0.0, of.mean or 0.0, of.worst


def _milliseconds_text(seconds: float | None) -> str:
    return NO_VALUE if seconds is None else fixed_decimals(seconds * 1000, 2)


def _time_sheet(order: Sequence[str], thinking: Mapping[str, Thinking]) -> Sheet:
    hooks = sorted({hook for of in thinking.values() for hook in of.hooks})
    columns = ("entrant", "matches", "asks", "late", "mean_s", "typical_s", "longest_s", "total_s")
    rows: list[list[Cell]] = []
    for name in order:
        of = thinking[name]
        rows.append([name, of.matches, of.asks, of.late, of.mean, of.typical, of.worst, of.total])
        rows[-1] += [of.hooks[hook] for hook in hooks]
    return Sheet("time-per-ask", (*columns, *(f"asks_{hook}" for hook in hooks)), rows)
