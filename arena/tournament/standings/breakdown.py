"""Standings taken apart by pairs of entrants and by seats: as CSV, and as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from arena.tournament.standings.standings import Standings
from arena.tournament.standings.standings_tables import (
    EDITION,
    GAMES,
    PAIRS,
    SEATS,
    measure_column,
    pair_rows,
    seat_measures,
    seat_rows,
)
from arena.tournament.tables.result_table import ResultTable, table_csv
from arena.tournament.tables.table_text import fit_table, paragraph, text_table, too_wide


def crosstable_csv(standings: Iterable[Standings]) -> str:
    """One line for each ordered pair of each edition, in the order of the rows."""
    rows = [(each.edition, *row) for each in standings for row in pair_rows(each).rows]
    return table_csv(ResultTable((EDITION, *PAIRS), rows))


def seats_csv(standings: Iterable[Standings]) -> str:
    """One line for each seat of each edition, from 0: ``even_share`` and every measure with an interval, each with
    ``X_half_width``, ``X_low`` and ``X_high`` after it."""
    every = list(standings)
    measures = list(dict.fromkeys(measure for each in every for measure in seat_measures(each)))
    rows = [(each.edition, " ".join(each.games), *row) for each in every for row in seat_rows(each, measures).rows]
    return table_csv(ResultTable((EDITION, GAMES, *SEATS, *map(measure_column, measures)), rows))


def pairs_table(standings: Standings, columns: int | None = None) -> str:
    """The crosstable for the terminal, with one line for each pair: that of the entrant that stands higher. Where the
    terminal has fewer ``columns`` than the table, the last columns are left out, and a line says which."""
    place = {row.entrant: number for number, row in enumerate(standings.rows)}
    whole = pair_rows(standings).for_people()
    rows = [row for row in whole.rows if row[2] and place[row[0]] < place[row[1]]]
    table = ResultTable(whole.columns, rows)
    return _breakdown_table(table if len(standings.games) < 2 else table.drop(["money_difference"]), 2, columns)


def seats_table(standings: Standings, columns: int | None = None) -> str:
    """The table of seats for the terminal; ``columns`` is as in :func:`pairs_table`."""
    return _breakdown_table(seat_rows(standings, seat_measures(standings)).for_people(), 0, columns)


def _breakdown_table(table: ResultTable, left: int, columns: int | None) -> str:
    """The table with as many columns as fit the terminal, but at least the ``left`` first ones and one more."""
    if not table.rows:
        return "no match counts yet\n"
    shown = fit_table(table, columns, [(key,) for key in table.keys[:left:-1]])
    told = too_wide(table, shown, "the run's files and --json have all columns")
    return f"{text_table(shown)}\n\n{paragraph(told, columns)}\n" if told else f"{text_table(shown)}\n"
