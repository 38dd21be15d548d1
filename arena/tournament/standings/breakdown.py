"""Standings taken apart by pairs of entrants and by seats: as JSON-able data, as CSV, and as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill

from tabulate import tabulate

from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import Measure, MeasureUnit
from arena.tournament.standings.rounded_figures import (
    TEXT_WIDTH,
    csv_number,
    csv_text,
    estimate_cells,
    estimate_columns,
    estimate_data,
    estimate_text,
    json_number,
    percent_text,
)
from arena.tournament.standings.standings import Pairing, Standings, StandingsSeatRow

_PAIR_COLUMNS = (
    *("edition", "entrant", "opponent", "matches"),
    *(*estimate_columns("score"), *estimate_columns("money_difference"), "blocks"),
)


def pair_data(pair: Pairing) -> dict[str, object]:
    """A pair for JSON."""
    money = pair.money_difference or Estimate(None, None, None, 0)
    return {
        "entrant": pair.entrant,
        "opponent": pair.opponent,
        "matches": pair.matches,
        "score": json_number(pair.score.mean),
        "score_half_width": json_number(pair.score.half_width),
        "score_low": json_number(pair.score.low),
        "score_high": json_number(pair.score.high),
        "money_difference": json_number(money.mean),
        "money_difference_half_width": json_number(money.half_width),
        "money_difference_low": json_number(money.low),
        "money_difference_high": json_number(money.high),
        "blocks": pair.score.clusters,
    }


def seat_data(row: StandingsSeatRow) -> dict[str, object]:
    """A seat for JSON."""
    values = {name: estimate_data(value) for name, value in row.values.items()}
    return {"seat": row.seat, "matches": row.matches, "even_share": json_number(row.even_share), **values}


def crosstable_csv(standings: Iterable[Standings]) -> str:
    """One line for each ordered pair of each edition, in the order of the rows."""
    lines: list[Sequence[object]] = [_PAIR_COLUMNS]
    for each in standings:
        for pair in each.crosstable:
            numbers = (*estimate_cells(pair.score), *estimate_cells(pair.money_difference), pair.score.clusters)
            lines.append((each.edition, pair.entrant, pair.opponent, pair.matches, *numbers))
    return csv_text(lines)


def seats_csv(standings: Iterable[Standings]) -> str:
    """One line for each seat of each edition, from 0: ``even_share`` and every measure with an interval, each with
    ``X_half_width``, ``X_low`` and ``X_high`` after it."""
    every = list(standings)
    names = list(dict.fromkeys(measure.name for each in every for measure in _seat_measures(each)))
    header = [column for name in names for column in estimate_columns(name)]
    lines: list[Sequence[object]] = [("edition", "games", "seat", "matches", "even_share", *header)]
    for each in every:
        for row in each.seats:
            cells = [cell for name in names for cell in estimate_cells(row.values.get(name))]
            fixed = (each.edition, " ".join(each.games), row.seat, row.matches, csv_number(row.even_share))
            lines.append((*fixed, *cells))
    return csv_text(lines)


def pairs_table(standings: Standings, columns: int | None = None) -> str:
    """The crosstable for the terminal: of each pair the line of the one that stands higher. Where the terminal has
    fewer ``columns`` than the table, the last columns are left out, and a line says which."""
    place = {row.entrant: number for number, row in enumerate(standings.rows)}
    rows = [
        [
            pair.entrant,
            pair.opponent,
            str(pair.matches),
            estimate_text(pair.score, 1, True),
            estimate_text(pair.money_difference, 1),
        ]
        for pair in standings.crosstable
        if pair.matches and place[pair.entrant] < place[pair.opponent]
    ]
    if len(standings.games) > 1:
        rows = [row[:-1] for row in rows]
    return _breakdown_table(["entrant", "opponent", "matches", "ranked better", "more money"], rows, 2, columns)


def seats_table(standings: Standings, columns: int | None = None) -> str:
    """The table of seats for the terminal, of at most so many ``columns`` as :func:`pairs_table`."""
    measures = [measure for measure in _seat_measures(standings) if measure.header]
    rows = [
        [
            *(str(row.seat), str(row.matches), percent_text(row.even_share)),
            *(estimate_text(row[each.name], each.decimals, each.unit is MeasureUnit.SHARE) for each in measures),
        ]
        for row in standings.seats
    ]
    return _breakdown_table(["seat", "matches", "even share", *(each.header for each in measures)], rows, 0, columns)


def _seat_measures(standings: Standings) -> list[Measure]:
    """Those that seats have."""
    return [each for each in standings.measures if each.by_seat and each.known(standings.games)]


def _breakdown_table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int, columns: int | None) -> str:
    """A table whose first ``left`` columns are texts, of at most so many ``columns`` of the terminal, where that can
    be."""
    if not rows:  # tabulate 0.9 cannot align columns without rows
        return "no match counts yet\n"
    headers = headers[: len(rows[0])]
    align = ["left" if place < left else "right" for place in range(len(headers))]
    for kept in range(len(headers), left, -1):
        cut = [row[:kept] for row in rows]
        table = tabulate(cut, headers[:kept], "simple", disable_numparse=True, colalign=align[:kept])
        if columns is None or len(table.partition("\n")[0]) <= columns:
            break
    if kept == len(headers):
        return f"{table}\n"
    below = f"Too wide for this terminal: {', '.join(headers[kept:])}; all is in the run's files, or with --json."
    return f"{table}\n\n{fill(below, min(TEXT_WIDTH, columns or TEXT_WIDTH))}\n"
