"""Tables changed as little as possible, so that those who should not sit together do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Weight = Callable[[int, int], int]
"""How bad it is that two entrants share a table: 0 where it is not."""

IDLE_SWAPS = 300
"""Swaps in a row without a better result, after which the best one is taken."""
TABU_SWAPS = 7
"""Swaps during which nobody returns to a table that was left: so no two swaps undo each other for ever."""


def kept_apart(tables: Sequence[Sequence[int]], weight: Weight) -> list[tuple[int, ...]]:
    """The tables after some entrants have swapped places, so that the sum of all weights is smaller: those with the
    smallest sum that was found. It need not be the smallest there is. The same for the same tables, everywhere."""
    search = _Search(tables, weight)
    found, least, since = search.copy(), search.total(), 0
    while least and since < IDLE_SWAPS and search.step():
        since += 1
        if (total := search.total()) < least:
            found, least, since = search.copy(), total, 0
    return found


class _Search:
    """Swaps one entrant at a time who shares a table with somebody it should not: with the nearest table where that
    makes the sum smaller, else where it makes it least larger."""

    def __init__(self, tables: Sequence[Sequence[int]], weight: Weight) -> None:
        self.tables = [list(table) for table in tables]
        self.where = {each: table for table, sitting in enumerate(tables) for each in sitting}
        self.weights = {
            one: {other: weight(one, other) for other in self.where if other != one} | {one: 0} for one in self.where
        }
        self.left: dict[tuple[int, int], int] = {}
        self.steps = 0

    def copy(self) -> list[tuple[int, ...]]:
        """The tables as they are now."""
        return [tuple(table) for table in self.tables]

    def total(self) -> int:
        """Twice the sum of all weights."""
        return sum(map(self.burden, self.where))

    def burden(self, entrant: int) -> int:
        """What it weighs with whom this entrant sits."""
        row = self.weights[entrant]
        return sum([row[each] for each in self.tables[self.where[entrant]]])

    def step(self) -> bool:
        """Make one swap; whether there was one to be made."""
        burdened = [each for each in self.where if self.burden(each)]
        for turn in range(len(burdened)):
            mover = burdened[(self.steps + turn) % len(burdened)]
            if (partner := self.partner(mover)) is not None:
                self.swap(mover, partner)
                return True
        return False

    def partner(self, mover: int) -> int | None:
        """With whom it swaps; None where it may go nowhere."""
        home = self.where[mover]
        own, burden = self.weights[mover], self.burden(mover)
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
        """Let the two change places; neither returns for a while."""
        here, there = self.where[one], self.where[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.where[one], self.where[other] = there, here
        self.steps += 1
        self.left[one, here] = self.left[other, there] = self.steps + TABU_SWAPS
