"""Money with luck taken out as text and as JSON-able data."""

from __future__ import annotations

from collections.abc import Sequence

from arena.luck.corrected import Corrected, CorrectedRow
from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column, rows_data
from arena.tournament.tables.rounded_figures import fixed_decimals, json_number
from arena.tournament.tables.table_text import fit_table, paragraph, text_table, too_wide

COLUMNS = (
    ResultColumn("place", "#"),
    ResultColumn("entrant", "entrant", left=True),
    ResultColumn("matches", "matches"),
    estimate_column("money", "money"),
    estimate_column("corrected_money", "money\nwithout luck"),
    estimate_column("lead", "lead"),
    estimate_column("corrected_lead", "lead\nwithout luck"),
    estimate_column("luck", "luck\na match"),
)
LEAVES = (("lead", "corrected_lead"), ("luck",))
"""The columns to leave out where the terminal is too narrow, set by set, the first set first."""


def luck_data(found: Corrected, unit: str) -> dict[str, object]:
    """The results of an edition, or of all editions of a game, for JSON; money is in ``unit``."""
    return {
        "edition": found.edition,
        "game": found.game,
        "unit": unit,
        "matches": found.matches,
        "blocks": found.blocks,
        "gain": gain_data(found.gain),
        "lead_gain": gain_data(found.lead_gain),
        "rows": rows_data(_rows(found).drop(["place"])),
    }


def gain_data(gain: Estimate) -> dict[str, object]:
    """A gain for JSON, with both ends of its interval, which is not symmetric."""
    return {
        "mean": json_number(gain.mean),
        "low": json_number(gain.low),
        "high": json_number(gain.high),
        "clusters": gain.clusters,
    }


def _rows(found: Corrected) -> ResultTable:
    """The entrants, the best first."""
    rows = [
        (
            *(place, row.entrant, row.matches),
            *(row.money, row.corrected_money, row.lead, row.corrected_lead, row.luck),
        )
        for place, row in enumerate(found.rows, start=1)
    ]
    return ResultTable(COLUMNS, rows)


def luck_table(found: Corrected, unit: str, columns: int | None = None) -> str:
    """A table for the terminal and, below it, what it means. Where the terminal has fewer ``columns`` than the table,
    the lead is left out, then the luck, and the text below names them."""
    whole = _rows(found)
    shown = fit_table(whole, columns, LEAVES)
    lead = "lead" in shown.keys
    below = f"{luck_caption(found, unit, lead)} {told_gain(found, lead)}"
    if "luck" in shown.keys:
        below += told_sign(found.rows)
    if left_out := too_wide(whole, shown, "--json has all"):
        below += f" {left_out}"
    return f"{text_table(shown)}\n\n{paragraph(below, columns)}\n"


def luck_caption(found: Corrected, unit: str, lead: bool = True) -> str:
    """What the table counts, and in which unit; and what the ``lead`` is, where it is shown."""
    blocks = "block" if found.blocks == 1 else "blocks"
    whole = "all editions of " if found.edition == found.game else ""
    width = (
        "± is half of a 95 % interval clustered by block."
        if found.blocks >= LEAST_CLUSTERS
        else f"No ± (95 % interval) with fewer than {LEAST_CLUSTERS} blocks: too few."
    )
    meant = " Lead: money above the mean of its table (in arena ratings: above each opponent)." if lead else ""
    return (
        f"{found.edition}: {found.matches} {'match' if found.matches == 1 else 'matches'} of {whole}{found.game} in "
        f"{found.blocks} {blocks}; money in {unit}.{meant} {width}"
    )


def told_gain(found: Corrected, lead: bool = True) -> str:
    """A sentence on what taking luck out has gained: for money, and with ``lead`` also for the lead."""
    also = f"; the lead is {_gain_sentence(found.lead_gain)}" if lead else ""
    return f"Without luck, money is {_gain_sentence(found.gain)}{also}."


def told_sign(rows: Sequence[CorrectedRow]) -> str:
    """A sentence on why luck has the same sign for all entrants; empty if it has not. Luck need not add up to 0."""
    means = [row.luck.mean for row in rows if row.luck.mean is not None]
    if len(means) < 2:
        return ""
    if max(means) < 0:
        return " Luck can be below 0 for all: the deals of this run were poor, or its matches short."
    if min(means) > 0:
        return " Luck can be above 0 for all: the deals of this run were rich, or its matches long."
    return ""


def _gain_sentence(gain: Estimate) -> str:
    if gain.mean is None:
        return "as precise as before, because nothing varied"
    times = f"as precise as with {fixed_decimals(gain.mean, 2)} times as many blocks"
    if gain.low is None or gain.high is None:
        return f"{times} (too few blocks for an interval)"
    if gain.low > 1:
        shows = ""
    elif gain.high < 1:
        shows = ", which is less precise: the raw figures are better"
    else:
        shows = ", which may be chance: the gain is not significant"
    return f"{times} ({fixed_decimals(gain.low, 2)} to {fixed_decimals(gain.high, 2)}){shows}"
