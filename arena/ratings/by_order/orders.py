"""Ratings by order of finish: the log-worth of each entrant by Plackett–Luce with ties
(:mod:`arena.ratings.by_order.neighbours`), beside the effects of seats, with errors by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import exp, log

import numpy

from arena.ratings.by_order.joint_fit import model_with_ties
from arena.ratings.by_order.neighbours import neighbour_likelihood
from arena.ratings.by_order.order_likelihood import Likelihood, LikelihoodFit, OrderLayout, maximize_likelihood
from arena.ratings.by_order.place_scores import finish_orders
from arena.ratings.clustered import clustered_covariance
from arena.ratings.connected import Components, all_connected, components_of
from arena.ratings.match_ups import MatchUps, order_match_ups
from arena.ratings.order_columns import MatchGroup, Numbers, RatingMatches
from arena.ratings.scale import RatingScale, scale_estimates
from arena.tournament.inference.intervals import Estimate

POINTS = 400 / log(10)
"""Points per unit of log-worth: 400 points more are odds of ten to one, as in Elo's system."""


class Ties(StrEnum):
    """How shared ranks come about."""

    NEIGHBOURS = "neighbours"
    """Those who finish one behind the other share a rank by chance, most often when they are equal."""

    TOGETHER = "together"
    """Those who share a rank are chosen together, as in Turner's PlackettLuce package."""


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What a seat adds to the value of whoever sits there, relative to the mean of the seats of its ``group``."""

    group: MatchGroup
    seat: int
    effect: Estimate


@dataclass(frozen=True, slots=True)
class OrderRating:
    """The ratings by order of finish: a scale of log-worths for each of the ``components`` with more than one entrant,
    the effects of ``seats`` if they were estimated, and the probability that two equal entrants who finish next to each
    other share a rank (``tie``; None if no rank was ever shared). ``notes`` say what was not estimated, and why;
    ``match_ups`` whether pairs do what the ratings say (None: not tested)."""

    components: Components
    scales: tuple[RatingScale, ...]
    seats: tuple[SeatEffect, ...]
    tie: float | None
    notes: tuple[str, ...]
    match_ups: MatchUps | None = None


def against_average(value: float) -> float:
    """The share of matches in which an entrant of this log-worth ranks better than one of log-worth 0, among those in
    which they do not share a rank, at equally good seats."""
    return 1 / (1 + exp(-value))


def rate_orders(
    matches: RatingMatches, seats: bool = True, ties: Ties = Ties.NEIGHBOURS, match_ups: bool = True
) -> OrderRating:
    """The ratings of the entrants of these matches; ``seats`` estimates the effects of each edition's seats as well, as
    far as the matches allow; with ``match_ups``, whether pairs do what the ratings say is tested, which takes
    longer than the ratings."""
    components = components_of(matches)
    scaled = [members for members in components.members if len(members) > 1]
    if not scaled:
        return OrderRating(components, (), (), None, ())
    notes: list[str] = []
    taken = _seats_with_effect(matches, notes) if seats else [False] * len(matches.groups)
    found = fit_orders(matches, components, taken, ties)
    if found is None and any(taken):
        taken = [False] * len(taken)
        found = fit_orders(matches, components, taken, ties)
        if found is not None:
            notes.append("effects of seats cannot be separated from those of the entrants in them, and are left out")
    if found is None:
        notes.append("there are no finite ratings, because only ties connect some entrants with others")
        return OrderRating(components, (), (), None, tuple(notes))
    layout, size = found.likelihood.layout, len(matches.names)
    errors = clustered_covariance(found, matches.blocks, layout.pin(found.information))
    ranges = seat_ranges(matches, taken, size)
    effects = [numpy.zeros(0) if each is None else found.values[each.start : each.stop] for each in ranges]
    whole = RatingScale(matches.names, found.values[:size], errors[:size, :size], *matches.blocks_of())
    return OrderRating(
        components,
        tuple(whole.scale_of(members) for members in scaled),
        seat_effects(matches, ranges, found.values, errors),
        _tie_chance(layout, found.values),
        tuple(notes),
        order_match_ups(matches, found.values[:size], effects, components.number) if match_ups else None,
    )


def fit_orders(
    matches: RatingMatches, components: Components, taken: Sequence[bool], ties: Ties = Ties.NEIGHBOURS
) -> LikelihoodFit | None:
    """Fit the model of ties to these matches, with effects of the seats of the groups that are ``taken``; None if its
    maximum is not finite, or the matches do not tell its parameters apart."""
    size = len(matches.names)
    seats = seat_ranges(matches, taken, size)
    ranges = [each for each in seats if each is not None]
    nothing = size + sum(len(each) for each in ranges)
    firsts = [None if each is None else each.start for each in seats]
    rows = finish_orders(matches, components.number, firsts, nothing)
    shared = sorted({len(group) for each in rows for group in each.groups()} - {1})
    sizes = tuple(shared) if ties is Ties.TOGETHER else tuple(shared[:1])
    layout = OrderLayout(size, nothing - size, sizes, (*components.members, *map(tuple, ranges)))
    return maximize_likelihood(
        Likelihood(rows, layout, model_with_ties(sizes) if ties is Ties.TOGETHER else neighbour_likelihood)
    )


def seat_ranges(matches: RatingMatches, taken: Sequence[bool], first: int) -> list[range | None]:
    """For each group, the indices of the parameters of its seats, counted from ``first`` on; None for a group that has
    none."""
    found: list[range | None] = []
    for group, wanted in zip(matches.groups, taken, strict=True):
        found.append(range(first, first + group.players) if wanted else None)
        first += group.players if wanted else 0
    return found


def _seats_with_effect(matches: RatingMatches, notes: list[str]) -> list[bool]:
    """For each group, whether its seats can be compared: whether steps from a seat to one that it came ahead of lead
    from each seat to each other. Adds a note for each group whose seats cannot."""
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
            taken[number] = all_connected(ahead[number])
            if not taken[number]:
                name = matches.groups[number].edition
                notes.append(f"{name}: too few matches to compare its seats, whose effects are left out")
    return taken


def seat_effects(
    matches: RatingMatches, seats: Sequence[range | None], values: Numbers, errors: Numbers
) -> tuple[SeatEffect, ...]:
    """The effects of the seats of each group that has any; ``seats`` are the indices of their parameters."""
    found = []
    for group, each in zip(matches.groups, seats, strict=True):
        if each is not None:
            here = slice(each.start, each.stop)
            effects = scale_estimates(values[here], errors[here, here], matches.blocks, matches.equal_blocks())
            found += [SeatEffect(group, seat, effect) for seat, effect in enumerate(effects)]
    return tuple(found)


def _tie_chance(layout: OrderLayout, values: Numbers) -> float | None:
    """The probability that two equal neighbours share a rank; None without ties."""
    if 2 not in layout.ties:
        return None if not layout.ties else 0.0
    prevalence = exp(float(values[layout.zero_parameter + 1 + layout.ties.index(2)]))
    return prevalence / (2 + prevalence)
