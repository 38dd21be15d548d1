"""How good each seat was, whoever sat there."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.measures.measures import Measure, MeasureUnit
from arena.tournament.standings.rounded_figures import estimate_columns, estimate_text, percent_text
from arena.tournament.standings.standings import Standings
from arena.web.report.charts.dots import Dot, dot_chart
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
from arena.web.report.sections.standings_section import estimate_values


def seats_section(standings: Sequence[Standings]) -> ReportSection:
    """The seats of each edition and of all."""
    parts = [_seats_part(each) for each in standings if each.seats]
    return ReportSection(
        id="seats",
        title="Seats",
        about="What a seat is worth, over all who sat there. The upright mark is what an even seat would have.",
        parts=parts,
        missing=[] if parts else ["No match counts yet."],
    )


def _seats_part(standings: Standings) -> ReportPart:
    measures = [each for each in standings.measures if each.by_seat and each.known(standings.games) and each.header]
    heads = [
        ColumnHead("seat"),
        ColumnHead("matches"),
        ColumnHead("even share"),
        *(ColumnHead(each.header) for each in measures),
    ]
    lines = [
        TableLine(
            [
                *(Field(str(row.seat)), Field(f"{row.matches:,}"), Field(percent_text(row.even_share))),
                *(
                    Field(estimate_text(row[each.name], each.decimals, each.unit is MeasureUnit.SHARE))
                    for each in measures
                ),
            ]
        )
        for row in standings.seats
    ]
    return ReportPart(
        title="",
        edition=standings.edition,
        meanings=[
            Meaning("seat", "The place at the table, from 0, in the order of turns."),
            Meaning("even share", "The win rate that the seat would have if no seat were better than another."),
            *(Meaning(each.header, f"{each.meaning[:1].upper()}{each.meaning[1:]}.") for each in measures),
        ],
        picture=dot_chart(
            f"Win rate by seat: {standings.edition}",
            [Dot(f"seat {row.seat}", row["win_rate"], even=row.even_share) for row in standings.seats],
            "win rate",
        ),
        grid=Grid(heads, lines),
        sheet=_seats_sheet(standings, measures),
    )


def _seats_sheet(standings: Standings, measures: Sequence[Measure]) -> Sheet:
    columns = ["seat", "matches", "even_share", *(name for each in measures for name in estimate_columns(each.name))]
    rows: list[list[Cell]] = [
        [
            row.seat,
            row.matches,
            row.even_share,
            *(cell for each in measures for cell in estimate_values(row[each.name])),
        ]
        for row in standings.seats
    ]
    return Sheet(f"seats-{standings.edition}", columns, rows)
