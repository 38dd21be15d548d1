"""The index of a pack: a line for each frame, with its position, its length and the id of its match.

    OFFSET LENGTH ID

in bytes, in the order of the frames. Lines are only appended, each after its frame; where an id occurs twice, the later
line counts.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import NamedTuple

from arena.errors import ReplayError
from arena.foreign_files import lines_in, open_foreign_file, read_foreign_file

SCANNED_IDS = 8
"""How many ids are searched for in the file itself, before the whole file is read into a table."""
FRESH_ENTRIES = 50_000
"""How many new entries are held apart from the table before they are sorted into it."""
CHUNK_LINES = 1 << 14
"""How many lines of an index are processed together."""
LONGEST_LINE_BYTES = 1 << 12
"""The maximum length of a line in bytes: an id is a path."""
LARGEST_INDEX = 1 << 30
"""The maximum size of an index in bytes: some ten million matches."""
_NO_STATUS = (-1, 0, 0)
_HASH_MASK, _START_BITS = (1 << 64) - 1, 40


class PackEntry(NamedTuple):
    """A frame of a pack: its offset and length in bytes, and the id of its match."""

    offset: int
    length: int
    id: str

    @property
    def end(self) -> int:
        """Where the next frame can begin."""
        return self.offset + self.length

    @property
    def line(self) -> bytes:
        """The entry as a line of the index."""
        return f"{self.offset} {self.length} {self.id}\n".encode()


def entry_in(line: bytes) -> PackEntry:
    """Parse a line of an index. Raises ValueError for anything that is no entry."""
    offset, length, id = line.rstrip(b"\n").split(b" ", 2)
    entry = PackEntry(int(offset), int(length), id.decode())
    if not 0 <= entry.offset < 1 << 62 or not 0 < entry.length < 1 << 62 or entry.line != line:
        raise ValueError(line)
    return entry


def index_entries(path: Path, start: int = 0) -> Iterator[PackEntry]:
    """The entries of an index from byte ``start``. An incomplete last line, which is still being written, is skipped.
    Raises ReplayError, naming the place, for a line that is no entry."""
    with open_foreign_file(path) as file:
        file.seek(start)
        while (line := file.readline(LONGEST_LINE_BYTES)).endswith(b"\n"):
            yield _parse_entry(path, line, start)
            start += len(line)
        if len(line) == LONGEST_LINE_BYTES:
            _parse_entry(path, line, start)


def _parse_entry(path: Path, line: bytes, start: int) -> PackEntry:
    try:
        return entry_in(line)
    except ValueError:
        problem = f"{path}: at byte {start}: expected OFFSET LENGTH ID, got {line[:60]!r}"
        raise ReplayError(f"{problem}; without this file everything is read from the pack itself") from None


def last_entries(path: Path, size: int) -> tuple[int, list[PackEntry]]:
    """The entries in about the last ``size`` bytes of an index, and the byte at which the first of them begins. Raises
    as :func:`index_entries` does."""
    with open_foreign_file(path) as file:
        start = max(0, file.seek(0, os.SEEK_END) - size)
        file.seek(start)
        start += len(file.readline(size)) if start else 0
    return start, list(index_entries(path, start))


class PackIndex:
    """Finds the entries of a pack by id, also while lines are added or the file is replaced.

    The first few ids are searched for in the file; after that the whole file is read into a table, which stays in
    memory: 16 bytes an entry.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._asked = 0
        self._seen = _NO_STATUS
        self._forget()

    def find(self, id: str) -> PackEntry | None:
        """The last entry with this id. Raises ReplayError where its line is damaged, OSError where the file is gone."""
        self._asked += 1
        if self._asked <= SCANNED_IDS and not self._read:
            return _search_index(self.path, id)
        self._catch_up()
        start = self._start(id)
        entry = None if start is None else next(index_entries(self.path, start), None)
        return entry if entry is not None and entry.id == id else None

    def has_replay(self, id: str) -> bool:
        """Whether there is an entry with this id. Once the table exists, this reads no line of the file."""
        self._catch_up()
        return self._start(id) is not None

    def has_read(self, id: str) -> bool:
        """Whether an entry with this id has been read already; this does not look at the file."""
        return self._start(id) is not None

    def latest_entries(self) -> Iterator[PackEntry]:
        """The entries in their order, for each id only the last. Raises as :func:`index_entries` does."""
        self._catch_up()
        start = 0
        for entry in index_entries(self.path):
            if start == self._read:
                return
            if self._start(entry.id) == start:
                yield entry
            start += len(entry.line)

    def _start(self, id: str) -> int | None:
        """The byte at which the last line with this id begins. Ids are distinguished by a 64-bit hash."""
        wanted = hash(f"{id}\n".encode()) & _HASH_MASK
        if (fresh := self._fresh.get(wanted)) is not None:
            return fresh
        place = bisect_right(self._hashes, wanted) - 1
        return self._starts[place] if place >= 0 and self._hashes[place] == wanted else None

    def _catch_up(self) -> None:
        """Read the lines added since the last time, or all lines where the file was replaced."""
        now = os.stat(self.path)
        seen = (now.st_ino, now.st_size, now.st_mtime_ns)
        if seen == self._seen:
            return
        if now.st_ino != self._seen[0] or now.st_size <= self._seen[1]:
            self._forget()
        self._take_in()
        self._seen = seen

    def _forget(self) -> None:
        """Discard everything that was read."""
        self._seen = _NO_STATUS
        self._read = 0
        self._fresh: dict[int, int] = {}
        self._hashes, self._starts = array("Q"), array("Q")

    def _take_in(self) -> None:
        """Read the lines behind those that are known. An incomplete last line is left for the next time."""
        hashes, starts = array("Q"), array("Q")
        with open_foreign_file(self.path) as file:
            file.seek(self._read)
            every = lines_in(file, self.path)
            while some := list(islice(every, CHUNK_LINES)):
                hashes.extend([hash(line.split(b" ", 2)[-1] + b"\n") & _HASH_MASK for line in some])
                starts.extend(accumulate([len(line) + 1 for line in some], initial=self._read))
                self._read = starts.pop()
        if len(hashes) + len(self._fresh) <= FRESH_ENTRIES:
            self._fresh.update(zip(hashes, starts, strict=True))
        else:
            self._sort(hashes, starts)

    def _sort(self, hashes: array[int], starts: array[int]) -> None:
        """Merge these hashes and starts into the table, sorted by hash; entries with equal hashes stay in the order of
        their lines."""
        known = chain(zip(self._hashes, self._starts, strict=True), self._fresh.items())
        pairs = sorted(
            [hashed << _START_BITS | start for hashed, start in chain(known, zip(hashes, starts, strict=True))]
        )
        self._fresh = {}
        self._hashes = array("Q", (pair >> _START_BITS for pair in pairs))
        self._starts = array("Q", (pair & (1 << _START_BITS) - 1 for pair in pairs))


def _search_index(path: Path, id: str) -> PackEntry | None:
    """The last entry with this id, found by reading the whole file."""
    content, wanted, found = read_foreign_file(path, LARGEST_INDEX), f" {id}\n".encode(), None
    at = content.find(wanted)
    while at >= 0:
        entry = _parse_entry(path, content[(start := content.rfind(b"\n", 0, at) + 1) : at + len(wanted)], start)
        found = entry if entry.id == id else found  # of an id with a space in it, this may be the end
        at = content.find(wanted, at + 1)
    return found
