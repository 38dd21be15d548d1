"""The format in which every mixture of bots that fills a table plays in every block, copies of a bot too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb

from arena.errors import UserError
from arena.tournament.computed_sequence import ComputedSequence
from arena.tournament.formats.format import Format
from arena.tournament.formats.table_subsets import TableSubsets
from arena.tournament.records.earlier_results import EarlierResults


class MixtureTables(ComputedSequence):
    """The mixtures of ``size`` out of so many ``bots``, in the order of `itertools.combinations_with_replacement`,
    computed when needed. Copies of a bot are entrants of their own: copy c of bot b, both from 0, is the entrant
    b + c * bots."""

    def __init__(self, bots: int, size: int) -> None:
        self.bots, self.size = bots, size
        self._sets = TableSubsets(range(bots + size - 1), size)  # b, c, d … with 0, 1, 2 … added are all different

    def __len__(self) -> int:
        return comb(self.bots + self.size - 1, self.size)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(self._seated, combinations_with_replacement(range(self.bots), self.size))

    def tuple_at(self, index: int) -> tuple[int, ...]:
        return self._seated([each - place for place, each in enumerate(self._sets.tuple_at(index))])

    def index_of(self, item: tuple[int, ...]) -> int | None:
        mixture = sorted(each % self.bots for each in item)
        if sorted(self._seated(mixture)) != sorted(item):
            return None
        return self._sets.index_of(tuple(each + place for place, each in enumerate(mixture)))

    def _seated(self, mixture: Sequence[int]) -> tuple[int, ...]:
        """The entrants of a mixture: the first copies of each bot."""
        return tuple(bot + mixture[:place].count(bot) * self.bots for place, bot in enumerate(mixture))


class MixturesFormat(Format):
    """Every block plays every mixture of the bots that fills a table. The first ``bots`` entrants are the bots, which
    are followed by their second copies in the same order, and so on, as many ``copies`` as the largest table has
    seats."""

    def __init__(self, entrants: int, copies: int) -> None:
        self.entrants, self.copies = entrants, copies
        self.bots = entrants // copies

    def check(self, seats: int, label: str) -> None:
        """Raise UserError where the entrants are not copies of bots, as many of each as a table has seats."""
        if self.entrants != self.bots * self.copies or self.copies < seats:
            raise UserError(f"expected {seats} copies of each bot for {label}, got {self.entrants} entrants")

    def first_like(self, seats: int, block: int) -> int:
        """All blocks have the same tables."""
        return 0

    def count(self, seats: int, block: int) -> int:
        """The number of mixtures."""
        return len(MixtureTables(self.bots, seats))

    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """The mixtures, in the order of `itertools.combinations_with_replacement`."""
        return MixtureTables(self.bots, seats)
