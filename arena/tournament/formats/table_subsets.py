"""All sets of a given size from some members, as a sequence that stores none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import comb

from arena.tournament.computed_sequence import ComputedSequence


class TableSubsets(ComputedSequence):
    """The sets of ``size`` of the ``members``, in the order of `itertools.combinations`, computed when needed."""

    def __init__(self, members: Sequence[int], size: int) -> None:
        self.members, self.size = members, size
        self._places = {member: place for place, member in enumerate(members)}

    def __len__(self) -> int:
        return comb(len(self.members), self.size)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return combinations(self.members, self.size)

    def tuple_at(self, index: int) -> tuple[int, ...]:
        rest, chosen = index, list[int]()
        for place, member in enumerate(self.members):
            if len(chosen) == self.size:
                break
            starting_here = comb(len(self.members) - place - 1, self.size - len(chosen) - 1)
            if rest < starting_here:
                chosen.append(member)
            else:
                rest -= starting_here
        return tuple(chosen)

    def index_of(self, item: tuple[int, ...]) -> int | None:
        places = [self._places.get(member, -1) for member in item]
        if len(item) != self.size or any(one >= two for one, two in pairwise([-1, *places])):
            return None
        behind = (comb(len(self.members) - place - 1, self.size - at) for at, place in enumerate(places))
        return len(self) - 1 - sum(behind)
