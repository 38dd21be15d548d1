"""Appends frames to the packs of a run, each followed by its line in the index."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from arena.storage.files.append_file import AppendFile
from arena.storage.packs.pack import index_path, packs_in
from arena.storage.packs.pack_index import PackEntry

PACK_BYTES = 1 << 30
"""The size in bytes at which a pack is full and the next one is started."""


class PackWriter:
    """Appends replays to the last pack in a folder. No file is created before the first replay."""

    def __init__(self, folder: Path, largest: int = PACK_BYTES) -> None:
        self.folder, self.largest = folder, largest
        self._pack: AppendFile | None = None
        self._index: AppendFile | None = None

    def add(self, id: str, frame: bytes) -> None:
        """Append the frame of a match's replay, and then its index line. Raises OSError where there is no room."""
        if self._pack is not None and self._pack.size >= self.largest:
            self.sync()
            self.close()
        if self._pack is None or self._index is None:
            self._pack, self._index = self._open()
        entry = PackEntry(self._pack.size, len(frame), id)
        self._pack.add(frame)
        self._index.add(entry.line)

    def sync(self) -> None:
        """Flush all frames to disk, and then their index, so that they survive a power cut."""
        for file in (self._pack, self._index):
            if file is not None:
                file.sync()

    def check(self, shown: Path) -> None:
        """Raise ArenaError where the pack or its index was moved or changed; ``shown`` is how the message calls their
        folder."""
        for file in (self._pack, self._index):
            if file is not None:
                file.check(shown / file.path.name)

    def close(self) -> None:
        """Close the files; :meth:`add` opens them again."""
        for file in (self._pack, self._index):
            if file is not None:
                file.close()
        self._pack = self._index = None

    def _open(self) -> tuple[AppendFile, AppendFile]:
        """The last pack and its index, opened, or the next ones where it is full."""
        self.folder.mkdir(parents=True, exist_ok=True)
        found = packs_in(self.folder)
        path = found[-1] if found else self.folder / "0000.zst"
        if path.exists() and path.stat().st_size >= self.largest:
            path = path.with_name(f"{int(path.stem) + 1:04}.zst")
        pack = AppendFile(path)
        try:
            index = AppendFile(index_path(path))
        except OSError:
            pack.close()
            raise
        _sync_folder(self.folder)
        return pack, index


def _sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, so that the names of new files survive a power cut, where the file system
    supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
