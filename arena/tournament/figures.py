"""Numbers of the standings as text. They have fixed decimals, so equal standings give equal bytes."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from arena.tournament.intervals import Estimate

WIDTH = 90
"""Columns of the text below a table, at most."""

DECIMALS = 6
"""Of numbers in files."""
NOTHING = "–"
"""What tables have for what is unknown."""


def rounded(number: float | None) -> float | None:
    """A number for JSON."""
    return None if number is None else round(number, DECIMALS) + 0.0  # + 0.0 turns -0.0 into 0.0


def plain(number: float | None) -> str:
    """A number for CSV; empty where it is unknown."""
    return "" if number is None else fixed(number, DECIMALS)


def fixed(number: float, decimals: int) -> str:
    """A number with so many decimals, never -0."""
    return f"{round(number, decimals) + 0.0:.{decimals}f}"


def percent(share: float | None) -> str:
    """A share for tables."""
    return NOTHING if share is None else f"{fixed(share * 100, 1)} %"


def estimate_data(estimate: Estimate) -> dict[str, object]:
    """An estimate for JSON."""
    mean, half_width = rounded(estimate.mean), rounded(estimate.half_width)
    return {"mean": mean, "half_width": half_width, "clusters": estimate.clusters}


def estimate_cells(estimate: Estimate | None) -> list[str]:
    """An estimate for CSV: its mean and its half-width."""
    return ["", ""] if estimate is None else [plain(estimate.mean), plain(estimate.half_width)]


def shown(estimate: Estimate | None, decimals: int, share: bool = False) -> str:
    """An estimate for tables, with its half-width behind ±; a ``share`` in percent."""
    if estimate is None or estimate.mean is None:
        return NOTHING
    scale, unit = (100, " %") if share else (1, "")
    mean = fixed(estimate.mean * scale, decimals)
    if estimate.half_width is None:
        return mean + unit
    return f"{mean} ±{fixed(estimate.half_width * scale, decimals)}{unit}"


def csv_text(lines: Iterable[Sequence[object]]) -> str:
    """CSV that follows RFC 4180 except for its line ends, which are ``\\n``."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()
