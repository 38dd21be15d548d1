"""The user's folder of what seats of recorded matches were asked, so that who is asked again is asked at once.

Everything in it can be made again: it may be deleted at any time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import time

from arena.foreign_files import read_foreign_file
from arena.storage.files.atomic_files import write_whole

CACHE_VARIABLE = "ARENA_CACHE"
"""The environment variable that names the folder of what can be made again; empty: nothing is kept."""
KEPT_FOR = 30 * 24 * 3600.0
"""Seconds since it was last used after which what is kept is deleted."""


class FolderAskCache:
    """Implements :class:`arena.match.walk.recorded_asks.AskCache` by files below ``folder``. Where nothing can be
    written, nothing is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """What was kept under this key."""
        path = self._path(key)
        try:
            content = read_foreign_file(path, own=True)
            os.utime(path)
        except OSError:
            return None
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep it."""
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
    """That of this user, ``asks`` in ``$ARENA_CACHE`` or else in the user's cache folder (XDG); None where there is
    none."""
    named = os.environ.get(CACHE_VARIABLE)
    if named is not None:
        return FolderAskCache(Path(named) / "asks") if named else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    except RuntimeError:
        return None
    return FolderAskCache(home / "arena" / "asks")
