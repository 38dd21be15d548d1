"""The matches of a tournament, computed from their indices and never stored.

The format decides which tables a block plays (:mod:`arena.tournament.formats.format`); the schedule plays them in every
edition, block and seat order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from arena.errors import UserError
from arena.games import built_in_games
from arena.tournament.formats.format import Format, Placing
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.records.earlier_results import EarlierResults, ResultHistory
from arena.tournament.records.fixture import Fixture
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.block_spans import BlockSpans
from arena.tournament.schedule.seat_orders import SeatOrders, seat_orders
from arena.tournament.schedule.seatings import Seatings

ALL_EDITIONS = "all"
"""The label of the standings over all editions together; no edition may have it."""

MOST_MATCHES = 10**15
BLOCKS_KEPT = 512
"""The number of blocks whose tables a schedule caches, because matches of one block are looked up one after another."""

_LABEL_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_PLACE_PATTERN = re.compile(r"b([0-9]{4}|[1-9][0-9]{4,15})/((?:0|[1-9][0-9]{0,8})(?:-(?:0|[1-9][0-9]{0,8}))+)")


class ScheduledEdition(NamedTuple):
    """An edition as a schedule sees it: a ``label`` that can name a folder, and the ``seats`` at a table."""

    label: str
    seats: int


class Schedule:
    """All tables x blocks x seat orders of every edition, by edition, then block, table and seat order.

    The tables are those of the ``format``, by default of a round robin, in its order. So an interrupted run has
    complete blocks and at most one incomplete block. Memory does not grow with the number of matches.

    If the format looks at earlier results (``looks_back``), the tables of a block are known once all matches before it
    have been noted; ``suspend_after`` then decides who is absent
    (:class:`arena.tournament.records.suspension.Suspension`). Until then the schedule has the tables that would follow
    if the missing matches were never played.
    """

    first_block = 0
    """In ids and records blocks are numbered from here; another number is set where the schedule goes on from
    another."""

    def __init__(
        self,
        entrants: int,
        editions: Sequence[ScheduledEdition],
        blocks: int | None = None,
        orders: SeatOrders = SeatOrders.BALANCED,
        format: Format | None = None,
        suspend_after: int | None = None,
    ) -> None:
        """Without ``blocks``, the schedule has as many as make up whole cycles of every edition. Raises UserError for
        too few entrants for a table, no blocks or not as many as the format has, no editions, a number of seats without
        such seat orders, or labels that cannot be names of separate folders."""
        if blocks is not None and blocks < 1:
            raise UserError(f"expected 1 block or more, got {blocks}")
        if not editions:
            raise UserError("expected at least one edition, got none")
        _check_labels([edition.label for edition in editions])
        format = format or RoundRobin(entrants)
        for edition in editions:
            seat_orders(orders, edition.seats)
            format.check(edition.seats, edition.label)
        self.entrants = entrants
        self.editions = tuple(editions)
        self.blocks = _count_blocks(format, [edition.seats for edition in editions], blocks)
        self.format = format.with_blocks(self.blocks)
        self.orders = orders
        self.suspend_after = suspend_after
        self._by_label = {edition.label: number for number, edition in enumerate(editions)}
        self._spans = tuple(self._spans_of(edition.seats) for edition in editions)
        self._starts = tuple(accumulate((spans.start(self.blocks) for spans in self._spans), initial=0))
        if self._starts[-1] > MOST_MATCHES:
            raise UserError(
                f"{self._starts[-1]:,} matches are too many (at most {MOST_MATCHES:,}); "
                "choose fewer blocks, seats or entrants"
            )
        self._history = ResultHistory(len(editions), suspend_after)
        self._seatings: OrderedDict[tuple[int, int], Seatings] = OrderedDict()

    def _spans_of(self, seats: int) -> BlockSpans:
        orders = len(seat_orders(self.orders, seats))
        period = min(self.blocks, self.format.blocks(seats) or self.format.period(seats))
        return BlockSpans(self.format.count(seats, block) * orders for block in range(period))

    @property
    def looks_back(self) -> bool:
        """Whether tables follow from earlier results."""
        return self.format.looks_back

    def block_size(self, edition: int, block: int = 0) -> int:
        """How many matches of the edition with this index make up this block."""
        return self._spans[edition].size(block)

    def edition_size(self, edition: int) -> int:
        """How many matches of the edition with this index there are."""
        return self._starts[edition + 1] - self._starts[edition]

    def matches_in(self, block: int) -> int:
        """How many matches of all editions together make up this block."""
        return sum(spans.size(block) for spans in self._spans)

    def learn(self, records: Iterable[MatchRecord]) -> None:
        """Forget all results, and note the results of these matches, in any order. Does not read them if the format
        does not look back."""
        if not self.looks_back:
            return
        self._history = ResultHistory(len(self.editions), self.suspend_after)
        self._seatings.clear()
        for record in records:
            self.add_record(record)

    def add_record(self, record: MatchRecord) -> None:
        """Add the result of one match, for the tables of later blocks. Ignores a match that cannot be of this
        schedule."""
        if not self.looks_back or (place := self._read(record.id)) is None:
            return
        edition, block, entrants = place
        if block + self.first_block != record.block or len(entrants) != len(record.seats):
            return
        self._history.add_record(edition, entrants, record)
        for key in [key for key in self._seatings if key[1] > block]:
            del self._seatings[key]

    def rounds_of(self, label: str) -> int:
        """The number of rounds, that is blocks in the format's cycle, of the edition with this label."""
        return self.format.cycle(self.editions[self._by_label[label]].seats)

    def placings(self) -> dict[str, Sequence[Placing]]:
        """Map the label of each edition to the standing of its knockout after the finished blocks: which entrants are
        still in, and in which round each of the others was eliminated. Empty for a format that eliminates nobody."""
        found = {}
        for edition, (label, seats) in enumerate(self.editions):
            earlier = self._history.results_before(edition, self.blocks)
            if places := self.format.placings(seats, earlier, self._finished(edition, earlier)):
                found[label] = places
        return found

    def _finished(self, edition: int, earlier: EarlierResults) -> int:
        """The number of finished blocks of an edition. A block begins only when the one before it is finished."""
        block = max(earlier.blocks, default=0)
        while block < self.blocks:
            absent = earlier.suspended_entrants(block)
            wanted = sum(absent.isdisjoint(entrants) for entrants in self._tables(edition, block))
            if wanted > (earlier.blocks[block].matches if block in earlier.blocks else 0):
                break
            block += 1
        return block

    def find(self, id: str) -> Fixture | None:
        """The match with this id, as fast in a long schedule as in a short one; None where there is none."""
        if (place := self._read(id)) is None:
            return None
        edition, block, entrants = place
        within = self._tables(edition, block).find(entrants) if 0 <= block < self.blocks else None
        if within is None:
            return None
        index = self._starts[edition] + self._spans[edition].start(block) + within
        return Fixture(index, id, edition, block + self.first_block, entrants)

    def _read(self, id: str) -> tuple[int, int, tuple[int, ...]] | None:
        """Parse an id into edition, block and entrants in seat order; None if no match has such an id."""
        label, _, rest = id.partition("/")
        edition, read = self._by_label.get(label), _PLACE_PATTERN.fullmatch(rest)
        if edition is None or read is None:
            return None
        block, entrants = read.groups()
        return edition, int(block) - self.first_block, tuple(map(int, entrants.split("-")))

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
        block, within = self._spans[edition].place(at - self._starts[edition])
        return self._fixture(at, edition, block, self._tables(edition, block)[within])

    def __iter__(self) -> Iterator[Fixture]:
        for edition in range(len(self.editions)):
            for block in range(self.blocks):
                yield from self._matches(edition, block)

    def of_block(self, block: int) -> Iterator[Fixture]:
        """The matches of one block of every edition, in the schedule's order."""
        for edition in range(len(self.editions)):
            yield from self._matches(edition, block)

    def _matches(self, edition: int, block: int) -> Iterator[Fixture]:
        first = self._starts[edition] + self._spans[edition].start(block)
        for index, entrants in enumerate(self._tables(edition, block), first):
            yield self._fixture(index, edition, block, entrants)

    def _tables(self, edition: int, block: int) -> Seatings:
        """The tables of a block in all their seat orders; those of the last blocks used are cached."""
        seats = self.editions[edition].seats
        block = self.format.first_like(seats, block)
        if (found := self._seatings.get((edition, block))) is not None:
            self._seatings.move_to_end((edition, block))
            return found
        earlier = self._history.results_before(edition, block) if self.looks_back else EarlierResults()
        found = Seatings(self.format.tables(seats, block, earlier), self.orders, seats)
        self._seatings[edition, block] = found
        if len(self._seatings) > BLOCKS_KEPT:
            self._seatings.popitem(last=False)
        return found

    def _fixture(self, index: int, edition: int, block: int, entrants: tuple[int, ...]) -> Fixture:
        block += self.first_block
        name = f"{self.editions[edition].label}/b{block:04d}/{'-'.join(map(str, entrants))}"
        return Fixture(index, name, edition, block, entrants)


def _count_blocks(format: Format, sizes: Sequence[int], wanted: int | None) -> int:
    """The number of blocks of a tournament with tables of these sizes: the ``wanted`` number, or the format's own."""
    settled = {format.blocks(seats) for seats in sizes}
    own = settled.pop()
    if settled:
        raise UserError("the format has another number of blocks at each table size; give it editions of one size")
    cycle = lcm(*(format.cycle(seats) for seats in sizes))
    if own is None:
        _check_rounds(format, cycle, wanted)
        return wanted or cycle
    if wanted not in (None, own):
        raise UserError(f"expected {own} blocks, fixed by the format, got {wanted}; leave the number out")
    return own


def _check_rounds(format: Format, cycle: int, wanted: int | None) -> None:
    """Raise UserError if the rounds of a format that looks back cannot all last equally many blocks."""
    if not format.looks_back or wanted is None or wanted % cycle == 0:
        return
    below, above = wanted // cycle * cycle, -(-wanted // cycle) * cycle
    nearest = f"{below} or {above}" if below else str(above)
    raise UserError(f"expected a multiple of {cycle} blocks, as many for each round, got {wanted}; take {nearest}")


def _check_labels(labels: list[str]) -> None:
    seen: set[str] = set()
    for label in labels:
        if not _LABEL_PATTERN.fullmatch(label):
            raise UserError(
                f"expected an edition's label of letters and digits, with any of . _ + - after the first, got {label!r}"
            )
        if label == ALL_EDITIONS:
            raise UserError(f"the label {label!r} is reserved for standings over all editions, choose another")
        if label in built_in_games():
            raise UserError(
                f"the label {label!r} is reserved for standings over all editions of that game, choose another"
            )
        if label.casefold() in seen:  # some file systems ignore case
            raise UserError(f"the edition {label!r} is listed twice")
        seen.add(label.casefold())
