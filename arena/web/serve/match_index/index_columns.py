"""Finished matches as columns of numbers, so that a million of them can be searched in a few hundredths of a second; a
match takes about 50 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from arena.penalties import FaultKind, SeatEnd
from arena.storage.tables.match_columns import MatchColumns
from arena.tournament.measures.tally import Numbering
from arena.tournament.records.match_record import Word

FAULT_BITS = {kind: 1 << at for at, kind in enumerate(FaultKind)}
PUT_OUT = 1 << len(FAULT_BITS)
"""The bit that marks a seat that was put out for its faults."""


class IndexedSeat(msgspec.Struct, gc=False):
    """The fields of a seat that are indexed."""

    entrant: str
    rank: Word
    ended: SeatEnd = SeatEnd.PLAYED
    faults: dict[FaultKind, int] = {}


class IndexedLine(msgspec.Struct, gc=False):
    """The fields of a line of ``matches.jsonl`` that are indexed."""

    id: str
    edition: str
    block: Word
    termination: str
    seats: tuple[IndexedSeat, ...]
    void: bool = False


class IndexChunk(NamedTuple):
    """Matches, a row each: the offset of the line in its file, a hash of the id, the block, the numbers of the edition
    and the termination, and whether the match is void; and for each seat the number of its occupant (-1: none), the
    rank, and a bit for each kind of fault."""

    start: NDArray[numpy.int64]
    id: NDArray[numpy.int64]
    block: NDArray[numpy.int64]
    edition: NDArray[numpy.int32]
    termination: NDArray[numpy.int32]
    void: NDArray[numpy.bool_]
    entrants: NDArray[numpy.int32]
    ranks: NDArray[numpy.int8]
    faults: NDArray[numpy.int16]

    @property
    def matches(self) -> int:
        """The number of matches."""
        return int(self.start.size)


class IndexColumns(MatchColumns[IndexedSeat, IndexChunk]):
    """The matches that can be searched. ``editions`` and ``terminations`` are the names by number."""

    chunk = IndexChunk
    types = (
        *(numpy.int64, numpy.int64, numpy.int64, numpy.int32, numpy.int32, numpy.bool_),
        *(numpy.int32, numpy.int8, numpy.int16),
    )

    def __init__(self) -> None:
        super().__init__()
        self.editions, self.terminations = Numbering[str](), Numbering[str]()

    def add(self, start: int, line: IndexedLine) -> None:
        """Add the match whose line begins at this byte."""
        self.voids += line.void
        edition, termination = self.editions[line.edition], self.terminations[line.termination]
        self.put((start, hash(line.id), line.block, edition, termination, line.void), line.seats)

    def seat_numbers(self, seats: Sequence[IndexedSeat]) -> Iterator[list[int]]:
        """Yield the occupants of the seats, their ranks, and the bits of their faults."""
        number = self.entrants
        yield [number[seat.entrant] for seat in seats]
        yield [max(0, min(seat.rank, 127)) for seat in seats]
        yield [_seat_bits(seat) for seat in seats]


def _seat_bits(seat: IndexedSeat) -> int:
    if not seat.faults and seat.ended is SeatEnd.PLAYED:
        return 0
    out = 0 if seat.ended is SeatEnd.PLAYED else PUT_OUT
    return out | sum(FAULT_BITS[kind] for kind in seat.faults)
