"""Follows a ``matches.jsonl`` while it grows: indexes its matches in columns, counts its faults, adds up its standings.

The file is only read. It stays open, so that lines can be read again even after the run has replaced the file, as it
does when it sorts its lines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import msgspec

from arena.errors import ArenaError
from arena.foreign_files import DECODE_ERRORS, LONGEST_LINE, open_descriptor
from arena.tournament.records.fault_count import FaultCounter
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import StandingsFold
from arena.web.serve.match_index.index_columns import IndexColumns, IndexedLine

SLICE_BYTES = 1 << 18
"""How many bytes are read together."""
MOMENT_BYTES = 1 << 22
"""How many bytes are read in a moment."""
_LINE_DECODER = msgspec.json.Decoder(IndexedLine)
_RECORD_DECODER = msgspec.json.Decoder(MatchRecord)


class Tail:
    """The part of the file at ``path`` that has been read, up to byte ``end``. ``unreadable`` counts skipped lines.
    Records are added to ``folding``, if there is one."""

    def __init__(self, path: Path, folding: StandingsFold | None = None) -> None:
        self.path, self.columns, self.faults, self.folding = path, IndexColumns(), FaultCounter(), folding
        self.end = self.unreadable = 0
        self._waiting: list[MatchRecord] = []
        self._caught_up = False
        self._file = -1
        with suppress(FileNotFoundError):
            self._file = open_descriptor(path)

    def __del__(self) -> None:
        if self._file >= 0:
            os.close(self._file)

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return os.fstat(self._file).st_size if self._file >= 0 else 0

    @property
    def share(self) -> float:
        """The share of the file that was read, in 0…1. Once the end was reached, a short new part does not count."""
        size = self.size
        if not self._behind() or (self._caught_up and size - self.end < MOMENT_BYTES):
            return 1.0
        return min(1.0, self.end / size)

    @property
    def is_outdated(self) -> bool:
        """Whether another file is at its path by now, or the file is shorter than the part that was read."""
        try:
            found = os.stat(self.path)
        except OSError:
            return self._file >= 0
        return self._file < 0 or found.st_ino != os.fstat(self._file).st_ino or found.st_size < self.end

    def advance(self, seconds: float) -> bool:
        """Read on for about this many seconds; return whether there is more to read. Raises ArenaError for a file that
        does not consist of lines."""
        until = monotonic() + seconds
        while self._behind():
            if not self._take():
                break
            if monotonic() >= until:
                return self._behind()
        self._fold(0)
        self._caught_up = True
        return False

    def records(self, numbers: Sequence[int]) -> list[MatchRecord]:
        """Return the matches whose lines begin at these bytes. Raises ArenaError if they are no longer there."""
        try:
            return [_RECORD_DECODER.decode(self._line(start)) for start in numbers]
        except DECODE_ERRORS as problem:
            raise ArenaError(f"{self.path} was changed in its middle while it was read: {problem}") from None

    def _line(self, start: int) -> bytes:
        line, wanted = b"", 1 << 12
        while b"\n" not in line and len(line) < LONGEST_LINE:
            if not (more := os.pread(self._file, wanted, start + len(line))):
                break
            line, wanted = line + more, 2 * wanted
        return line.partition(b"\n")[0]

    def _behind(self) -> bool:
        return self._seen != self.size if self._file >= 0 else False

    @property
    def _seen(self) -> int:
        return max(self.end, self._looked_at)

    _looked_at = 0
    """The byte up to which the file was read, including an incomplete line after ``end``."""

    def _take(self) -> bool:
        """Read some lines; return whether there was a complete one."""
        content = os.pread(self._file, SLICE_BYTES, self.end)
        while b"\n" not in content:
            more = os.pread(self._file, SLICE_BYTES, self.end + len(content))
            if not more:
                self._looked_at = self.end + len(content)
                return False
            content += more
            if len(content) > LONGEST_LINE:
                raise ArenaError(f"{self.path}: byte {self.end} begins a line of more than {LONGEST_LINE:,} bytes")
        lines = content[: content.rindex(b"\n")].split(b"\n")
        for line in lines:
            self._add(line)
            self.end += len(line) + 1
        return True

    def _add(self, line: bytes) -> None:
        try:
            found = _LINE_DECODER.decode(line)
            if self.folding is not None or any(seat.faults for seat in found.seats):
                record = _RECORD_DECODER.decode(line)
                self.faults.add_record(record)
                if self.folding is not None:
                    self._waiting.append(record)
                    self._fold(self.folding.together)
        except DECODE_ERRORS:
            self.unreadable += 1
            return
        self.columns.add(self.end, found)

    def _fold(self, least: int) -> None:
        """Add the waiting records to the standings, if there are at least ``least``."""
        if self.folding is not None and self._waiting and len(self._waiting) >= least:
            waiting, self._waiting = self._waiting, []
            self.folding.add(waiting)
