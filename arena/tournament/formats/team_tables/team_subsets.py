"""All sets of entrants from different teams, of a given size, as a sequence that stores none of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise

from arena.tournament.computed_sequence import ComputedSequence
from arena.tournament.formats.team_tables.teams import Teams, teams_apart


class TeamSubsets(ComputedSequence):
    """The sets of ``size`` entrants without two of a team, in the order of `itertools.combinations`; computed when
    needed."""

    def __init__(self, teams: Teams, size: int) -> None:
        self.teams, self.size = teams, size

    def __len__(self) -> int:
        return self._starting((), 0)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (each for each in combinations(range(len(self.teams)), self.size) if teams_apart(self.teams, each))

    def tuple_at(self, index: int) -> tuple[int, ...]:
        rest, chosen = index, tuple[int, ...]()
        while len(chosen) < self.size:
            for entrant in self._after(chosen):
                if rest < (here := self._with(chosen, entrant)):
                    chosen = (*chosen, entrant)
                    break
                rest -= here
        return chosen

    def index_of(self, item: tuple[int, ...]) -> int | None:
        ascending = all(one < two for one, two in pairwise(item))
        known = all(0 <= each < len(self.teams) for each in item)
        if len(item) != self.size or not ascending or not known or not teams_apart(self.teams, item):
            return None
        before = 0
        for at, entrant in enumerate(item):
            chosen = item[:at]
            before += sum(self._with(chosen, each) for each in self._after(chosen) if each < entrant)
        return before

    def _after(self, chosen: tuple[int, ...]) -> range:
        return range(chosen[-1] + 1 if chosen else 0, len(self.teams))

    def _with(self, chosen: tuple[int, ...], entrant: int) -> int:
        """The number of sets that begin with the ``chosen`` entrants and this one."""
        if self.teams[entrant] in {self.teams[each] for each in chosen}:
            return 0
        return self._starting((*chosen, entrant), entrant + 1)

    def _starting(self, chosen: tuple[int, ...], start: int) -> int:
        """The number of sets that consist of the ``chosen`` entrants and others from ``start`` on."""
        taken = {self.teams[each] for each in chosen}
        left = Counter(team for team in self.teams[start:] if team not in taken)
        return _count_ways(tuple(sorted(left.values())), self.size - len(chosen))


@cache
def _count_ways(teams: tuple[int, ...], size: int) -> int:
    """The number of ways to choose one member each from ``size`` different teams of these sizes: the elementary
    symmetric polynomial of degree ``size``."""
    ways = [1, *[0] * size]
    for members in teams:
        for chosen in range(size, 0, -1):
            ways[chosen] += members * ways[chosen - 1]
    return ways[size]
