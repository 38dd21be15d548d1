"""Changes tables as little as possible to separate entrants who should not sit together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Weight = Callable[[int, int], int]
"""The cost of two entrants sharing a table; 0 if they may."""

IDLE_SWAPS = 300
"""The search ends after this many swaps in a row without a better result, and returns the best one so far."""
TABU_SWAPS = 7
"""For this many swaps an entrant may not return to a table that it left, so that no two swaps undo each other for
ever."""


def kept_apart(tables: Sequence[Sequence[int]], weight: Weight) -> list[tuple[int, ...]]:
    """The tables after swaps of entrants that reduce the sum of all weights. The sum is the smallest that the search
    found, not always the smallest possible. Equal arguments give equal tables on every platform."""
    search = _Search(tables, weight)
    found, least, since = search.copy(), search.total(), 0
    while least and since < IDLE_SWAPS and search.step():
        since += 1
        if (total := search.total()) < least:
            found, least, since = search.copy(), total, 0
    return found


class _Search:
    """Swaps one entrant at a time who shares a table with somebody it should not: with a member of the nearest table
    where that reduces the sum, else of the table where the sum grows least."""

    def __init__(self, tables: Sequence[Sequence[int]], weight: Weight) -> None:
        self.tables = [list(table) for table in tables]
        self.where = {each: table for table, sitting in enumerate(tables) for each in sitting}
        self.weights = {
            one: {other: weight(one, other) for other in self.where if other != one} | {one: 0} for one in self.where
        }
        self.left: dict[tuple[int, int], int] = {}
        self.steps = 0

    def copy(self) -> list[tuple[int, ...]]:
        """The current tables."""
        return [tuple(table) for table in self.tables]

    def total(self) -> int:
        """Twice the sum of all weights."""
        return sum(map(self.company_weight, self.where))

    def company_weight(self, entrant: int) -> int:
        """The sum of this entrant's weights with the others at its table."""
        row = self.weights[entrant]
        return sum([row[each] for each in self.tables[self.where[entrant]]])

    def step(self) -> bool:
        """Make one swap; return whether one was possible."""
        burdened = [each for each in self.where if self.company_weight(each)]
        for turn in range(len(burdened)):
            mover = burdened[(self.steps + turn) % len(burdened)]
            if (partner := self.partner(mover)) is not None:
                self.swap(mover, partner)
                return True
        return False

    def partner(self, mover: int) -> int | None:
        """The entrant to swap ``mover`` with; None if it may not move to any table."""
        home = self.where[mover]
        own, burden = self.weights[mover], self.company_weight(mover)
        best: tuple[bool, int, int, int] | None = None
        for table, sitting in enumerate(self.tables):
            if table == home or self.left.get((mover, table), 0) > self.steps:
                continue
            there = sum([own[each] for each in sitting])
            for each in sitting:
                if self.left.get((each, home), 0) > self.steps:
                    continue
                row = self.weights[each]
                here = sum([row[other] for other in self.tables[home]])
                gain = burden + sum([row[other] for other in sitting]) - there - here + 2 * own[each]
                far = abs(table - home)
                rank = (gain <= 0, far, -gain, each) if gain > 0 else (True, -gain, far, each)
                best = rank if best is None else min(best, rank)
        return None if best is None else best[3]

    def swap(self, one: int, other: int) -> None:
        """Swap the places of two entrants; neither may return for a while."""
        here, there = self.where[one], self.where[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.where[one], self.where[other] = there, here
        self.steps += 1
        self.left[one, here] = self.left[other, there] = self.steps + TABU_SWAPS
