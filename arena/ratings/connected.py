"""Which entrants one scale can hold, from who finished ahead of whom.

One entrant came *ahead* of another if there is a match in which it ranked better; where they shared a rank, each came
ahead of the other. Finite ratings on one scale exist if every entrant can be reached from every other, in steps from an
entrant to one that it came ahead of (L. R. Ford, Solution of a ranking problem from binary comparisons, American
Mathematical Monthly 64, 1957). Otherwise there are several strongly connected *components*: in each everybody can be
reached from everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy

from arena.ratings.order_columns import Numbers, RatingMatches


@dataclass(frozen=True, slots=True)
class Components:
    """Which entrants can be rated on one scale: ``number`` has each entrant's component, from 0; ``members`` has the
    entrants of each component. ``ahead`` has, for each two components, whether an entrant of the first came ahead of
    one of the second. ``part`` has the number of each component's part; matches connect the components of one part."""

    number: Numbers
    members: tuple[tuple[int, ...], ...]
    ahead: Numbers
    part: tuple[int, ...]

    @property
    def is_connected(self) -> bool:
        """Whether one scale holds everybody."""
        return len(self.members) == 1


def components_of(matches: RatingMatches) -> Components:
    """The components of the entrants of these matches; those with the most members come first."""
    return components_in(ahead_of(matches))


def ahead_of(matches: RatingMatches) -> Numbers:
    """For each two entrants in how many matches the first ranked at least as well as the second."""
    size = len(matches.names)
    found = numpy.zeros(size * size, dtype=numpy.int64)
    for tables in matches.tables:
        for one, two in combinations(range(tables.players), 2):
            first, second = tables.entrants[:, one].astype(numpy.int64), tables.entrants[:, two].astype(numpy.int64)
            better = tables.ranks[:, one] <= tables.ranks[:, two]
            worse = tables.ranks[:, one] >= tables.ranks[:, two]
            found += numpy.bincount(first[better] * size + second[better], minlength=size * size)
            found += numpy.bincount(second[worse] * size + first[worse], minlength=size * size)
    return found.reshape(size, size)


def components_in(ahead: Numbers) -> Components:
    """The components, from a matrix that is not 0 where the row's entrant came ahead of the column's."""
    steps = ahead > 0
    size = len(steps)
    met = steps | steps.T
    number = numpy.full(size, -1)
    found: list[Numbers] = []
    for start in range(size):
        if number[start] < 0:
            component = _reach_entrants(steps, start) & _reach_entrants(steps.T, start)
            number[component] = len(found)
            found.append(numpy.flatnonzero(component))
    order = sorted(range(len(found)), key=lambda at: (-len(found[at]), at))
    place = numpy.argsort(order)
    number = place[number] if size else number
    members = tuple(tuple(found[at].tolist()) for at in order)
    between = numpy.zeros((len(members), len(members)), dtype=bool)
    rows, columns = numpy.nonzero(steps)
    between[number[rows], number[columns]] = True
    numpy.fill_diagonal(between, False)
    return Components(number, members, between, _component_numbers(met, members))


def all_connected(ahead: Numbers) -> bool:
    """Whether everybody is in one component."""
    steps = ahead > 0
    return bool(len(steps)) and bool(_reach_entrants(steps, 0).all()) and bool(_reach_entrants(steps.T, 0).all())


def _component_numbers(met: Numbers, members: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    part = numpy.full(len(met), -1)
    for component in members:
        if part[component[0]] < 0:
            part[_reach_entrants(met, component[0])] = part.max() + 1
    return tuple(int(part[component[0]]) for component in members)


def _reach_entrants(steps: Numbers, start: int) -> Numbers:
    """For each entrant, whether it can be reached from ``start``; true for ``start`` itself."""
    reached = numpy.zeros(len(steps), dtype=bool)
    reached[start] = True
    edge = reached
    while edge.any():
        edge = steps[edge].any(axis=0) & ~reached
        reached = reached | edge
    return reached
