"""Standings as the cells of a page's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import Measure, MeasureUnit
from arena.tournament.standings.rounded_figures import NO_VALUE, estimate_text, percent_text


class StandingsTable(NamedTuple):
    """A table: its ``heads`` and ``rows``, each of which begins with place, entrant and matches; below it ``told``."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    told: str


def standings_shown(data: Mapping[str, Any], measures: Sequence[Measure]) -> StandingsTable:
    """The table of what :func:`arena.tournament.standings.standings_text.standings_data` gives of an edition. Counts
    that are 0 for everybody have no column."""
    rows = data["rows"]
    kept = [
        each for each in measures if each.header and any(_deserves_column(each, row.get(each.name)) for row in rows)
    ]
    cells = tuple(
        (str(place), row["entrant"], f"{row['matches']:,}", *(_value_cell(each, row.get(each.name)) for each in kept))
        for place, row in enumerate(rows, 1)
    )
    ends = "; (low…high) are its ends" if any("…" in cell for row in cells for cell in row[2:]) else ""
    return StandingsTable(("#", "entrant", "matches", *(each.header for each in kept)), cells, _table_note(data, ends))


def _deserves_column(measure: Measure, value: Any) -> bool:
    """Whether a value is worth a column."""
    return bool(value) if measure.unit is MeasureUnit.COUNT else value is not None


def _value_cell(measure: Measure, value: Any) -> str:
    if value is None:
        return NO_VALUE
    if isinstance(value, dict):
        estimate = Estimate(value["mean"], value["low"], value["high"], value["clusters"])
    else:
        estimate = Estimate(float(value), None, None, 0)
    return estimate_text(estimate, measure.decimals, measure.unit is MeasureUnit.SHARE)


def _table_note(data: Mapping[str, Any], ends: str) -> str:
    """What the table counts, and how it is read; ``ends`` of intervals are explained where some are shown."""
    unit = f"; money in {data['unit']}" if data.get("unit") else ""
    even = f" Even share of wins: {percent_text(data['even_share'])}." if data.get("even_share") is not None else ""
    return (
        f"{data['matches']:,} matches in {data['blocks']:,} blocks, {data['voids']:,} void{unit}.{even} "
        f"± is half of a 95 % interval clustered by block{ends}."
    )
