"""The format in which everybody meets everybody."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from arena.errors import UserError
from arena.tournament.earlier import Earlier
from arena.tournament.format import Format
from arena.tournament.subsets import Subsets


class RoundRobin(Format):
    """In every block every set of entrants that fills a table."""

    def __init__(self, entrants: int) -> None:
        self.entrants = entrants

    def check(self, seats: int, label: str) -> None:
        """Raise UserError for too few entrants."""
        if self.entrants < seats:
            raise UserError(
                f"expected {seats} entrants or more, one for each seat in {label}, got {self.entrants}: enter "
                f"{seats - self.entrants} more (a bot may enter again under another name) or lower the number of seats"
            )

    def first_like(self, seats: int, block: int) -> int:
        """All blocks have the same tables."""
        return 0

    def count(self, seats: int, block: int) -> int:
        """All sets of so many."""
        return comb(self.entrants, seats)

    def tables(self, seats: int, block: int, earlier: Earlier) -> Sequence[tuple[int, ...]]:
        """The sets, in the order of `itertools.combinations`."""
        return Subsets(range(self.entrants), seats)
