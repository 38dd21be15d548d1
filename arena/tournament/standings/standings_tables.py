"""Standings, their pairs and their seats as tables of results, which every form of output is written from."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import Measure, MeasureUnit
from arena.tournament.standings.standings import Standings, Value
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column

EDITION, GAMES, PLACE = ResultColumn("edition"), ResultColumn("games"), ResultColumn("place", "#")
ENTRANT = ResultColumn("entrant", "entrant", left=True)
MATCHES = ResultColumn("matches", "matches")
PAIRS = (
    ENTRANT,
    ResultColumn("opponent", "opponent", left=True),
    MATCHES,
    estimate_column("score", "ranked better", share=True),
    estimate_column("money_difference", "more money"),
    ResultColumn("blocks"),
)
SEATS = (ResultColumn("seat", "seat"), MATCHES, ResultColumn("even_share", "even share", share=True))


def measure_column(measure: Measure) -> ResultColumn:
    """The column of a measure."""
    make = estimate_column if measure.interval else ResultColumn
    return make(measure.name, measure.header, decimals=measure.decimals, share=measure.unit is MeasureUnit.SHARE)


def measured(measure: Measure, value: Value) -> Estimate | int | float | None:
    """The value of a measure as tables hold it: a count is an int."""
    if value is None or isinstance(value, Estimate):
        return value
    return int(value) if measure.unit is MeasureUnit.COUNT else float(value)


def standings_rows(standings: Standings, measures: Sequence[Measure]) -> ResultTable:
    """The entrants, best first, with these measures."""
    rows = [
        [place, row.entrant, row.matches, *(measured(each, row[each.name]) for each in measures)]
        for place, row in enumerate(standings.rows, start=1)
    ]
    return ResultTable((PLACE, ENTRANT, MATCHES, *map(measure_column, measures)), rows)


def shown_measures(standings: Standings) -> list[Measure]:
    """The measures that have a column in tables. Counts that are 0 for everybody have none: the tables stay narrow."""
    known = [each for each in standings.measures if each.header and each.has_value(standings.games)]
    return [
        each for each in known if each.unit is not MeasureUnit.COUNT or any(row[each.name] for row in standings.rows)
    ]


def pair_rows(standings: Standings) -> ResultTable:
    """The crosstable: every ordered pair, in the order of the standings."""
    rows = [
        (pair.entrant, pair.opponent, pair.matches, pair.score, pair.money_difference, pair.score.clusters)
        for pair in standings.crosstable
    ]
    return ResultTable(PAIRS, rows)


def seat_measures(standings: Standings) -> list[Measure]:
    """The measures that seats have."""
    return [each for each in standings.measures if each.by_seat and each.has_value(standings.games)]


def seat_rows(standings: Standings, measures: Sequence[Measure]) -> ResultTable:
    """Every seat that was taken, from 0, whoever sat there, with these measures."""
    rows = [
        [row.seat, row.matches, row.even_share, *(row.values.get(each.name) for each in measures)]
        for row in standings.seats
    ]
    return ResultTable((*SEATS, *map(measure_column, measures)), rows)
