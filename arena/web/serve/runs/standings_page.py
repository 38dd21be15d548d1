"""Standings on a page: from the JSON that the run wrote, or that was computed from its finished matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import Measure, MeasureUnit
from arena.tournament.standings.standings_tables import ENTRANT, MATCHES, PLACE, measure_column
from arena.tournament.tables.result_table import ResultTable
from arena.tournament.tables.rounded_figures import percent_text


def standings_shown(data: Mapping[str, Any], measures: Sequence[Measure]) -> ResultTable:
    """Return the table of an edition from the data of :func:`arena.tournament.standings.standings_text.standings_data`.
    Counts that are 0 for everybody get no column."""
    kept = [
        each
        for each in measures
        if each.header and any(_deserves_column(each, row.get(each.name)) for row in data["rows"])
    ]
    rows = [
        [place, row["entrant"], row["matches"], *(_value(row.get(each.name)) for each in kept)]
        for place, row in enumerate(data["rows"], 1)
    ]
    return ResultTable((PLACE, ENTRANT, MATCHES, *map(measure_column, kept)), rows)


def standings_told(data: Mapping[str, Any], table: ResultTable) -> str:
    """Say what the table counts and how to read it; explain the ends of intervals where some are shown."""
    ends = "; (low…high) are its ends" if any("…" in cell for row in table.cells() for cell in row[2:]) else ""
    unit = f"; money in {data['unit']}" if data.get("unit") else ""
    even = f" Even share of wins: {percent_text(data['even_share'])}." if data.get("even_share") is not None else ""
    return (
        f"{data['matches']:,} matches in {data['blocks']:,} blocks, {data['voids']:,} void{unit}.{even} "
        f"± is half of a 95 % interval clustered by block{ends}."
    )


def _deserves_column(measure: Measure, value: Any) -> bool:
    """Return whether a value of this measure is a reason to show its column."""
    return bool(value) if measure.unit is MeasureUnit.COUNT else value is not None


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return Estimate(value["mean"], value["low"], value["high"], value["clusters"])
    return value
