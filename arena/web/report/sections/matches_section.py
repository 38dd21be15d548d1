"""The matches whose pages the report includes, each with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games import load_game
from arena.pages.html_table import ColumnHead, EventPlace, Field, Grid, TableLine
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.tables.result_table import keyed_table
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet


@dataclass(frozen=True, slots=True)
class HeldMatch:
    """A match whose page the report includes: its ``record``, why it was chosen, the first ``place`` to look at."""

    record: MatchRecord
    why: str
    place: EventPlace


def matches_section(held: Sequence[HeldMatch], folder: str, missing: str) -> ReportSection:
    """Return the section with the ``held`` matches; ``missing`` says why there are none."""
    served = any(each.place.address for each in held)
    where = "These open in the match viewer" if served else "These open in the match viewer from this file"
    return ReportSection(
        id="matches",
        title="Matches to look at",
        about=f"{where}. Open any other match of the run with: arena view {folder} MATCH",
        parts=[_matches_part(held, "Chosen" if served else "In this file")] if held else [],
        missing=[missing] if missing else [],
    )


def _matches_part(held: Sequence[HeldMatch], title: str) -> ReportPart:
    heads = [ColumnHead(each, left=True) for each in ("match", "why", "result", "open")]
    lines = [
        TableLine(
            [
                Field(each.record.id, prose=True),
                *(Field(each.why, prose=True), Field(_result_text(each.record), prose=True)),
                Field(_event_text(each.place), place=each.place, prose=not each.place.address),
            ]
        )
        for each in held
    ]
    rows = [
        [each.record.edition, each.record.id, each.why, each.place.event, _result_text(each.record)] for each in held
    ]
    return ReportPart(
        title=title,
        meanings=[
            Meaning("result", "Money of each seat at the end, in seat order."),
            Meaning("why", "Matches with faults come first, then those with the largest payments between two seats."),
        ],
        grid=Grid(heads, lines),
        sheet=Sheet("matches", keyed_table(("edition", "match", "why", "event", "result"), rows)),
    )


def _event_text(place: EventPlace) -> str:
    return f"event {place.event}" if place.event > 1 else "from the beginning"


def _result_text(record: MatchRecord) -> str:
    unit = load_game(record.game).unit
    told = ", ".join(f"{seat.entrant} {_money_text(seat.money, unit)}" for seat in record.seats)
    return f"{told}{' (void)' if record.void else ''}"


def _money_text(amount: int, unit: str) -> str:
    return f"{'-' if amount < 0 else ''}{unit[:1]}{abs(amount)}{unit[1:]}"
