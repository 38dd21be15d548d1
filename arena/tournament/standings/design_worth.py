"""What the design of a tournament was worth, in words."""

from __future__ import annotations

from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures.measures import order_measures
from arena.tournament.standings.standings import Standings
from arena.tournament.tables.rounded_figures import estimate_text, fixed_decimals

WIDE_INTERVAL = 0.5
"""A factor is unknown if its half-width is a larger part of it than this."""


def design_told(standings: Standings, matches: int | None = None) -> str:
    """In words, the design factor of each measure in the table with its ±, and how many independent matches the matches
    played (or this number of ``matches``) are worth for the measure that decides the order. Says in short that the
    factor is not known where its interval is wider than :data:`WIDE_INTERVAL`, and why there is none with few blocks;
    empty before the first match."""
    if not standings.matches:
        return ""
    from arena.tournament.inference.design_factor import LEAST_BLOCKS  # numpy is slow to load

    if standings.blocks < LEAST_BLOCKS:
        return f"No design factor with fewer than {LEAST_BLOCKS} blocks."
    known = {
        each: factor
        for each in standings.measures
        if each.header and (factor := standings.design.get(each.name)) is not None and factor.half_width is not None
    }
    if not known:
        return "No design factor: the blocks do not differ enough."
    first = next(
        (each for each in order_measures(standings.measures, standings.games) if each in known), next(iter(known))
    )
    if not _is_known(known[first]):
        return f"Design factor: unknown after {standings.blocks} blocks ({first.header} {factor_told(known[first])})."
    factors = ", ".join(f"{each.header} {factor_told(factor)}" for each, factor in known.items())
    worth = matches_told(standings.matches if matches is None else matches, known[first])
    return f"Design factor (above 1 the design pays): {factors}; so for {first.header} {worth}."


def _is_known(factor: Estimate) -> bool:
    """Whether the interval is narrow enough to say anything."""
    assert factor.mean is not None
    assert factor.half_width is not None
    return factor.half_width <= WIDE_INTERVAL * factor.mean


def factor_told(factor: Estimate) -> str:
    """A factor with its interval, such as ``1.04 ±0.12``."""
    return estimate_text(factor, 2)


def matches_told(matches: int, factor: Estimate) -> str:
    """How many independent matches ``matches`` are worth: ``240 matches are worth 250 ±29 independent ones``."""
    assert factor.mean is not None
    width = "" if factor.half_width is None else f" ±{fixed_decimals(matches * factor.half_width, 0)}"
    one = "match is" if matches == 1 else "matches are"
    return f"{matches} {one} worth {fixed_decimals(matches * factor.mean, 0)}{width} independent ones"
