"""Matches as columns of numbers: of a million matches only the wanted fields are read, and no record is held.

:class:`MatchColumns` holds the columns, whatever their source: the ``matches.jsonl`` of runs, a growing file, or the
database of a ladder. Matches are added one by one, and every :data:`CHUNK` of them becomes immutable arrays, so that
concurrent readers wait for nobody; or they are added as arrays.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

import numpy

from arena.tournament.measures.tally import Numbering

CHUNK = 1 << 15
"""How many matches are turned into arrays together."""
NOBODY = -1
"""The entrant number of a seat that a match does not have."""


class SeatFields(Protocol):
    """The fields of a seat that are read."""

    @property
    def entrant(self) -> str:
        """The entrant in the seat."""


Rows = list[tuple[Any, ...]]
Seat = TypeVar("Seat", bound=SeatFields)
Chunk = TypeVar("Chunk", bound=tuple[Any, ...])


class MatchColumns(Generic[Seat, Chunk]):
    """All matches so far, as columns. ``entrants`` has the entrants' names by number.

    ``chunk`` is a named tuple of arrays with a row for each match: first the columns of matches, then those of seats,
    the first of which has the entrants' numbers. ``types`` are the number types of the columns.
    """

    chunk: type[Chunk]
    types: tuple[Any, ...]

    def __init__(self) -> None:
        self.entrants = Numbering[str]()
        self.voids = 0
        self._chunks: list[Chunk] = []
        self._rows: Rows = []
        self._seats: list[tuple[Seat, ...]] = []
        self._open: tuple[Rows, int, Chunk] | None = None
        self._lock = Lock()
        self._closed = 0

    def __len__(self) -> int:
        with self._lock:
            return self._closed + len(self._rows)

    @abstractmethod
    def seat_numbers(self, seats: Sequence[Seat]) -> Iterator[list[int]]:
        """The columns of seats, the entrants' numbers first."""

    def put(self, row: tuple[Any, ...], seats: tuple[Seat, ...]) -> None:
        """Add a match: ``row`` has the numbers in its columns."""
        entrants, rows = self.entrants, self._rows
        for seat in seats:
            entrants[seat.entrant]
        self._seats.append(seats)
        rows.append(row)
        if len(rows) == CHUNK:
            self._close_chunk(rows)

    def put_arrays(self, filled: Chunk) -> None:
        """Add matches that are already arrays."""
        with self._lock:
            self._chunks.append(filled)
            self._closed += len(filled[0])

    def _close_chunk(self, rows: Rows) -> None:
        filled = self.arrays(zip(*rows, strict=True), self._seats)
        with self._lock:
            self._chunks.append(filled)
            self._closed += len(rows)
            self._rows, self._seats, self._open = [], [], None

    def chunks(self) -> Iterator[Chunk]:
        """The matches in order, as they stand when iteration begins."""
        with self._lock:
            whole, rows, seats, kept = list(self._chunks), self._rows, self._seats, self._open
            count = len(rows)
        yield from whole
        if count and (kept is None or kept[0] is not rows or kept[1] != count):
            kept = rows, count, self.arrays(zip(*rows[:count], strict=True), seats[:count])
            self._open = kept
        if count and kept is not None:
            yield kept[2]

    def take_arrays(self) -> list[Chunk]:
        """The matches that were added as arrays, which are removed from here."""
        with self._lock:
            taken, self._chunks, self._closed = self._chunks, [], 0
        return taken

    def arrays(self, columns: Iterable[Sequence[Any]], of_matches: Sequence[tuple[Seat, ...]]) -> Chunk:
        """Turn matches into arrays: the ``columns`` of matches, and the seats ``of_matches``. Where a match has fewer
        seats than another, the further seats are empty."""
        made = [numpy.array(column, type) for column, type in zip(columns, self.types, strict=False)]
        seats = [seat for sat in of_matches for seat in sat]
        sizes = list(map(len, of_matches))
        shape = len(sizes), max(max(sizes), 1)
        taken = None if min(sizes) == shape[1] else numpy.arange(shape[1]) < numpy.array(sizes)[:, None]
        empty = NOBODY
        for numbers, type in zip(self.seat_numbers(seats), self.types[len(made) :], strict=True):
            if taken is None:
                made.append(numpy.array(numbers, type).reshape(shape))
            else:
                made.append(numpy.full(shape, empty, type))
                made[-1][taken] = numbers
            empty = 0
        return self.chunk(*made)
