"""The matches of a tournament, computed from their indices and never stored.

Which tables a block plays is for the format to say (:mod:`arena.tournament.formats`); the schedule has them play in
every edition, block and seat order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

from arena.errors import UserError
from arena.games import games
from arena.tournament.formats import Format
from arena.tournament.round_robin import RoundRobin
from arena.tournament.seat_orders import SeatOrders, seat_orders

ALL_EDITIONS = "all"
"""The label of the standings over all editions together, so no edition may have it."""

MOST_MATCHES = 10**15

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


class Deals(StrEnum):
    """Which matches are dealt the same cards."""

    DUPLICATE = "duplicate"
    """All of a block."""

    FRESH = "fresh"
    """None: every match has a deal of its own."""


class ScheduledEdition(NamedTuple):
    """An edition as a schedule sees it: a ``label`` that can name a folder, and the ``seats`` at a table."""

    label: str
    seats: int


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to be played.

    ``id`` is unique in its schedule and a relative path, ``LABEL/bBLOCK/ENTRANTS``; it does not depend on how
    many blocks or entrants there are. ``edition`` is an index into the schedule's editions; ``entrants``
    are indices of entrants in seat order.
    """

    index: int
    id: str
    edition: int
    block: int
    entrants: tuple[int, ...]


class Schedule:
    """All tables x blocks x seat orders of every edition, by edition, then block, table and seat order.

    The tables are those of the ``format``, by default of a round robin, in its order. So an interrupted run has
    complete blocks and at most one incomplete block. Memory does not grow with the number of matches.
    """

    def __init__(
        self,
        entrants: int,
        editions: Sequence[ScheduledEdition],
        blocks: int,
        orders: SeatOrders = SeatOrders.BALANCED,
        format: Format | None = None,
    ) -> None:
        """Raises UserError for too few entrants for a table, no blocks, no editions, a number of seats without such
        seat orders, or labels that cannot be names of separate folders."""
        if blocks < 1:
            raise UserError(f"expected 1 block or more, got {blocks}")
        if not editions:
            raise UserError("expected at least one edition, got none")
        _check_labels([edition.label for edition in editions])
        self.format = format or RoundRobin(entrants)
        for edition in editions:
            seat_orders(orders, edition.seats)
            self.format.check(edition.seats, edition.label)
        self.entrants = entrants
        self.editions = tuple(editions)
        self.blocks = blocks
        self.orders = orders
        sizes = [self.block_size(edition) * blocks for edition in range(len(editions))]
        self._starts = tuple(accumulate(sizes, initial=0))
        if self._starts[-1] > MOST_MATCHES:
            raise UserError(
                f"{self._starts[-1]:,} matches are more than any machine plays (at most {MOST_MATCHES:,}); "
                "choose fewer blocks, seats or entrants"
            )

    def block_size(self, edition: int) -> int:
        """How many matches of the edition with this index make up one block."""
        seats = self.editions[edition].seats
        return self.format.count(seats) * len(seat_orders(self.orders, seats))

    def __len__(self) -> int:
        return self._starts[-1]

    def __getitem__(self, index: int) -> Fixture:
        """The match at ``index``, as fast in a long schedule as in a short one; -1 is the last.

        Raises IndexError beyond the ends.
        """
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"match {index} of a schedule of {len(self)}")
        edition = bisect_right(self._starts, at) - 1
        seats = self.editions[edition].seats
        orders = seat_orders(self.orders, seats)
        block, within = divmod(at - self._starts[edition], self.block_size(edition))
        table, order = divmod(within, len(orders))
        return self._fixture(at, edition, block, self.format.tables(seats, block)[table], orders[order])

    def __iter__(self) -> Iterator[Fixture]:
        at = 0
        for number, edition in enumerate(self.editions):
            orders = seat_orders(self.orders, edition.seats)
            for block in range(self.blocks):
                for table in self.format.tables(edition.seats, block):
                    for order in orders:
                        yield self._fixture(at, number, block, table, order)
                        at += 1

    @property
    def size_of_block(self) -> int:
        """How many matches of all editions together make up one block."""
        return len(self) // self.blocks

    def of_block(self, block: int) -> Iterator[Fixture]:
        """The matches of one block of every edition, in the schedule's order."""
        for edition in range(len(self.editions)):
            size = self.block_size(edition)
            first = self._starts[edition] + block * size
            yield from map(self.__getitem__, range(first, first + size))

    def _fixture(self, index: int, edition: int, block: int, table: tuple[int, ...], order: tuple[int, ...]) -> Fixture:
        entrants = tuple(table[place] for place in order)
        name = f"{self.editions[edition].label}/b{block:04d}/{'-'.join(map(str, entrants))}"
        return Fixture(index, name, edition, block, entrants)


def block_seed(tournament_seed: str, block: int) -> str:
    """The match seed of a block, 32 hexadecimal digits: all its editions, tables and orders have the same deal.

    It is the first 16 bytes of the SHA-256 digest of ``SEED/block/BLOCK`` in UTF-8.
    """
    return sha256(f"{tournament_seed}/block/{block}".encode()).hexdigest()[:32]


def match_seed(tournament_seed: str, deals: Deals, block: int, id: str) -> str:
    """The seed of the match ``id``, 32 hexadecimal digits: that of its block, or, for fresh deals, the first 16 bytes
    of the SHA-256 digest of ``SEED/match/ID`` in UTF-8."""
    match deals:
        case Deals.DUPLICATE:
            return block_seed(tournament_seed, block)
        case Deals.FRESH:
            return sha256(f"{tournament_seed}/match/{id}".encode()).hexdigest()[:32]


def _check_labels(labels: list[str]) -> None:
    seen: set[str] = set()
    for label in labels:
        if not _LABEL.fullmatch(label):
            raise UserError(
                f"expected an edition's label of letters and digits, with any of . _ + - after the first, got {label!r}"
            )
        if label == ALL_EDITIONS:
            raise UserError(f"the label {label!r} is kept for standings over all editions, choose another")
        if label in games():
            raise UserError(f"the label {label!r} is kept for standings over all editions of that game, choose another")
        if label.casefold() in seen:  # some file systems ignore case
            raise UserError(f"the edition {label!r} is listed twice")
        seen.add(label.casefold())
