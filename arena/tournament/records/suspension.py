"""Entrants that are suspended for the rest of a run, because their bots were put out of too many matches.

Who is suspended in a block follows from the records of the blocks before it, so it is the same with any number of
processes, after a resumption, and for whoever reads the records later. Until a block is finished, none of the next is
played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf

from arena.penalties import SeatEnd
from arena.tournament.records.fixture import Fixture
from arena.tournament.records.match_record import MatchRecord


class Suspension:
    """Counts the matches of a run in which a bot was put out, by entrant and block. An entrant with ``after`` such
    matches is suspended from the next block on; None suspends nobody."""

    def __init__(self, after: int | None) -> None:
        self.after = after
        self._out: dict[str, dict[int, int]] = {}

    def add_record(self, record: MatchRecord) -> None:
        """Count a finished match; the order of matches does not matter."""
        if self.after is None:
            return
        for seat in record.seats:
            if seat.ended is not SeatEnd.PLAYED:
                blocks = self._out.setdefault(seat.entrant, {})
                blocks[record.block] = blocks.get(record.block, 0) + 1

    def first_blocks(self, blocks: int | None = None) -> dict[str, int]:
        """The first block that each suspended entrant does not play, by name in alphabetical order; with the run's
        number of ``blocks``, only for entrants who miss at least one of them."""
        found: dict[str, int] = {}
        for entrant, counts in sorted(self._out.items()):
            so_far = accumulate(sorted(counts.items()), lambda sum, each: (each[0], sum[1] + each[1]))
            first = next((block + 1 for block, count in so_far if self.after is not None and count >= self.after), None)
            if first is not None and (blocks is None or first < blocks):
                found[entrant] = first
        return found

    def suspended_entrants(self, block: int) -> frozenset[str]:
        """The entrants that do not play in this block. All blocks before it must have been counted."""
        return frozenset(entrant for entrant, first in self.first_blocks().items() if first <= block)

    def problem(self, record: MatchRecord) -> str:
        """What is wrong with a record in which a suspended entrant plays, in words; empty if there is none."""
        absent = self.suspended_entrants(record.block)
        names = [seat.entrant for seat in record.seats if seat.entrant in absent]
        return f"has {', '.join(names)}, suspended before block {record.block}" if names else ""

    def matches_of(self, fixtures: Iterable[Fixture], names: Sequence[str], block: int) -> list[Fixture]:
        """The ``fixtures`` of one block that are played, those without a suspended entrant, in their order."""
        absent = self.suspended_entrants(block)
        return [each for each in fixtures if not any(names[entrant] in absent for entrant in each.entrants)]

    def remaining_fixtures(self, fixtures: Iterable[Fixture], names: Sequence[str]) -> Iterator[Fixture]:
        """The ``fixtures`` that are not dropped because of a suspension; ``names`` are the names of all entrants."""
        first = self.first_blocks()
        last = [first.get(name, inf) for name in names]
        return (each for each in fixtures if all(each.block < last[entrant] for entrant in each.entrants))


def suspension_words(first_blocks: Mapping[str, int], after: int | None) -> list[str]:
    """A sentence for each suspended entrant."""
    matches = "1 match" if after == 1 else f"{after} matches"
    return [
        f"{entrant}: its bot was put out of {matches} or more before block {first}, so it no longer plays from that "
        f"block on"
        for entrant, first in first_blocks.items()
    ]
