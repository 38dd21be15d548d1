"""What a format of a tournament is: it says which tables play in each block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from arena.tournament.earlier import Earlier


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
        """After how many blocks everything is balanced that the format balances; the numbers of tables repeat after as
        many. Some multiple of it is played."""
        return 1

    @abstractmethod
    def count(self, seats: int, block: int) -> int:
        """How many tables of so many seats this block (from 0) has."""

    @abstractmethod
    def tables(self, seats: int, block: int, earlier: Earlier) -> Sequence[tuple[int, ...]]:
        """The tables of a block, each different. ``earlier`` is what the blocks before it gave in the same edition; it
        is empty for a format that does not look back. The schedule keeps those of a few blocks; the format nothing."""
