"""Ratings by order of finish: the log-worth of each entrant by Plackett–Luce with ties (:mod:`arena.ratings.luce`),
beside the effects of seats, with errors by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log

import numpy

from arena.ratings.choices import choices_of
from arena.ratings.clustered import Sums, covariance
from arena.ratings.columns import Group, Matches, Numbers
from arena.ratings.connected import Circles, alike, circles_of
from arena.ratings.luce import Fit, Likelihood, fit, layout_of
from arena.ratings.scale import Scale, estimates
from arena.tournament.intervals import Estimate

POINTS = 400 / log(10)
"""Points for one of log-worth, such that 400 more are odds of ten to one, as in Elo's system."""


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What a seat adds to the value of whoever sits there, relative to the mean of the seats of its ``group``."""

    group: Group
    seat: int
    effect: Estimate


@dataclass(frozen=True, slots=True)
class OrderRating:
    """The ratings by order of finish: a ``scale`` of log-worths for each of the ``circles`` of more than one entrant,
    the ``seats`` where their effects were estimated, and for ties of so many how likely they are among that many equal
    ones that are left (``ties``). ``notes`` say what was not estimated, and why."""

    circles: Circles
    scales: tuple[Scale, ...]
    seats: tuple[SeatEffect, ...]
    ties: dict[int, float]
    notes: tuple[str, ...]


def against_average(value: float) -> float:
    """How often somebody of this log-worth ranks better than one of log-worth 0, of the matches in which they do not
    share a rank, at seats that are equally good."""
    return 1 / (1 + exp(-value))


class _Blocks:
    """Implements :class:`arena.ratings.clustered.Blocks` for a likelihood at its maximum."""

    def __init__(self, likelihood: Likelihood, values: Numbers) -> None:
        self.likelihood, self.values = likelihood, values

    def of(self, first: int, end: int, information: bool) -> Sums:
        """The gradients, and the information."""
        return self.likelihood.by_block(self.values, first, end, information)


def rate_orders(matches: Matches, seats: bool = True) -> OrderRating:
    """The ratings of the entrants of these matches; with ``seats`` beside effects of the seats of each edition, as far
    as these can be told."""
    circles = circles_of(matches)
    scaled = [members for members in circles.members if len(members) > 1]
    if not scaled:
        return OrderRating(circles, (), (), {}, ())
    notes: list[str] = []
    taken = _seats_with_effect(matches, notes) if seats else [False] * len(matches.groups)
    fitted = _fit(matches, circles, taken)
    if fitted is None and any(taken):
        notes.append("effects of seats cannot be told from those of the entrants who sat there, and are left out")
        fitted = _fit(matches, circles, [False] * len(taken))
        taken = [False] * len(taken)
    if fitted is None:
        notes.append("no finite ratings have the highest likelihood: ties alone connect some entrants with others")
        return OrderRating(circles, (), (), {}, tuple(notes))
    likelihood, found = fitted
    layout = likelihood.layout
    errors = covariance(_Blocks(likelihood, found.values), matches.blocks, layout.pin(found.information))
    size = len(matches.names)
    whole = Scale(matches.names, found.values[:size], errors[:size, :size], *matches.blocks_of())
    prevalence = found.values[layout.nothing + 1 :]
    return OrderRating(
        circles,
        tuple(whole.part(members) for members in scaled),
        seat_effects(matches, seat_ranges(matches, taken, size), found.values, errors),
        {count: _tie_chance(count, layout.ties, prevalence) for count in layout.ties},
        tuple(notes),
    )


def _fit(matches: Matches, circles: Circles, taken: Sequence[bool]) -> tuple[Likelihood, Fit] | None:
    ranges = seat_ranges(matches, taken, len(matches.names))
    nothing = len(matches.names) + sum(len(each) for each in ranges if each is not None)
    firsts = [None if each is None else each.start for each in ranges]
    choices = choices_of(matches, circles.number, firsts, nothing)
    layout = layout_of(choices, len(matches.names), circles.members, [each for each in ranges if each is not None])
    likelihood = Likelihood(choices, layout)
    found = fit(likelihood)
    return None if found is None else (likelihood, found)


def seat_ranges(matches: Matches, taken: Sequence[bool], first: int) -> list[range | None]:
    """For each group the numbers of the parameters of its seats, from ``first`` on; None for a group that has none."""
    found: list[range | None] = []
    for group, wanted in zip(matches.groups, taken, strict=True):
        found.append(range(first, first + group.players) if wanted else None)
        first += group.players if wanted else 0
    return found


def _seats_with_effect(matches: Matches, notes: list[str]) -> list[bool]:
    """For each group whether its seats can be compared: whether each came ahead of each, by however many steps."""
    taken = [False] * len(matches.groups)
    for tables in matches.tables:
        count = tables.players
        ahead = numpy.zeros((len(matches.groups), count, count), dtype=numpy.int64)
        for one, two in combinations(range(count), 2):
            better = tables.ranks[:, one] <= tables.ranks[:, two]
            worse = tables.ranks[:, one] >= tables.ranks[:, two]
            ahead[:, one, two] = numpy.bincount(tables.group[better], minlength=len(matches.groups))
            ahead[:, two, one] = numpy.bincount(tables.group[worse], minlength=len(matches.groups))
        for number in numpy.unique(tables.group).tolist():
            taken[number] = alike(ahead[number])
            if not taken[number]:
                name = matches.groups[number].edition
                notes.append(f"{name}: too few matches to compare its seats, whose effects are left out")
    return taken


def seat_effects(
    matches: Matches, seats: Sequence[range | None], values: Numbers, errors: Numbers
) -> tuple[SeatEffect, ...]:
    """The effects of the seats of each group that has any: ``seats`` are the numbers of their parameters."""
    found = []
    for group, each in zip(matches.groups, seats, strict=True):
        if each is not None:
            here = slice(each.start, each.stop)
            effects = estimates(values[here], errors[here, here], matches.blocks, matches.equal_blocks())
            found += [SeatEffect(group, seat, effect) for seat, effect in enumerate(effects)]
    return tuple(found)


def _tie_chance(count: int, ties: Sequence[int], prevalence: Numbers) -> float:
    """How likely ``count`` equal ones, if only they are left, share the first rank."""
    chances = {1: float(count)}
    for size, each in zip(ties, prevalence.tolist(), strict=True):
        if size <= count:
            chances[size] = exp(each) * len(list(combinations(range(count), size)))
    return chances[count] / sum(chances.values())
