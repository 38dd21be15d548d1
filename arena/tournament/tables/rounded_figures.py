"""Numbers of tables as text. They have fixed decimals, so equal results give equal bytes."""

from __future__ import annotations

from arena.tournament.inference.intervals import Estimate

TEXT_WIDTH = 90
"""Columns of the text below a table, at most."""

FILE_DECIMALS = 6
"""Decimals of numbers in files."""
OFF_MIDDLE = 0.1
"""How far a mean may lie from the middle of its interval, as a part of the half-width, and still be written with ±."""
NO_VALUE = "–"
"""The text of tables for an unknown value."""


def json_number(number: float | None) -> float | None:
    """A number rounded for JSON, without -0.0; None if it is unknown."""
    return None if number is None else round(number, FILE_DECIMALS) + 0.0  # + 0.0 turns -0.0 into 0.0


def csv_number(number: float | None) -> str:
    """A number for CSV; empty where it is unknown."""
    return "" if number is None else fixed_decimals(number, FILE_DECIMALS)


def fixed_decimals(number: float, decimals: int) -> str:
    """A number with this many decimals, never -0."""
    return f"{round(number, decimals) + 0.0:.{decimals}f}"


def percent_text(share: float | None) -> str:
    """A share as the percentage that tables show."""
    return NO_VALUE if share is None else f"{fixed_decimals(share * 100, 1)} %"


def estimate_data(estimate: Estimate) -> dict[str, object]:
    """An estimate for JSON."""
    return {
        "mean": json_number(estimate.mean),
        "half_width": json_number(estimate.half_width),
        "low": json_number(estimate.low),
        "high": json_number(estimate.high),
        "clusters": estimate.clusters,
    }


def estimate_columns(name: str) -> list[str]:
    """The names of the columns of :func:`estimate_cells`."""
    return [name, f"{name}_half_width", f"{name}_low", f"{name}_high"]


def estimate_cells(estimate: Estimate | None) -> list[str]:
    """An estimate for CSV: its mean, half of its interval's width, and the interval's ends."""
    if estimate is None:
        return ["", "", "", ""]
    return [csv_number(each) for each in (estimate.mean, estimate.half_width, estimate.low, estimate.high)]


def estimate_text(estimate: Estimate | None, decimals: int, share: bool = False) -> str:
    """An estimate for tables: ``54.1 ±9.2 %``, and with both ends, ``2.1 (0.6…7.0) %``, where the interval reaches
    further to one side (:func:`is_lopsided`); a ``share`` in percent."""
    if estimate is None or estimate.mean is None:
        return NO_VALUE
    scale, unit = (100, " %") if share else (1, "")
    mean = fixed_decimals(estimate.mean * scale, decimals)
    if estimate.low is None or estimate.high is None or estimate.half_width is None:
        return mean + unit
    if is_lopsided(estimate):
        low, high = (fixed_decimals(end * scale, decimals) for end in (estimate.low, estimate.high))
        return f"{mean} ({low}…{high}){unit}"
    return f"{mean} ±{fixed_decimals(estimate.half_width * scale, decimals)}{unit}"


def is_lopsided(estimate: Estimate) -> bool:
    """Whether the mean lies further from the middle of its interval than :data:`OFF_MIDDLE` of its half-width."""
    if estimate.mean is None or estimate.low is None or estimate.high is None:
        return False
    half_width, middle = (estimate.high - estimate.low) / 2, (estimate.high + estimate.low) / 2
    return abs(estimate.mean - middle) > OFF_MIDDLE * half_width * (1 + 1e-9)


def signed_text(estimate: Estimate, share: bool = False, decimals: int = 1) -> str:
    """A difference for tables, with its sign; without a sign if it is rounded to 0."""
    told = estimate_text(estimate, decimals, share)
    scale = 100 if share else 1
    even = estimate.mean is None or round(estimate.mean * scale, decimals) == 0
    return told if even or told.startswith("-") else f"+{told}"


def money_text(estimate: Estimate, unit: str) -> str:
    """An amount in sentences, with its half-width, its sign before the unit: -$1.5M ±0.7."""
    if estimate.mean is None:
        return NO_VALUE
    width = "" if estimate.half_width is None else f" ±{estimate.half_width:.1f}"
    return f"{'-' if round(estimate.mean, 1) < 0 else ''}{unit[0]}{abs(estimate.mean):.1f}{unit[1:]}{width}"


def gain_text(estimate: Estimate, unit: str) -> str:
    """A difference of money in sentences, with its sign: +$1.5M ±0.7."""
    told = money_text(estimate, unit)
    return told if estimate.mean is None or told.startswith("-") else f"+{told}"
