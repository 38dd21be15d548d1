"""Standings of a ladder as numbers for programs: JSON-able data and CSV, rounded, so that equal standings give equal
bytes."""

from __future__ import annotations

from dataclasses import asdict

from arena.ladder.rating.standing import LadderStandings, StandingsBasis, VersionStanding
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column, rows_data, table_csv
from arena.tournament.tables.rounded_figures import json_number


def ladder_standings_data(standings: LadderStandings) -> dict[str, object]:
    """The standings, ready for JSON. Estimates are ``{"mean", "half_width", "low", "high", "clusters"}``, shares in
    0…1, unknown values null, numbers rounded to 6 decimals."""
    pairs = standings.pairs
    return {
        **_whole_data(standings.whole),
        "pairs": None if pairs is None else asdict(pairs),
        "not_told_apart": [
            [row.version for row in standings.rows[first - 1 : last]] for first, last in standings.groups
        ],
        "rows": rows_data(_rows(standings)),
    }


def _whole_data(whole: StandingsBasis) -> dict[str, object]:
    since = whole.since
    return {
        "ladder": whole.ladder,
        "season": whole.season,
        "ended": whole.ended,
        "game": whole.game,
        "edition": whole.edition,
        "unit": whole.unit,
        "seats": whole.seats,
        "rated_by": whole.rated_by.value,
        "anchor": whole.anchor or None,
        "matches": whole.matches,
        "voids": whole.voids,
        "blocks": whole.blocks,
        "rounds": whole.rounds,
        "began": whole.began,
        "waiting": whole.waiting,
        "newcomer_tables": whole.newcomer,
        "indifference": json_number(whole.indifference),
        "without": list(whole.without),
        "not_shown": whole.not_shown,
        "unplayed": list(whole.unplayed),
        "since": None if since is None else {"round": since.round, "closed": since.at},
        "by_seat": whole.by_seat,
        "notes": list(whole.notes),
    }


COLUMNS = (
    *map(ResultColumn, ("place", "tier")),
    ResultColumn("level", parts=("level_first", "level_last")),
    *map(ResultColumn, ("version", "bot", "author", "state", "new", "anchor")),
    estimate_column("rating"),
    ResultColumn("unrated"),
    ResultColumn("change", parts=("change", "place_before")),
    *(estimate_column("beaten"), estimate_column("money")),
    *map(ResultColumn, ("matches", "blocks", "faults", "put_out", "label")),
)


def _rows(standings: LadderStandings) -> ResultTable:
    """Return a table with a row for each version, the first place first."""
    rows = [
        (
            *(row.place, row.tier, None if row.alike is None else list(row.alike), row.version, row.bot, row.author),
            *(str(row.state), row.new, row.anchor or None, row.rating),
            None if row.unrated is None else row.unrated.value,
            None if row.change is None else {"value": _rating_change(row), "place": row.change.place},
            *(row.beaten, row.money, row.matches, row.blocks, row.faults.count, row.faults.put_out, row.label or None),
        )
        for row in standings.rows
    ]
    return ResultTable(COLUMNS, rows)


def _rating_change(row: VersionStanding) -> float | None:
    """Return the change of the rating; None where the version was unrated then or is now."""
    if row.change is None or row.change.value is None or row.rating.mean is None:
        return None
    return json_number(row.rating.mean - row.change.value)


def ladder_standings_csv(standings: LadderStandings) -> str:
    """Return the standings as CSV, the first place first; unknown values are empty. ``level_first`` and ``level_last``
    are the places between which the version cannot be told apart from others, ``change`` is the change of its rating,
    ``place_before`` its place in the standings with which these are compared."""
    return table_csv(_rows(standings))
