"""Adds frames to the packs of a run, each followed by its line in the index."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from arena.storage.files.append_file import AppendFile
from arena.storage.packs.pack import index_path, packs_in
from arena.storage.packs.pack_index import PackEntry

PACK_BYTES = 1 << 30
"""Bytes from which on a pack is full, and the next one is begun."""


class PackWriter:
    """Adds replays to the last pack in a folder, behind what is there. No file is made before the first replay."""

    def __init__(self, folder: Path, largest: int = PACK_BYTES) -> None:
        self.folder, self.largest = folder, largest
        self._pack: AppendFile | None = None
        self._index: AppendFile | None = None

    def add(self, id: str, frame: bytes) -> None:
        """Add the frame of a match's replay, and then its line in the index. Raises OSError where there is no room."""
        if self._pack is not None and self._pack.size >= self.largest:
            self.sync()
            self.close()
        if self._pack is None or self._index is None:
            self._pack, self._index = self._open()
        entry = PackEntry(self._pack.size, len(frame), id)
        self._pack.add(frame)
        self._index.add(entry.line)

    def sync(self) -> None:
        """Wait until all frames would survive a power cut, and then their index."""
        for file in (self._pack, self._index):
            if file is not None:
                file.sync()

    def check(self, shown: Path) -> None:
        """Raise ArenaError where the files, in a folder that is ``shown`` so, are not what they were."""
        for file in (self._pack, self._index):
            if file is not None:
                file.check(shown / file.path.name)

    def close(self) -> None:
        """Close the files; adding opens them again."""
        for file in (self._pack, self._index):
            if file is not None:
                file.close()
        self._pack = self._index = None

    def _open(self) -> tuple[AppendFile, AppendFile]:
        """The last pack and its index, or the next ones where it is full."""
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
    """Have the names of new files survive a power cut too, where the file system knows of such a thing."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
