"""How long entrants take to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.pages.html_table import grid_of
from arena.tournament.tables.result_table import ResultColumn, ResultTable, keyed_table
from arena.web.report.charts.times import Times, time_chart
from arena.web.report.figures.asking_time import Thinking
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet

DRAWN_ENTRANTS = 30
"""How many entrants the chart has room for."""


def time_section(thinking: Mapping[str, Thinking], numbers: Mapping[str, int], limit: float | None) -> ReportSection:
    """Return the section on all entrants' times, the slowest mean first; ``limit``: of one ask, in seconds."""
    order = sorted(thinking, key=lambda name: (-(thinking[name].mean or 0.0), name))
    parts = [_time_part(order, thinking, numbers, limit)] if order else []
    return ReportSection(
        id="time",
        title="Time per ask",
        about="Measured by the referee, including the way to the bot's process and back.",
        parts=parts,
        missing=[] if parts else ["No times were measured, or timings.jsonl is missing."],
    )


def _time_part(
    order: Sequence[str], thinking: Mapping[str, Thinking], numbers: Mapping[str, int], limit: float | None
) -> ReportPart:
    drawn = [Times(name, numbers[name], *_thinking_seconds(thinking[name])) for name in order[:DRAWN_ENTRANTS]]
    cut = [f"The chart has the slowest {DRAWN_ENTRANTS} of {len(order)}."] if len(order) > DRAWN_ENTRANTS else []
    told = [f"An ask may take {limit:g} s."] if limit is not None else []
    return ReportPart(
        title="All editions",
        meanings=[
            Meaning("asks", "Questions put to the bot, in matches that are not void."),
            Meaning("late", "Asks answered after the time limit."),
            Meaning("mean", "All its time divided by the number of its asks."),
            Meaning("typical", "The median, over matches, of the median time in each match."),
            Meaning("longest", "The longest time for one answer."),
            Meaning("in all", "The sum over all asks of all matches."),
        ],
        picture=time_chart("Time per ask", drawn, limit),
        grid=grid_of(_time_table(order, thinking), numbers),
        notes=[*told, *cut],
        sheet=_time_sheet(order, thinking),
    )


def _thinking_seconds(of: Thinking) -> tuple[float, float, float]:
    return of.median_seconds or 0.0, of.mean or 0.0, of.worst


def _time_table(order: Sequence[str], thinking: Mapping[str, Thinking]) -> ResultTable:
    """Return the table for people: times in milliseconds."""
    columns = (
        ResultColumn("entrant", "entrant", left=True),
        ResultColumn("asks", "asks"),
        ResultColumn("late", "late"),
        *(ResultColumn(each, f"{each}, ms", decimals=2) for each in ("mean", "typical", "longest")),
        ResultColumn("total", "in all, s"),
    )
    rows = []
    for name in order:
        of = thinking[name]
        shown = (None if each is None else each * 1000 for each in (of.mean, of.median_seconds, of.worst))
        rows.append([name, of.asks, of.late, *shown, of.total])
    return ResultTable(columns, rows)


def _time_sheet(order: Sequence[str], thinking: Mapping[str, Thinking]) -> Sheet:
    hooks = sorted({hook for of in thinking.values() for hook in of.hooks})
    keys = ("entrant", "matches", "asks", "late", "mean_s", "typical_s", "longest_s", "total_s")
    rows = []
    for name in order:
        of = thinking[name]
        seconds = (of.mean, of.median_seconds, of.worst, of.total)
        rows.append([name, of.matches, of.asks, of.late, *seconds, *(of.hooks[hook] for hook in hooks)])
    return Sheet("time-per-ask", keyed_table((*keys, *(f"asks_{hook}" for hook in hooks)), rows))
