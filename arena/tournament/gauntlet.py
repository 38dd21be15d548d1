"""The format in which challengers play against a field, which does not play among itself."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import comb, gcd

from arena.errors import UserError
from arena.tournament.earlier import Earlier
from arena.tournament.format import Format
from arena.tournament.subsets import Subsets

MOST_TABLES = 10
"""With more sets of opponents than these, a block plays only some of them."""


class Gauntlet(Format):
    """Every table has one challenger, and opponents of the field in all other seats. All challengers meet the same sets
    of opponents in a block, so that they can be compared.

    Where the field has at most :data:`MOST_TABLES` sets of opponents, every block plays all of them. Where it has more,
    every block plays the fewest in which every opponent comes equally often, and other blocks play others: the field is
    put into an order that follows from the block's number alone, and dealt out in turn, again and again, until the last
    set ends with the last of the field.
    """

    def __init__(self, entrants: int, challengers: Sequence[int]) -> None:
        """``challengers`` are indices of entrants, one or more; all others are the field."""
        self.challengers = tuple(challengers)
        self.field = tuple(each for each in range(entrants) if each not in set(challengers))

    def check(self, seats: int, label: str) -> None:
        """Raise UserError for too small a field."""
        if len(self.field) < seats - 1:
            raise UserError(
                f"expected {seats - 1} opponents or more of a challenger, one for each other seat in {label}, got "
                f"{len(self.field)}: enter {seats - 1 - len(self.field)} more (a bot may enter again under another "
                "name) or lower the number of seats"
            )

    def count(self, seats: int, block: int) -> int:
        """As many for each challenger."""
        return len(self.challengers) * self._sets(seats - 1)

    def tables(self, seats: int, block: int, earlier: Earlier) -> Sequence[tuple[int, ...]]:
        """One challenger's tables after another's, in each the challenger first."""
        sets = self._all(seats - 1) if self._plays_all(seats - 1) else self._some(seats - 1, block)
        return [(challenger, *opponents) for challenger in self.challengers for opponents in sets]

    def _plays_all(self, size: int) -> bool:
        return comb(len(self.field), size) <= MOST_TABLES

    def _sets(self, size: int) -> int:
        return comb(len(self.field), size) if self._plays_all(size) else len(self.field) // gcd(len(self.field), size)

    def _all(self, size: int) -> Sequence[tuple[int, ...]]:
        return Subsets(self.field, size)

    def _some(self, size: int, block: int) -> Sequence[tuple[int, ...]]:
        order = sorted(self.field, key=lambda each: sha256(f"{block}/{each}".encode()).digest())
        places = (range(first * size, (first + 1) * size) for first in range(self._sets(size)))
        return [tuple(sorted(order[place % len(order)] for place in each)) for each in places]
