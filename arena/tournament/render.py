"""Standings as text: JSON-able data and CSV for programs, Markdown and plain tables for people.

Numbers have fixed decimals, so equal standings give equal bytes. Every text ends in a line break; CSV
follows RFC 4180 but for its line ends, which are ``\\n``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from tabulate import tabulate

from arena.games import load_game
from arena.tournament.intervals import Estimate
from arena.tournament.schedule import ALL_EDITIONS
from arena.tournament.standings import Row, Standings

_DECIMALS = 6
_NOTHING = "–"
_COLUMNS = (
    *("edition", "games", "place", "entrant", "matches", "wins"),
    *("win_rate", "win_rate_half_width", "mean_rank", "mean_rank_half_width"),
    *("matchpoints", "matchpoints_half_width", "mean_money", "mean_money_half_width"),
    *("even_share", "faults", "struck_out", "forfeits"),
)
_PAIR_COLUMNS = ("edition", "entrant", "opponent", "matches", "score", "money_difference")
FEW = 5
"""Blocks below which a table says that its intervals tell little."""
_MONEY = "mean money"
_HEADERS = (
    *("#", "entrant", "matches", "win rate", "mean rank", "matchpoints", _MONEY),
    *("faults", "struck out", "forfeits"),
)


def standings_data(standings: Iterable[Standings]) -> dict[str, object]:
    """``{edition: {...}}`` with the fields of `Standings`, ready for JSON.

    Rates and matchpoints are in 0…1, money is in ``unit``; an estimate is
    ``{"mean", "half_width", "clusters"}``; what is not known is null. Numbers are rounded to 6 decimals.
    """
    return {
        each.edition: {
            "games": list(each.games),
            "unit": _unit(each),
            "matches": each.matches,
            "voids": each.voids,
            "blocks": each.blocks,
            "even_share": _rounded(each.even_share),
            "rows": [_row_data(row) for row in each.rows],
            "crosstable": [
                {
                    "entrant": pair.entrant,
                    "opponent": pair.opponent,
                    "matches": pair.matches,
                    "score": _rounded(pair.score),
                    "money_difference": _rounded(pair.money_difference),
                }
                for pair in each.crosstable
            ],
        }
        for each in standings
    }


def standings_csv(standings: Iterable[Standings]) -> str:
    """One line for each entrant of each edition, best first; plain numbers, nothing for what is not known.

    Columns are named as the fields of `Row`, with ``X_half_width`` after each estimate X. ``games`` are separated by
    spaces. After the fixed columns comes ``faults.KIND`` for each kind of fault that occurs in any of the standings,
    by name.
    """
    every = list(standings)
    kinds = sorted({kind for each in every for row in each.rows for kind in row.faults_by_kind})
    lines: list[Sequence[object]] = [(*_COLUMNS, *(f"faults.{kind}" for kind in kinds))]
    for each in every:
        for place, row in enumerate(each.rows, start=1):
            fixed = (each.edition, " ".join(each.games), place, row.entrant, row.matches, _plain(row.wins))
            rates = (*_parts(row.win_rate), *_parts(row.mean_rank))
            estimated = (*rates, *_parts(row.matchpoints), *_parts(row.mean_money))
            conduct = (row.faults, row.struck_out, row.forfeits)
            by_kind = (row.faults_by_kind.get(kind, 0) for kind in kinds)
            lines.append((*fixed, *estimated, _plain(each.even_share), *conduct, *by_kind))
    return _csv(lines)


def crosstable_csv(standings: Iterable[Standings]) -> str:
    """One line for each ordered pair of each edition, the fields of `Pairing`, in the order of the rows."""
    lines: list[Sequence[object]] = [_PAIR_COLUMNS]
    for each in standings:
        for pair in each.crosstable:
            numbers = (_plain(pair.score), _plain(pair.money_difference))
            lines.append((each.edition, pair.entrant, pair.opponent, pair.matches, *numbers))
    return _csv(lines)


def standings_markdown(standings: Standings) -> str:
    """A GitHub table, a blank line and the `caption`, without a heading."""
    escaped = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in _cells(standings)]
    return f"{_table(standings, escaped, 'github')}\n\n{caption(standings)}\n"


def standings_table(standings: Standings) -> str:
    """A table for the terminal and, below it, the `caption`."""
    return f"{_table(standings, _cells(standings), 'simple')}\n{caption(standings)}\n"


def _table(standings: Standings, rows: list[list[str]], tablefmt: str) -> str:
    headers = _headers(standings)
    if not rows:  # tabulate 0.9 cannot align columns without rows
        return tabulate([], headers=headers, tablefmt=tablefmt)
    align = ["left" if header == "entrant" else "right" for header in headers]
    return tabulate(rows, headers=headers, tablefmt=tablefmt, disable_numparse=True, colalign=align)


def caption(standings: Standings) -> str:
    """One line that says what the table counts, in which unit money is, and how to read it."""
    unit = _unit(standings)
    order = f"; money in {unit}" if unit else "; by matchpoints" if standings.games else ""
    return (
        f"{standings.edition}: {_counted(standings.matches, 'match', 'matches')}{_played(standings)} "
        f"in {_counted(standings.blocks, 'block', 'blocks')}, {standings.voids} void{order}. "
        f"Even share: {_percent(standings.even_share)} of wins, {_percent(0.5)} of matchpoints. "
        "± is half of a 95 % interval clustered by block."
        + (" So few blocks tell little." if standings.blocks < FEW else "")
    )


def _played(standings: Standings) -> str:
    """Of what the matches were."""
    if not standings.games:
        return ""
    whole = standings.edition == ALL_EDITIONS or standings.edition in standings.games
    return f" of {'all editions of ' if whole else ''}{' and '.join(standings.games)}"


def _unit(standings: Standings) -> str | None:
    """What money is counted in; None over several games, which have no common one, and before the first match."""
    return load_game(standings.games[0]).unit if len(standings.games) == 1 else None


def _headers(standings: Standings) -> list[str]:
    """The columns' names; without money over several games."""
    return [header for header in _HEADERS if header != _MONEY or len(standings.games) < 2]


def _cells(standings: Standings) -> list[list[str]]:
    """The rows as they are shown, below `_headers`."""
    shown = _headers(standings)
    found = []
    for place, row in enumerate(standings.rows, start=1):
        cells = (
            *(str(place), row.entrant, str(row.matches)),
            *(_in_percent(row.win_rate), _with_half_width(row.mean_rank, 2)),
            *(_in_percent(row.matchpoints), _with_half_width(row.mean_money, 1)),
            *(str(row.faults), str(row.struck_out), str(row.forfeits)),
        )
        found.append([cell for header, cell in zip(_HEADERS, cells, strict=True) if header in shown])
    return found


def _in_percent(estimate: Estimate) -> str:
    return _NOTHING if estimate.mean is None else f"{_with_half_width(estimate, 1, 100)} %"


def _with_half_width(estimate: Estimate, decimals: int, scale: int = 1) -> str:
    if estimate.mean is None:
        return _NOTHING
    mean = _fixed(estimate.mean * scale, decimals)
    if estimate.half_width is None:
        return mean
    return f"{mean} ±{_fixed(estimate.half_width * scale, decimals)}"


def _percent(share: float | None) -> str:
    return _NOTHING if share is None else f"{_fixed(share * 100, 1)} %"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _row_data(row: Row) -> dict[str, object]:
    return {
        "entrant": row.entrant,
        "matches": row.matches,
        "wins": _rounded(row.wins),
        "win_rate": _estimate_data(row.win_rate),
        "mean_rank": _estimate_data(row.mean_rank),
        "matchpoints": _estimate_data(row.matchpoints),
        "mean_money": _estimate_data(row.mean_money),
        "faults": row.faults,
        "faults_by_kind": dict(row.faults_by_kind),
        "struck_out": row.struck_out,
        "forfeits": row.forfeits,
    }


def _estimate_data(estimate: Estimate) -> dict[str, object]:
    return {
        "mean": _rounded(estimate.mean),
        "half_width": _rounded(estimate.half_width),
        "clusters": estimate.clusters,
    }


def _parts(estimate: Estimate) -> tuple[str, str]:
    return _plain(estimate.mean), _plain(estimate.half_width)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, _DECIMALS) + 0.0  # + 0.0 turns -0.0 into 0.0


def _plain(number: float | None) -> str:
    return "" if number is None else _fixed(number, _DECIMALS)


def _fixed(number: float, decimals: int) -> str:
    return f"{round(number, decimals) + 0.0:.{decimals}f}"


def _csv(lines: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()
