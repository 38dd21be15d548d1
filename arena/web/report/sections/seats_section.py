"""How successful each seat was, whichever entrant sat there."""

from __future__ import annotations

from collections.abc import Sequence

from arena.pages.html_table import grid_of
from arena.tournament.standings.standings import Standings
from arena.tournament.standings.standings_tables import seat_measures, seat_rows
from arena.web.report.charts.dots import Dot, dot_chart
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet


def seats_section(standings: Sequence[Standings]) -> ReportSection:
    """Return the section on the seats of each edition and of all."""
    parts = [_seats_part(each) for each in standings if each.seats]
    return ReportSection(
        id="seats",
        title="Seats",
        about="What a seat is worth, over all entrants. The upright mark is the value if all seats were equally good.",
        parts=parts,
        missing=[] if parts else ["No match counts yet."],
    )


def _seats_part(standings: Standings) -> ReportPart:
    measures = [each for each in seat_measures(standings) if each.header]
    table = seat_rows(standings, measures)
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
        grid=grid_of(table),
        sheet=Sheet(f"seats-{standings.edition}", table),
    )
