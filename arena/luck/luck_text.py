"""Money with luck taken out as text and as JSON-able data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill

from tabulate import tabulate

from arena.luck.corrected import Corrected, CorrectedRow
from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.standings.rounded_figures import (
    TEXT_WIDTH,
    estimate_data,
    estimate_text,
    fixed_decimals,
    json_number,
)

LUCK_HEADERS = (
    "#",
    "entrant",
    "matches",
    "money",
    "money\nwithout luck",
    "lead",
    "lead\nwithout luck",
    "luck\na match",
)
LUCK_DECIMALS = 1
LEAD_COLUMNS = (5, 6)
"""The columns of the lead, which are the first to be left out where the terminal is too narrow."""


def luck_data(found: Corrected, unit: str) -> dict[str, object]:
    """An edition, or all of a game, for JSON; money in ``unit``."""
    return {
        "edition": found.edition,
        "game": found.game,
        "unit": unit,
        "matches": found.matches,
        "blocks": found.blocks,
        "gain": gain_data(found.gain),
        "lead_gain": gain_data(found.lead_gain),
        "rows": [_row_data(row) for row in found.rows],
    }


def gain_data(gain: Estimate) -> dict[str, object]:
    """A gain for JSON, with the ends of its interval, which is not of the same width to both sides."""
    return {
        "mean": json_number(gain.mean),
        "low": json_number(gain.low),
        "high": json_number(gain.high),
        "clusters": gain.clusters,
    }


def _row_data(row: CorrectedRow) -> dict[str, object]:
    return {
        "entrant": row.entrant,
        "matches": row.matches,
        "money": estimate_data(row.money),
        "corrected_money": estimate_data(row.corrected_money),
        "lead": estimate_data(row.lead),
        "corrected_lead": estimate_data(row.corrected_lead),
        "luck": estimate_data(row.luck),
    }


def luck_table(found: Corrected, unit: str, columns: int | None = None) -> str:
    """A table for the terminal and, below it, what it means. Where the terminal has fewer ``columns`` than the table,
    the lead is left out, then the last columns, and the text below names them."""
    rows = [_row_cells(place, row) for place, row in enumerate(found.rows, start=1)]
    for kept in _column_choices():
        table = _column_table(rows, kept)
        if columns is None or max(map(len, table.splitlines())) <= columns:
            break
    below = (
        f"{luck_caption(found, unit, lead=LEAD_COLUMNS[0] in kept)} {told_gain(found, lead=LEAD_COLUMNS[0] in kept)}"
    )
    if len(LUCK_HEADERS) - 1 in kept:
        below += told_sign(found.rows)
    if left_out := ", ".join(header.replace("\n", " ") for at, header in enumerate(LUCK_HEADERS) if at not in kept):
        below += f" Too wide for this terminal: {left_out}; all is in --json."
    return f"{table}\n\n{fill(below, min(TEXT_WIDTH, columns or TEXT_WIDTH))}\n"


def _column_choices() -> Iterator[list[int]]:
    """Which columns may be shown, the most first."""
    every = list(range(len(LUCK_HEADERS)))
    yield every
    narrower = [at for at in every if at not in LEAD_COLUMNS]
    for kept in range(len(narrower), 4, -1):
        yield narrower[:kept]


def _row_cells(place: int, row: CorrectedRow) -> list[str]:
    means = (row.money, row.corrected_money, row.lead, row.corrected_lead, row.luck)
    return [str(place), row.entrant, str(row.matches), *(estimate_text(each, LUCK_DECIMALS) for each in means)]


def _column_table(rows: Sequence[Sequence[str]], kept: Sequence[int]) -> str:
    headers = [LUCK_HEADERS[at] for at in kept]
    align = ["left" if header == "entrant" else "right" for header in headers]
    cut = [[row[at] for at in kept] for row in rows]
    return tabulate(cut, headers=headers, tablefmt="simple", disable_numparse=True, colalign=align)


def luck_caption(found: Corrected, unit: str, lead: bool = True) -> str:
    """What the table counts, and in which unit; and what the ``lead`` is, where it is shown."""
    blocks = "block" if found.blocks == 1 else "blocks"
    whole = "all editions of " if found.edition == found.game else ""
    width = (
        "± is half of a 95 % interval clustered by block."
        if found.blocks >= LEAST_CLUSTERS
        else f"No ± (95 % interval) with fewer than {LEAST_CLUSTERS} blocks: they tell too little."
    )
    meant = " Lead: money above the mean of its table (in arena ratings: above each opponent)." if lead else ""
    return (
        f"{found.edition}: {found.matches} {'match' if found.matches == 1 else 'matches'} of {whole}{found.game} in "
        f"{found.blocks} {blocks}; money in {unit}.{meant} {width}"
    )


def told_gain(found: Corrected, lead: bool = True) -> str:
    """What taking luck out has gained, in a sentence: for money, and for the ``lead`` where it is shown."""
    also = f"; the lead is {_gain_sentence(found.lead_gain)}" if lead else ""
    return f"Without luck, money is {_gain_sentence(found.gain)}{also}."


def told_sign(rows: Sequence[CorrectedRow]) -> str:
    """Why luck has the same sign for all, where it has; empty where it has not. It need not add up to 0."""
    means = [row.luck.mean for row in rows if row.luck.mean is not None]
    if len(means) < 2:
        return ""
    if max(means) < 0:
        return " Luck can be below 0 for all: the deals of this run were poor ones, or its matches short."
    if min(means) > 0:
        return " Luck can be above 0 for all: the deals of this run were rich ones, or its matches long."
    return ""


def _gain_sentence(gain: Estimate) -> str:
    if gain.mean is None:
        return "as sure as before, for nothing varied"
    times = f"as sure as from {fixed_decimals(gain.mean, 2)} times as many blocks"
    if gain.low is None or gain.high is None:
        return f"{times} (too few blocks for an interval)"
    if gain.low > 1:
        shows = ""
    elif gain.high < 1:
        shows = ", which is less sure: the raw figures are better"
    else:
        shows = ", which may be chance: no gain is shown"
    return f"{times} ({fixed_decimals(gain.low, 2)} to {fixed_decimals(gain.high, 2)}){shows}"
