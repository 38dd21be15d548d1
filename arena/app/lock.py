"""The lock on a run's folder: one process at a time writes there."""

from __future__ import annotations

import fcntl
import logging
import os
from pathlib import Path

from arena.errors import UserError

log = logging.getLogger(__name__)

_HELD: set[int] = set()
"""The open locks of this process: whatever it forks closes them, for a lock lasts until its last holder closes it."""


class FolderLock:
    """Locks the file at ``path``. The kernel releases it when this process ends, however it ends; the file stays."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def take(self, folder: Path) -> None:
        """Lock it, for this process. Raises UserError, naming the ``folder``, where another process has it."""
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            who = f" (process {holder})" if holder else ""
            problem = f"{folder}: another arena{who} is playing this run; wait until it ends, or stop it"
            raise UserError(problem) from None
        except OSError as problem:
            log.warning("%s cannot be locked: %s", self.path, problem)  # a file system that has no locks
        os.truncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)
        _HELD.add(self._file)

    def release(self) -> None:
        """Unlock it."""
        _HELD.discard(self._file)
        os.close(self._file)


def _forget() -> None:
    """In a forked process: leave the locks to the one that took them."""
    while _HELD:
        os.close(_HELD.pop())


os.register_at_fork(after_in_child=_forget)
