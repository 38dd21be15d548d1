"""The interface of a tournament's format, which says which tables play in each block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from arena.tournament.records.earlier_results import EarlierResults


@dataclass(frozen=True, slots=True)
class Placing:
    """An entrant's result in a format that eliminates entrants. ``out`` is the round (from 1) in which the entrant was
    eliminated, None while it is still in; at the end only the winner has None."""

    entrant: int
    out: int | None


class Format(ABC):
    """Says which tables play in each block. A table is a tuple of entrants' indices, one for each seat; the schedule's
    seat orders then assign the seats. The number of tables in a block is known before any match is played, so a match
    can be found by its number alone; which tables they are may depend on the results of earlier blocks."""

    looks_back: ClassVar[bool] = False
    """Whether the tables of a block depend on the results of the blocks before it. Such a format is played block by
    block; any other must ignore the results that it is given."""

    @abstractmethod
    def check(self, seats: int, label: str) -> None:
        """Raise UserError if no table with this many ``seats`` can be filled; ``label`` names the edition in the
        message."""

    def blocks(self, seats: int) -> int | None:
        """The number of blocks of an edition with this many seats, if the format fixes it; else None."""
        return None

    def cycle(self, seats: int) -> int:
        """The number of blocks after which everything that the format balances is balanced. A run plays a multiple of
        it."""
        return 1

    def is_even(self, seats: int) -> bool:
        """Whether a cycle balances exactly. If not, any other number of blocks is just as good."""
        return True

    def period(self, seats: int) -> int:
        """The number of blocks after which the numbers of tables repeat."""
        return self.cycle(seats)

    def with_blocks(self, blocks: int) -> Self:
        """This format for a tournament of ``blocks`` blocks."""
        return self

    def first_like(self, seats: int, block: int) -> int:
        """The first block that certainly has the same tables as this one; the schedule uses its tables instead."""
        return block

    def in_words(self, seats: int) -> str:
        """In words, what is known of the tables before any match; empty if each table is known."""
        return ""

    @abstractmethod
    def count(self, seats: int, block: int) -> int:
        """The number of tables with this many seats in this block (from 0)."""

    @abstractmethod
    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """The tables of a block, all different. ``earlier`` has the results of the earlier blocks of the same edition;
        it is empty for a format that does not look back. The schedule caches the tables of a few blocks; a format
        stores none."""

    def placings(self, seats: int, earlier: EarlierResults, finished: int) -> Sequence[Placing]:
        """Who is still in after ``finished`` blocks, and in which round the others were eliminated, best first. Empty
        for a format that eliminates nobody, and until somebody is eliminated."""
        return ()
