"""The base of the formats that are played in rounds, each drawn by the results of the rounds before it."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Sequence
from hashlib import sha256
from typing import ClassVar, Self

from arena.errors import UserError
from arena.tournament.formats.format import Format
from arena.tournament.formats.team_tables.teams import Teams
from arena.tournament.records.earlier_results import EarlierResults


class RoundsFormat(Format):
    """All rounds last equally many blocks. All blocks of a round have the same tables, so a round may have several
    deals."""

    looks_back: ClassVar[bool] = True

    def __init__(self, teams: Teams, seed: str) -> None:
        """``teams`` has the team of each entrant. Until results separate them, entrants are in the order of the draw,
        which follows from the ``seed`` alone."""
        self.entrants, self.teams = len(teams), teams
        self.drawn = sorted(range(len(teams)), key=lambda each: sha256(f"{seed}/draw/{each}".encode()).digest())
        self._blocks: int | None = None

    @abstractmethod
    def rounds(self, seats: int) -> int:
        """The number of rounds at tables with this many seats."""

    @abstractmethod
    def count_in(self, seats: int, round: int) -> int:
        """How many tables this round (from 0) has."""

    @abstractmethod
    def drawn_tables(self, seats: int, round: int, earlier: EarlierResults) -> list[tuple[int, ...]]:
        """The tables of this round."""

    def check(self, seats: int, label: str) -> None:
        """Raise UserError for too few entrants."""
        if self.entrants < seats:
            raise UserError(
                f"expected {seats} entrants or more, one for each seat in {label}, got {self.entrants}: enter "
                f"{seats - self.entrants} more (a bot may enter again under another name) or lower the number of seats"
            )

    def cycle(self, seats: int) -> int:
        """One block for each round."""
        return self.rounds(seats)

    def with_blocks(self, blocks: int) -> Self:
        """A copy for this many blocks, which the rounds share equally."""
        settled = copy.copy(self)
        settled._blocks = blocks
        return settled

    def first_like(self, seats: int, block: int) -> int:
        """The first block of the same round."""
        return self.first_block(seats, self.round_of(seats, block))

    def count(self, seats: int, block: int) -> int:
        """The number of tables of the block's round."""
        return self.count_in(seats, self.round_of(seats, block))

    def tables(self, seats: int, block: int, earlier: EarlierResults) -> Sequence[tuple[int, ...]]:
        """The tables of the block's round, drawn by the results of earlier rounds only."""
        return self.drawn_tables(seats, self.round_of(seats, block), earlier)

    def each_lasts(self, seats: int) -> int:
        """How many blocks a round lasts."""
        return (self._blocks or self.rounds(seats)) // self.rounds(seats)

    def round_of(self, seats: int, block: int) -> int:
        """The round (from 0) that this block belongs to."""
        return block // self.each_lasts(seats)

    def first_block(self, seats: int, round: int) -> int:
        """The first block of a round; for the round after the last one, the number of all blocks."""
        return round * self.each_lasts(seats)

    def blocks_of(self, seats: int, round: int) -> range:
        """The blocks of a round."""
        return range(self.first_block(seats, round), self.first_block(seats, round + 1))
