"""Standings of a ladder as numbers for programs: JSON-able data and CSV, rounded, so that equal standings give equal
bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from arena.ladder.rating.standing import LadderStandings, StandingsBasis, VersionStanding
from arena.tournament.standings.rounded_figures import (
    csv_number,
    csv_text,
    estimate_cells,
    estimate_columns,
    estimate_data,
    json_number,
)


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
        "rows": [_row_data(row) for row in standings.rows],
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


def _row_data(row: VersionStanding) -> dict[str, object]:
    return {
        "place": row.place,
        "tier": row.tier,
        "level": None if row.alike is None else list(row.alike),
        "version": row.version,
        "bot": row.bot,
        "author": row.author,
        "state": str(row.state),
        "new": row.new,
        "anchor": row.anchor or None,
        "rating": estimate_data(row.rating),
        "unrated": None if row.unrated is None else row.unrated.value,
        "change": None if row.change is None else {"value": _rating_change(row), "place": row.change.place},
        "beaten": estimate_data(row.beaten),
        "money": estimate_data(row.money),
        "matches": row.matches,
        "blocks": row.blocks,
        "faults": row.faults.count,
        "put_out": row.faults.put_out,
        "label": row.label or None,
    }


def _rating_change(row: VersionStanding) -> float | None:
    """By how much the rating has changed; None where it was not rated then or is not now."""
    if row.change is None or row.change.value is None or row.rating.mean is None:
        return None
    return json_number(row.rating.mean - row.change.value)


def ladder_standings_csv(standings: LadderStandings) -> str:
    """A line for each row, the first place first; unknown values are empty. ``level_first`` and ``level_last`` are the
    places of those from whom the version is not told apart, ``change`` that of its rating, ``place_before`` its place
    then."""
    heads = ["place", "tier", "level_first", "level_last", "version", "bot", "author", "state", "new", "anchor"]
    heads += [*estimate_columns("rating"), "unrated", "change", "place_before"]
    heads += [
        *estimate_columns("beaten"),
        *estimate_columns("money"),
        "matches",
        "blocks",
        "faults",
        "put_out",
        "label",
    ]
    lines: list[Sequence[object]] = [heads]
    for row in standings.rows:
        level = ("", "") if row.alike is None else row.alike
        unrated = "" if row.unrated is None else row.unrated.value
        before = "" if row.change is None or row.change.place is None else row.change.place
        lines.append(
            [
                *(row.place, row.tier, *level, row.version, row.bot, row.author, str(row.state)),
                *("true" if row.new else "false", row.anchor or "", *estimate_cells(row.rating), unrated),
                *(csv_number(_rating_change(row)), before, *estimate_cells(row.beaten), *estimate_cells(row.money)),
                *(row.matches, row.blocks, row.faults.count, row.faults.put_out, row.label),
            ]
        )
    return csv_text(lines)
