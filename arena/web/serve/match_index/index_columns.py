"""Finished matches as columns of numbers, so that a million of them can be searched in a few hundredths of a second.

A match takes about 50 bytes. Matches come one by one; each :data:`INDEX_CHUNK` of them becomes arrays that change no
more, so that whoever searches meanwhile waits for nobody."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from arena.penalties import FaultKind, SeatEnd
from arena.tournament.records.match_record import Word

INDEX_CHUNK = 1 << 15
"""Matches that become arrays together."""
Numbers = NDArray[numpy.int64]
Rows = list[tuple[int, int, int, int, int, bool]]
"""Where the line begins, a number that follows from the id, block, edition, termination, and whether it is void."""
FAULT_BITS = {kind: 1 << at for at, kind in enumerate(FaultKind)}
PUT_OUT = 1 << len(FAULT_BITS)
"""The bit of a seat that was put out for its faults."""


class IndexedSeat(msgspec.Struct, gc=False):
    """What is kept of a seat."""

    entrant: str
    rank: Word
    ended: SeatEnd = SeatEnd.PLAYED
    faults: dict[FaultKind, int] = {}


class IndexedLine(msgspec.Struct, gc=False):
    """What is kept of a line of ``matches.jsonl``."""

    id: str
    edition: str
    block: Word
    termination: str
    seats: tuple[IndexedSeat, ...]
    void: bool = False


class NameNumbers(dict[str, int]):
    """Numbers names from 0, in the order in which they first come."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


class IndexChunk(NamedTuple):
    """Matches, a row each: where the line begins in its file, a number that follows from the id, the block, by their
    numbers the edition and termination, and whether it is void; and by seat who sat there (-1: nobody), the rank,
    and bits for kinds of faults."""

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
        """How many they are."""
        return int(self.start.size)


class IndexColumns:
    """All matches of a file so far. ``entrants``, ``editions`` and ``terminations`` have their names by number."""

    def __init__(self) -> None:
        self.entrants, self.editions, self.terminations = NameNumbers(), NameNumbers(), NameNumbers()
        self.voids = 0
        self._chunks: list[IndexChunk] = []
        self._rows: Rows = []
        self._seats: list[tuple[IndexedSeat, ...]] = []
        self._open: tuple[Rows, int, IndexChunk] | None = None
        self._lock = Lock()

    def __len__(self) -> int:
        with self._lock:
            return INDEX_CHUNK * len(self._chunks) + len(self._rows)

    def add(self, start: int, line: IndexedLine) -> None:
        """Add the match whose line begins at this byte."""
        self._seats.append(line.seats)
        self.voids += line.void
        edition, termination = self.editions[line.edition], self.terminations[line.termination]
        for seat in line.seats:
            self.entrants[seat.entrant]
        self._rows.append((start, hash(line.id), line.block, edition, termination, line.void))
        if len(self._rows) == INDEX_CHUNK:
            filled = self._arrays(self._rows, self._seats)
            with self._lock:
                self._chunks.append(filled)
                self._rows, self._seats, self._open = [], [], None

    def chunks(self) -> Iterator[IndexChunk]:
        """The matches, first to last, as they stand when the first is asked for."""
        with self._lock:
            whole, rows, seats, kept = list(self._chunks), self._rows, self._seats, self._open
            count = len(rows)
        yield from whole
        if count and (kept is None or kept[0] is not rows or kept[1] != count):
            kept = rows, count, self._arrays(rows[:count], seats[:count])
            self._open = kept
        if count and kept is not None:
            yield kept[2]

    def _arrays(self, rows: Rows, seats: list[tuple[IndexedSeat, ...]]) -> IndexChunk:
        """Matches as arrays."""
        start, id, block, edition, termination, void = zip(*rows, strict=True)
        width = max(map(len, seats), default=1) or 1
        entrants = numpy.full((len(rows), width), -1, dtype=numpy.int32)
        ranks = numpy.zeros((len(rows), width), dtype=numpy.int8)
        faults = numpy.zeros((len(rows), width), dtype=numpy.int16)
        sizes = numpy.array([len(each) for each in seats])
        taken = numpy.arange(width) < sizes[:, None]
        entrants[taken] = [self.entrants[seat.entrant] for sat in seats for seat in sat]
        ranks[taken] = [max(0, min(seat.rank, 127)) for sat in seats for seat in sat]
        faults[taken] = [_seat_bits(seat) for sat in seats for seat in sat]
        return IndexChunk(
            numpy.array(start, dtype=numpy.int64),
            numpy.array(id, dtype=numpy.int64),
            numpy.array(block, dtype=numpy.int64),
            numpy.array(edition, dtype=numpy.int32),
            numpy.array(termination, dtype=numpy.int32),
            numpy.array(void, dtype=numpy.bool_),
            entrants,
            ranks,
            faults,
        )


def _seat_bits(seat: IndexedSeat) -> int:
    if not seat.faults and seat.ended is SeatEnd.PLAYED:
        return 0
    out = 0 if seat.ended is SeatEnd.PLAYED else PUT_OUT
    return out | sum(FAULT_BITS[kind] for kind in seat.faults)
