"""Estimates the efficiency of a tournament's design from a few of its blocks, played before the run."""

from __future__ import annotations

import msgspec

from arena.executors.executor import Executor, play_each
from arena.runs.planning.plan import Plan
from arena.tournament.standings.design_worth import design_told
from arena.tournament.standings.standings import fold_standings
from arena.tournament.tables.rounded_figures import estimate_data

MOST_MATCHES, MOST_SECONDS = 240, 10.0
"""Limits of a pilot whose size the user did not choose: it plays at most this number of matches, and is skipped if they
would take more than this number of seconds."""


class FactorPilot(msgspec.Struct, frozen=True):
    """A pilot of ``blocks`` blocks with ``matches`` matches; ``why_not`` is a sentence that says why there was none.
    ``factors`` are the design factors by label and measure; ``told`` says by label what the matches of the run will be
    worth."""

    blocks: int = 0
    matches: int = 0
    why_not: str = ""
    factors: dict[str, dict[str, dict[str, object]]] = {}
    told: dict[str, str] = {}


def pilot_factors(plan: Plan, executor: Executor, seconds_each: float, blocks: int | None = None) -> FactorPilot:
    """Play the first ``blocks`` blocks of the tournament (None: as many as a small pilot allows), and keep no match;
    ``seconds_each`` is the duration of a match."""
    from arena.tournament.inference.design_factor import LEAST_BLOCKS  # numpy is slow to load

    none = "no pilot was played for the design factor:"
    if plan.schedule.looks_back:
        return FactorPilot(why_not=f"{none} which matches are played follows from results")
    per_block = len(plan.schedule) // plan.schedule.blocks
    size = min(plan.schedule.blocks, MOST_MATCHES // per_block if blocks is None else blocks)
    least = _time_sentence(LEAST_BLOCKS * per_block, seconds_each)
    if plan.schedule.blocks < LEAST_BLOCKS:
        return FactorPilot(
            why_not=f"{none} it takes {LEAST_BLOCKS} blocks or more, and the run has {plan.schedule.blocks}"
        )
    if size < LEAST_BLOCKS and blocks is not None:
        few = f"a pilot of {blocks} block{'' if blocks == 1 else 's'} is too short for the design factor"
        return FactorPilot(why_not=f"{few}; --pilot {LEAST_BLOCKS} or more ({least})")
    if size < LEAST_BLOCKS:
        return FactorPilot(why_not=f"{none} it takes {LEAST_BLOCKS} blocks, {least}; --pilot {LEAST_BLOCKS}")
    if blocks is None and size * per_block * seconds_each > MOST_SECONDS:
        took = _time_sentence(size * per_block, seconds_each)
        return FactorPilot(why_not=f"{none} {size} blocks would take {took}; --pilot {size}")
    sizes = [plan.schedule.edition_size(edition) for edition in range(len(plan.labels))]
    fixtures = [
        plan.schedule[sum(sizes[:edition]) + place]
        for edition, all_of_it in enumerate(sizes)
        for place in range(all_of_it * size // plan.schedule.blocks)
    ]
    records = [done.record for done in play_each(executor, map(plan.work, fixtures))]
    standings = fold_standings(records, plan.names, plan.labels, plan.measures)
    whole = dict(zip(plan.labels, plan.sizes, strict=True))
    return FactorPilot(
        blocks=size,
        matches=len(records),
        factors={
            each.edition: {name: estimate_data(factor) for name, factor in each.design.items()} for each in standings
        },
        told={
            each.edition: design_told(each, whole.get(each.edition, _of_all(plan, each.games))) for each in standings
        },
    )


def _of_all(plan: Plan, games: tuple[str, ...]) -> int:
    """The number of matches in all editions of these games."""
    played = zip(plan.tables, plan.sizes, strict=True)
    return sum(size for (edition, _), size in played if edition.game in games)


def _time_sentence(matches: int, seconds_each: float) -> str:
    return f"{matches} matches in about {matches * seconds_each:.0f} s in 1 process"
