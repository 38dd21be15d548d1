"""Standings as a table of a page, each mean with its interval drawn beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import fsum

from arena.pages.html_table import Field, grid_of
from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import Measure
from arena.tournament.standings.standings import Standings
from arena.tournament.standings.standings_tables import shown_measures, standings_rows
from arena.tournament.standings.standings_text import standings_caption
from arena.web.report.charts.whisker import draw_whisker, whisker_scale
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet

HALF_BEATEN = 0.5
"""The share of opponents that an entrant beats if all are equals."""
OF_ALL = ("mean_rank", "mean_money")
"""Measures whose value among equals is the mean over all seats."""


def standings_section(standings: Sequence[Standings], numbers: Mapping[str, int]) -> ReportSection:
    """Return the section with the standings of each edition and of all; ``numbers``: the entrants', by name."""
    return ReportSection(
        id="standings",
        title="Standings",
        about="A dot is the mean, the line through it its 95 % interval; the upright mark is the value for equally "
        "good bots.",
        parts=[standings_part(each, numbers) for each in standings],
    )


def standings_part(standings: Standings, numbers: Mapping[str, int]) -> ReportPart:
    """Return the standings of one edition, of one game, or of all, as a part."""
    measures = shown_measures(standings)
    even = _even_values(standings)
    drawn = {each.name: _interval_pictures(each, standings, even.get(each.name)) for each in measures if each.interval}
    fields = {key: partial(_drawn_field, pictures) for key, pictures in drawn.items()}
    return ReportPart(
        title="",
        edition=standings.edition,
        meanings=_measure_meanings(measures),
        grid=grid_of(standings_rows(standings, measures), numbers, fields),
        notes=[standings_caption(standings)],
        sheet=Sheet(
            f"standings-{standings.edition}",
            standings_rows(standings, [each for each in standings.measures if each.has_value(standings.games)]),
        ),
    )


def _even_values(standings: Standings) -> dict[str, float | None]:
    """Return, by measure, the value of each entrant if all were equals; for ranks and money it is the mean over all
    seats, whose sum does not depend on who is good."""
    found: dict[str, float | None] = {
        "win_rate": standings.even_share,
        "beaten": HALF_BEATEN,
        "matchpoints": HALF_BEATEN,
    }
    for name in OF_ALL:
        means = [(row[name], row.matches) for row in standings.rows]
        known = [(value.mean, of) for value, of in means if isinstance(value, Estimate) and value.mean is not None]
        seats = sum(of for _, of in known)
        found[name] = fsum(mean * of for mean, of in known) / seats if seats else None
    return found


def _interval_pictures(measure: Measure, standings: Standings, even: float | None) -> dict[str, str]:
    """Draw the interval of each entrant, all on one scale."""
    values = {row.entrant: value for row in standings.rows if isinstance(value := row[measure.name], Estimate)}
    scale = whisker_scale(values.values(), even)
    return {entrant: draw_whisker(value, scale, even) for entrant, value in values.items()}


def _drawn_field(pictures: Mapping[str, str], text: str, entrant: str) -> Field:
    return Field(text, pictures.get(entrant, ""))


def _measure_meanings(measures: Sequence[Measure]) -> list[Meaning]:
    return [
        *(Meaning(each.header, f"{each.meaning[:1].upper()}{each.meaning[1:]}.") for each in measures),
        Meaning(
            "±",
            "Half of a 95 % interval: in 19 of 20 tournaments like this one, the interval contains the true value. "
            "It is computed from the differences between blocks, because the matches of one block share deals.",
        ),
        Meaning(
            "upright mark",
            "The value for equally good bots: the even share of wins, half of the opponents beaten, and the mean "
            "rank and money over all seats.",
        ),
        Meaning(
            "design factor",
            "How many independent matches one match of this design is worth; above 1, figures are more precise than "
            "those from equally many unrelated matches, because seat orders share deals.",
        ),
    ]
