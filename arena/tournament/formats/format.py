"""What a format of a tournament is: it says which tables play in each block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from arena.tournament.records.earlier_results import EarlierResults


@dataclass(frozen=True, slots=True)
class Placing:
    """Where an entrant ended by a format that lets go of entrants: the round (from 1) in which it was ``out``; None for
    whoever is still in, at the end the winner."""

    entrant: int
    out: int | None


class Format(ABC):
    """Says which tables play in each block. A table is a tuple of entrants' indices, as many as it has seats; the seat
    orders of a schedule then seat them. How many tables a block has is known before anything is played, so that a match
    is found by its number alone; which they are may follow from the results of earlier blocks."""

    looks_back: ClassVar[bool] = False
    """Whether the tables of a block follow from the results of the blocks before it. Such a format is played block by
    block; any other must not look at the results that it is given."""

    @abstractmethod
    def check(self, seats: int, label: str) -> None:
        """Raise UserError where no table of so many ``seats`` can be filled, in the edition of this ``label``."""

    def blocks(self, seats: int) -> int | None:
        """How many blocks an edition with so many seats has, where the format settles it; else None."""
        return None

    def cycle(self, seats: int) -> int:
        """After how many blocks everything is balanced that the format balances. Some multiple of it is played."""
        return 1

    def is_even(self, seats: int) -> bool:
        """Whether a cycle balances exactly. If not, nothing is lost by any other number of blocks."""
        return True

    def period(self, seats: int) -> int:
        """After how many blocks the numbers of tables repeat."""
        return self.cycle(seats)

    def lasting(self, blocks: int) -> Self:
        """The format of a tournament with so many blocks."""
        return self

    def first_like(self, seats: int, block: int) -> int:
        """The first block that has the same tables as this one for certain; it is asked for in its place."""
        return block

    def in_words(self, seats: int) -> str:
        """What is known of its tables before anything is played, in words; empty where they are known one by one."""
        return ""

    @abstractmethod
    def count(self, seats: int, block: int) -> int:
        """How many tables of so many seats this block (from 0) has."""

    @abstractmethod
    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """The tables of a block, each different. ``earlier`` is what the blocks before it gave in the same edition; it
        is empty for a format that does not look back. The schedule keeps those of a few blocks; the format nothing."""

    def placings(self, seats: int, earlier: EarlierResults, finished: int) -> Sequence[Placing]:
        """Who is still in after so many ``finished`` blocks, and where the others were out, the best first; empty for a
        format that lets go of nobody, and until somebody is out."""
        return ()
