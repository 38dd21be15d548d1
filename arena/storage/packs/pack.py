"""One pack, for reading: the frames of replays one after another, and the index beside it."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from arena.errors import ReplayError
from arena.foreign_files import files_in, open_descriptor, open_foreign_file
from arena.replay.frame import LARGEST_FRAME, MAGIC, id_of, length_of, unpack_replay
from arena.storage.packs.pack_index import PackEntry, PackIndex


def index_path(pack: Path) -> Path:
    """The path of a pack's index: 0000.index for 0000.zst."""
    return pack.with_suffix(".index")


def packs_in(folder: Path) -> list[Path]:
    """The packs in a folder by number, including those of which only the index exists."""
    found = [*files_in(folder, ".zst"), *files_in(folder, ".index")]
    numbers = {path.stem for path in found if path.name[0].isdecimal()}
    return [folder / f"{number}.zst" for number in sorted(numbers, key=lambda number: (len(number), number))]


class Pack:
    """Finds and reads the replays of one pack, which may still grow. Where its index is missing, the whole pack is read
    to find them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._index = PackIndex(index_path(path))

    def find(self, id: str) -> PackEntry | None:
        """The entry of a match's replay, or None. Raises ReplayError for a damaged index."""
        try:
            return self._index.find(id)
        except FileNotFoundError:
            return self._scanned.get(id)

    def has_replay(self, id: str) -> bool:
        """Whether the pack has a replay of the match."""
        try:
            return self._index.has_replay(id)
        except FileNotFoundError:
            return id in self._scanned

    def has_read(self, id: str) -> bool:
        """Whether the pack had a replay of the match when its index was last read; this reads no file."""
        return self._index.has_read(id)

    def entries(self) -> Iterator[PackEntry]:
        """The entries in the pack's order, for each id only the last. Raises ReplayError for a damaged index."""
        if self._index.path.exists():
            return self._index.latest_entries()
        return iter(self._scanned.values())

    def read(self, entry: PackEntry) -> bytes:
        """The replay at an entry. Raises ReplayError where it is damaged or belongs to another match."""
        replay = unpack_replay(self.frame(entry))
        if (id := id_of(replay)) != entry.id:
            raise ReplayError(f"{self.path}: at byte {entry.offset} is the replay of {id}, expected that of {entry.id}")
        return replay

    def frame(self, entry: PackEntry) -> bytes:
        """The compressed bytes of an entry. Raises ReplayError where the pack is missing or ends before them."""
        if entry.length > LARGEST_FRAME:
            raise ReplayError(
                f"{self.path}: the replay of {entry.id} takes {entry.length:,} bytes, too many for one replay"
            )
        try:
            with open(open_descriptor(self.path), "rb", buffering=0) as file:
                file.seek(entry.offset)
                frame = file.read(entry.length)
        except OSError as problem:
            raise ReplayError(f"{self.path}: {problem.strerror or problem}") from None
        if len(frame) != entry.length:
            raise ReplayError(f"{self.path} ends before the replay of {entry.id} does, at byte {entry.end}")
        return frame

    @cached_property
    def _scanned(self) -> dict[str, PackEntry]:
        return {entry.id: entry for entry in scan_frames(self.path)}


def scan_frames(path: Path, start: int = 0) -> Iterator[PackEntry]:
    """The complete and undamaged frames of a pack from byte ``start``, found by reading the pack itself, without its
    index."""
    if not path.exists() or path.stat().st_size <= start:
        return
    with open_foreign_file(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        at = content.find(MAGIC, start)
        while at >= 0:
            entry = _entry_at(content, at)
            if entry is not None:
                yield entry
            at = content.find(MAGIC, at + 1 if entry is None else entry.end)


def _entry_at(content: mmap.mmap, at: int) -> PackEntry | None:
    with memoryview(content) as whole, whole[at : at + LARGEST_FRAME] as rest:
        length = length_of(rest)
    if length is None:
        return None
    try:
        id = id_of(unpack_replay(content[at : at + length]))
    except ReplayError:
        return None
    return None if id is None else PackEntry(at, length, id)
