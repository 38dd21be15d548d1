"""All sets of so many of some entrants, as a sequence that holds none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import overload


class Subsets(Sequence[tuple[int, ...]]):
    """The sets of ``size`` of the ``members``, in the order of `itertools.combinations`; each is computed when needed,
    so that millions need no memory."""

    def __init__(self, members: Sequence[int], size: int) -> None:
        self.members, self.size = members, size

    def __len__(self) -> int:
        return comb(len(self.members), self.size)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return combinations(self.members, self.size)

    @overload
    def __getitem__(self, index: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, ...] | Sequence[tuple[int, ...]]:
        if isinstance(index, slice):
            return [self[at] for at in range(len(self))[index]]
        rest = range(len(self))[index]
        chosen: list[int] = []
        for place, member in enumerate(self.members):
            if len(chosen) == self.size:
                break
            starting_here = comb(len(self.members) - place - 1, self.size - len(chosen) - 1)
            if rest < starting_here:
                chosen.append(member)
            else:
                rest -= starting_here
        return tuple(chosen)
