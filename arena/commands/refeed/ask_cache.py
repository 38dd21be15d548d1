"""Caches the asks of seats in recorded matches in the user's cache folder, so that they can be put to a bot again at
once.

Everything in the folder can be recomputed: it may be deleted at any time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import time

from arena.foreign_files import read_foreign_file
from arena.storage.files.atomic_files import write_whole

CACHE_VARIABLE = "ARENA_CACHE"
"""The environment variable with the path of the cache folder; if empty, nothing is cached."""
KEPT_FOR = 30 * 24 * 3600.0
"""An entry that was not used for this number of seconds is deleted."""


class FolderAskCache:
    """Implements :class:`arena.match.walk.recorded_asks.AskCache` with files below ``folder``. If the folder cannot be
    written, nothing is cached."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """The entry with this key; None if there is none."""
        path = self._path(key)
        try:
            content = read_foreign_file(path, own=True)
            os.utime(path)
        except OSError:
            return None
        return content

    def store_asks(self, key: str, content: bytes) -> None:
        """Store an entry under this key."""
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content, durable=False)

    def forget_unused(self, now: float | None = None) -> None:
        """Delete what was not used for a month."""
        oldest = (time() if now is None else now) - KEPT_FOR
        for path in self.folder.glob("??/*"):
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key


def users_shelf() -> FolderAskCache | None:
    """The user's cache: the folder ``asks`` in ``$ARENA_CACHE``, or else in the user's cache folder (XDG); None if
    there is none."""
    named = os.environ.get(CACHE_VARIABLE)
    if named is not None:
        return FolderAskCache(Path(named) / "asks") if named else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    except RuntimeError:
        return None
    return FolderAskCache(home / "arena" / "asks")
