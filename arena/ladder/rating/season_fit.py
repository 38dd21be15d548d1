"""The ratings of a season on one scale, and the order of all its versions, including those on no scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy

from arena.ladder.rating.standing import Unrated
from arena.ratings.by_money.money_ratings import rate_money
from arena.ratings.by_order.orders import POINTS, rate_orders
from arena.ratings.connected import Components
from arena.ratings.match_ups import MatchUps
from arena.ratings.order_columns import Numbers, RatingMatches
from arena.ratings.rate import Basis
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import Estimate


@dataclass(frozen=True, slots=True)
class SeasonRating:
    """The ratings of a season. ``scale`` holds the versions that can be compared with the ``anchor`` (""; 0 is the mean
    of the scale), or the largest set of versions that can be compared with each other, as log-worths or money; None
    where there is none. Its values times ``factor`` are the ratings shown to people. ``unrated`` gives the reason for
    all others. ``order`` has all versions, the best first. ``by_seat``: the ratings take the seats into account;
    ``notes`` say what was not estimated, ``match_ups`` whether pairs do what the ratings say (None: not tested).
    ``log_worths`` are all scales by order of finish (none where money rates)."""

    scale: RatingScale | None
    factor: float
    anchor: str
    unrated: dict[str, Unrated]
    order: tuple[str, ...]
    by_seat: bool
    notes: tuple[str, ...]
    match_ups: MatchUps | None = None
    log_worths: tuple[RatingScale, ...] = ()

    def rating(self, name: str) -> Estimate:
        """Return a version's rating with its 95 % interval, in points or money; without a mean where it is unrated."""
        if self.scale is None or name in self.unrated:
            return Estimate(0.0 if name == self.anchor else None, None, None, 0)
        found = self.scale.estimate(self.scale.names.index(name))
        mean, low, high = (None if each is None else each * self.factor for each in (found.mean, found.low, found.high))
        return Estimate(mean, low, high, found.clusters)


def rate_season(
    matches: RatingMatches,
    rated_by: Basis,
    anchors: Sequence[str],
    means: Mapping[str, float],
    seats: bool = True,
    match_ups: bool = True,
) -> SeasonRating:
    """Rate these matches, relative to the first of the ``anchors`` that has played. Versions that nothing else orders
    are ordered by their ``means``: their share of opponents beaten, or their money per match. With
    ``match_ups``, whether pairs do what the ratings say is tested, which takes longer than the ratings."""
    played = [name for name in anchors if name in matches.names]
    anchor = played[0] if played else ""
    if rated_by is Basis.ORDER:
        order = rate_orders(matches, seats, match_ups=match_ups)
        components, scales, factor, notes = order.components, order.scales, POINTS, order.notes
        by_seat, fit = bool(order.seats), order.match_ups
    else:
        money = rate_money(matches, seats, match_ups)
        components, factor, notes = money.components, 1.0, money.notes
        scales, by_seat = tuple(each.own for each in money.ratings), bool(money.seats)
        fit = money.match_ups
    main = int(components.number[matches.names.index(anchor)]) if anchor else 0
    scale = _scale_of(scales, [matches.names[at] for at in components.members[main]], anchor)
    alone = [matches.names[at] for at in components.members[main]] == [anchor]
    unrated = _unrated_names(matches.names, components, main, scale is not None or alone)
    places = _order_names(matches.names, components, scale, unrated, means)
    log_worths = scales if rated_by is Basis.ORDER else ()
    return SeasonRating(scale, factor, anchor, unrated, places, by_seat, notes, fit, log_worths)


def _scale_of(scales: Sequence[RatingScale], members: Sequence[str], anchor: str) -> RatingScale | None:
    for scale in scales:
        if scale.names[0] in members:
            return scale.anchored(anchor) if anchor else scale
    return None


def _unrated_names(names: Sequence[str], components: Components, main: int, solved: bool) -> dict[str, Unrated]:
    """Return the unrated versions with the reason; the component ``main`` is rated if its scale is ``solved``."""
    above, below = _reach_components(components.ahead.T, main), _reach_components(components.ahead, main)
    found = {}
    for number, members in enumerate(components.members):
        if number == main:
            why = None if solved else Unrated.UNSOLVED
        elif above[number]:
            why = Unrated.AHEAD
        else:
            why = Unrated.BEHIND if below[number] else Unrated.APART
        if why is not None:
            found.update({names[at]: why for at in members})
    return found


_UNRATED_LEVELS = {Unrated.AHEAD: 0, None: 1, Unrated.UNSOLVED: 1, Unrated.BEHIND: 2, Unrated.APART: 3}


def _order_names(
    names: Sequence[str],
    components: Components,
    scale: RatingScale | None,
    unrated: Mapping[str, Unrated],
    means: Mapping[str, float],
) -> tuple[str, ...]:
    """Return all versions in order: those ahead of the scale, the scale, those behind it, those not comparable with it.
    Among the unrated, a version that is ahead of more others, directly or through others, comes first."""
    on_scale = {} if scale is None else {scale.names[at]: place for place, at in enumerate(scale.order)}
    steps = {
        number: int(_reach_components(components.ahead, number).sum())
        for number, members in enumerate(components.members)
        if names[members[0]] in unrated
    }

    def key(at: int) -> tuple[int, int, int, float, str]:
        name = names[at]
        ahead = steps.get(int(components.number[at]), 0)
        return _UNRATED_LEVELS[unrated.get(name)], on_scale.get(name, 0), -ahead, -round(means[name], 9), name

    return tuple(names[at] for at in sorted(range(len(names)), key=key))


def _reach_components(steps: Numbers, start: int) -> Numbers:
    """Return the components that can be reached from ``start`` by ``steps``, without itself."""
    reached = edge = numpy.arange(len(steps)) == start
    while edge.any():
        edge = steps[edge].any(axis=0) & ~reached
        reached = reached | edge
    found: Numbers = reached & (numpy.arange(len(steps)) != start)
    return found
