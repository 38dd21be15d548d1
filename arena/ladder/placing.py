"""Standings from ratings: places, groups that cannot be told apart, and how each stood before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy

from arena.ladder.by_block import Means, means_by_block
from arena.ladder.rated import Rated
from arena.ladder.standing import Change, Faults, LadderStandings, Pairs, Row, Whole
from arena.ratings.columns import Matches
from arena.ratings.rate import Basis
from arena.ratings.scale import Scale
from arena.tournament.intervals import LEAST_CLUSTERS, t_quantile_975


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a version beside its matches; see :class:`arena.ladder.standing.Row`."""

    bot: str
    author: str
    state: str
    anchor: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """The place and the tier of a version, and the places of those whom it cannot be told apart from."""

    place: int
    tier: int
    alike: tuple[int, int] | None


Group = tuple[int, int]
"""The first and the last place of versions that cannot be told apart."""


def order_of(rated: Rated, shown: Collection[str]) -> list[str]:
    """Those who are ``shown``, the best first."""
    return [name for name in rated.order if name in shown]


def part_of(rated: Rated, shown: Collection[str]) -> Scale | None:
    """The scale of those who are ``shown``; None where there are none on it."""
    scale = rated.scale
    if scale is None:
        return None
    members = [at for at, name in enumerate(scale.names) if name in shown]
    return scale.part(members) if members else None


def places_of(order: Sequence[str], rated: Rated, part: Scale | None) -> tuple[dict[str, Place], tuple[Group, ...]]:
    """The places of those in ``order``, of whom ``part`` holds the rated, and the groups of these."""
    place = {name: number for number, name in enumerate(order, 1)}
    groups = [] if part is None else [(place[group[0]], place[group[-1]]) for group in part.not_apart()]
    tiers = sorted({*groups, *((number, number) for number in range(1, len(order) + 1) if not _in(groups, number))})
    found = {}
    for name, number in place.items():
        mine = [at for at, (first, last) in enumerate(tiers) if first <= number <= last]
        alike = None if name in rated.unrated else (tiers[mine[0]][0], tiers[mine[-1]][1])
        found[name] = Place(number, mine[0] + 1, alike)
    return found, tuple(groups)


def _in(groups: Sequence[Group], place: int) -> bool:
    return any(first <= place <= last for first, last in groups)


def standings_of(
    matches: Matches,
    rated: Rated,
    shown: Collection[str],
    whole: Whole,
    known: Mapping[str, Known],
    faults: Mapping[str, Faults],
    before: Mapping[str, Change] | None,
) -> LadderStandings:
    """The standings of those of the rated who are ``shown``. ``known`` and ``faults`` are by name; ``before`` says how
    they stood then, whoever is missing did not; None: nothing is compared."""
    order, part = order_of(rated, shown), part_of(rated, shown)
    places, groups = places_of(order, rated, part)
    means = means_by_block(matches, set(order))
    rows = tuple(
        _row(name, places[name], rated, means[name], whole, known[name], faults.get(name, Faults()), before)
        for name in order
    )
    return LadderStandings(whole, rows, groups, None if part is None else pairs_of(part, whole))


def _row(
    name: str,
    place: Place,
    rated: Rated,
    means: Means,
    whole: Whole,
    known: Known,
    faults: Faults,
    before: Mapping[str, Change] | None,
) -> Row:
    return Row(
        place=place.place,
        tier=place.tier,
        alike=place.alike,
        version=name,
        bot=known.bot,
        author=known.author,
        state=known.state,
        new=means.blocks < whole.newcomer,
        rating=rated.rating(name),
        unrated=rated.unrated.get(name),
        money=means.money,
        beaten=means.beaten,
        matches=means.matches,
        blocks=means.blocks,
        change=None if before is None else before.get(name, Change(None, None)),
        faults=faults,
        label=known.label,
        anchor=known.anchor,
    )


def pairs_of(part: Scale, whole: Whole) -> Pairs:
    """How many pairs of those on this scale are told apart (the 95 % interval of their difference leaves out 0), as
    good as equal (it lies within the zone of indifference, which ratings in money do not have), and open."""
    size = len(part.names)
    enough = part.blocks >= LEAST_CLUSTERS
    quantiles = numpy.array([t_quantile_975(max(1.0, round(float(each) - 1, 9))) for each in part.equal])
    variances = numpy.diagonal(part.covariance)
    one, two = numpy.triu_indices(size, 1)
    variance = numpy.maximum(variances[one] + variances[two] - 2 * part.covariance[one, two], 0)
    reach = numpy.maximum(quantiles[one], quantiles[two]) * numpy.sqrt(variance)
    distance = numpy.abs(part.values[one] - part.values[two])
    told = enough[one] & enough[two]
    zone = log((0.5 + whole.indifference) / (0.5 - whole.indifference)) if whole.rated_by == Basis.ORDER else 0.0
    equal = told & (distance + reach <= zone)
    apart = told & (distance > reach) & ~equal
    return Pairs(int(apart.sum()), int(equal.sum()), len(one) - int(apart.sum()) - int(equal.sum()))
