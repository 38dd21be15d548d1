"""Estimates what a run would take, by playing a few of its matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, variance

import msgspec

from arena.bot import Limits
from arena.commands.run.design_trial import FactorPilot, pilot_factors
from arena.executors.executor import Executor, play_each
from arena.runs.planning.plan import Plan
from arena.tournament.inference.student_t import t_quantile_975
from arena.tournament.schedule.appearances import Appearances, count_appearances

TRIAL_MATCHES = 5
"""Number of matches played of each edition, spread over its schedule."""


class RunEstimate(msgspec.Struct):
    """The estimate for a run: the number of ``matches``, also ``by_edition``, of processes (``jobs``), and of
    ``seconds``, with their range ``from_seconds`` to ``to_seconds``: a 95 % interval from how much the matches that
    were tried differ (None: too few). ``seconds_each`` (per match) and ``faults`` (by entrant) come from the ``tried``
    matches, a few of each edition.
    ``most`` is the longest time that bots can make the run take, in seconds; None if they have no time limit for a
    match. ``appearances`` counts how often each entrant plays; None if that is not known beforehand, or too much to
    count. ``drawn`` says for each edition whose tables depend on results what is known about them, and ``pilot`` how
    efficient the design is."""

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
    tried: int = 0
    from_seconds: float | None = None
    to_seconds: float | None = None


def longest_duration(limits: Limits, tables: Sequence[tuple[int, int]], jobs: int) -> float | None:
    """The longest time that bots can make a run take in ``jobs`` processes, in seconds; None without a time limit for a
    match. ``tables`` has pairs: a number of matches, and the seats of each of them.

    In every match, each seat may use all of its time to start and to answer, and at the end the time of one more ask.
    The last match may begin when nothing else is left to play beside it."""
    if limits.match is None:
        return None
    each = limits.start + limits.match + limits.ask
    seats = sum(matches * seats for matches, seats in tables)
    return (seats / jobs + max(seats for _, seats in tables) * (1 - 1 / jobs)) * each


def estimate_run(plan: Plan, executor: Executor, jobs: int, pilot_blocks: int | None = None) -> RunEstimate:
    """Play :data:`TRIAL_MATCHES` matches of each edition, keep none, and estimate what all matches would take in
    ``jobs`` processes. The first match of each edition does not count, because loading makes it slower. Then play a
    pilot of ``pilot_blocks`` (:func:`arena.commands.run.design_trial.pilot_factors`)."""
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
    times = {edition: found[1:] or found for edition, found in times.items()}
    seconds = sum(mean(times[edition]) * matches for edition, matches in by_edition.items())
    ends = seconds_range(by_edition, times)
    matches = len(plan.fixtures)
    tables = [(size, edition.seats) for size, edition in zip(played, plan.schedule.editions, strict=True)]
    most = longest_duration(plan.tournament.limits, tables, jobs)
    seen = count_appearances(plan.schedule, plan.tournament.deal_sharing, plan.tournament.teams)
    drawn = {label: told for label, seats in plan.schedule.editions if (told := plan.schedule.format.in_words(seats))}
    worth = pilot_factors(plan, executor, seconds / matches, pilot_blocks)
    return RunEstimate(
        matches=matches,
        by_edition=by_edition,
        jobs=jobs,
        seconds=seconds / jobs,
        seconds_each=seconds / matches,
        faults=faults,
        most=most,
        appearances=seen,
        drawn=drawn,
        pilot=worth,
        tried=sum(map(len, times.values())),
        from_seconds=None if ends is None else ends[0] / jobs,
        to_seconds=None if ends is None else ends[1] / jobs,
    )


def seconds_range(matches: Mapping[str, int], times: Mapping[str, Sequence[float]]) -> tuple[float, float] | None:
    """A 95 % interval for the seconds that all ``matches`` take one after the other, by edition, from the ``times`` of
    some of them; None where no edition has two. It does not begin below what the fastest of them would take."""
    several = {edition: found for edition, found in times.items() if len(found) > 1}
    if not several:
        return None
    middle = sum(mean(times[edition]) * number for edition, number in matches.items())
    fastest = sum(min(times[edition]) * number for edition, number in matches.items())
    spread = sum(matches[edition] ** 2 * variance(found) / len(found) for edition, found in several.items()) ** 0.5
    half = t_quantile_975(sum(len(found) - 1 for found in several.values())) * spread
    return max(fastest, middle - half), middle + half
