"""What a run would take, tried with a few of its matches."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

import msgspec

from arena.bot import Limits
from arena.commands.run.design_trial import FactorPilot, pilot_factors
from arena.executors.executor import Executor, play_each
from arena.runs.planning.plan import Plan
from arena.tournament.schedule.appearances import Appearances, count_appearances

TRIAL_MATCHES = 5
"""Matches of each edition that are played, spread over it."""


class RunEstimate(msgspec.Struct):
    """What a run would take: matches, matches by edition, processes, seconds; ``seconds_each`` and
    ``faults`` by entrant are of some matches played of each edition. ``most`` is how many seconds bots can make it take
    at most; None where they have no limit for a match. ``appearances`` is how often everybody comes; None where that is
    not known beforehand, or too much to count. ``drawn`` says of an edition whose tables follow from results what is
    known of them, and ``pilot`` what the design is worth."""

    matches: int
    by_edition: dict[str, int]
    jobs: int
    seconds: float
    seconds_each: float
    faults: dict[str, int]
    most: float | None
    appearances: Appearances | None = None
    drawn: dict[str, str] = {}
    pilot: FactorPilot = FactorPilot()


def longest_duration(limits: Limits, tables: Sequence[tuple[int, int]], jobs: int) -> float | None:
    """Seconds that bots can make a run take at most, in so many ``jobs``; None without a limit for a match. ``tables``
    are numbers of matches, each with the seats of these matches.

    In every match each seat may use all of its time to start, to answer, and at the end that of an ask. The last match
    may begin when nothing is left to play beside it."""
    if limits.match is None:
        return None
    each = limits.start + limits.match + limits.ask
    seats = sum(matches * seats for matches, seats in tables)
    return (seats / jobs + max(seats for _, seats in tables) * (1 - 1 / jobs)) * each


def estimate_run(plan: Plan, executor: Executor, jobs: int, pilot_blocks: int | None = None) -> RunEstimate:
    """Play :data:`TRIAL_MATCHES` matches of each edition, keep nothing, and reckon what all would take with so many
    ``jobs``, without the first of each edition, which is slower, with everything still to be loaded. Then play a pilot
    of ``pilot_blocks`` (:func:`arena.commands.run.design_trial.pilot_factors`)."""
    sizes = [plan.schedule.edition_size(edition) for edition in range(len(plan.labels))]
    starts = [sum(sizes[:edition]) for edition in range(len(sizes))]
    played = plan.sizes
    by_edition = dict(zip(plan.labels, played, strict=True))
    tried = [
        plan.schedule[start + size * place // min(size, TRIAL_MATCHES)]
        for start, size in zip(starts, sizes, strict=True)
        for place in range(min(size, TRIAL_MATCHES))
    ]
    faults: dict[str, int] = {}
    times: dict[str, list[float]] = {}
    for done in play_each(executor, map(plan.work, tried)):
        times.setdefault(done.record.edition, []).append(done.timing.seconds)
        for seat in done.record.seats:
            if seat.faults:
                faults[seat.entrant] = faults.get(seat.entrant, 0) + sum(seat.faults.values())
    took = {edition: mean(found[1:] or found) for edition, found in times.items()}
    seconds = sum(took[edition] * matches for edition, matches in by_edition.items())
    matches = len(plan.fixtures)
    tables = [(size, edition.seats) for size, edition in zip(played, plan.schedule.editions, strict=True)]
    most = longest_duration(plan.tournament.limits, tables, jobs)
    seen = count_appearances(plan.schedule, plan.tournament.dealt, plan.tournament.teams)
    drawn = {label: told for label, seats in plan.schedule.editions if (told := plan.schedule.format.in_words(seats))}
    worth = pilot_factors(plan, executor, seconds / matches, pilot_blocks)
    return RunEstimate(matches, by_edition, jobs, seconds / jobs, seconds / matches, faults, most, seen, drawn, worth)
