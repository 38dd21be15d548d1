"""The lock on a run's folder: one process at a time writes there."""

from __future__ import annotations

import fcntl
import logging
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import UnsafeFile, UserError
from arena.foreign_files import open_descriptor
from arena.system.platform_support import process_runs

log = logging.getLogger(__name__)

LOOKED_AT = 0.2
"""Seconds for which taking a lock is retried: a process that only checks a lock shares it for a moment."""
_HELD_LOCKS: set[int] = set()
"""The lock files that this process holds open. Forked processes close them, because a lock lasts until its last holder
closes it."""


class FolderLock:
    """Locks the file at ``path``. The kernel releases it when this process ends, however it ends; the file stays."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def take(self, folder: Path, doing: str = "playing this run", wait: bool = False) -> None:
        """Lock the file for this process; with ``wait``, wait until nobody else holds the lock. Raises UserError where
        another process holds it; the message names the ``folder`` and what is being done there (``doing``)."""
        self._file = open_descriptor(self.path, os.O_RDWR | os.O_CREAT)
        try:
            self._lock(math.inf if wait else time.monotonic() + LOOKED_AT)
        except BlockingIOError:
            problem = _lock_refusal(self._file, folder, doing)
            os.close(self._file)
            raise problem from None
        except OSError as problem:
            log.warning("%s cannot be locked: %s", self.path, problem)  # a file system that has no locks
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)
        _HELD_LOCKS.add(self._file)

    def _lock(self, until: float) -> None:
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise
                time.sleep(LOOKED_AT / 10)

    def holder(self) -> int | None:
        """The id of the process that holds the lock, 0 if unknown; None where no process holds it."""
        try:
            file = open_descriptor(self.path)
        except FileNotFoundError:
            return None
        try:
            said = os.read(file, 20).strip()
            number = int(said) if said.isdigit() else 0
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return number
            except OSError:  # a file system that has no locks
                return number if number and process_runs(number) else None
            return None
        finally:
            os.close(file)

    def release(self) -> None:
        """Release the lock."""
        _HELD_LOCKS.discard(self._file)
        os.close(self._file)


@contextmanager
def not_written_to(path: Path, folder: Path) -> Iterator[None]:
    """Keep others from taking the lock file at ``path`` while the run in ``folder`` is read. Raises UserError where a
    process holds the lock. Without a lock file, as in a copy of a folder, nobody writes there."""
    try:
        file = open_descriptor(path)
    except UnsafeFile:
        raise
    except OSError:
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        problem = _lock_refusal(file, folder, "playing this run")
        os.close(file)
        raise problem from None
    except OSError as problem:
        log.warning("%s cannot be locked: %s", path, problem)
    _HELD_LOCKS.add(file)
    try:
        yield
    finally:
        _HELD_LOCKS.discard(file)
        os.close(file)


def _lock_refusal(file: int, folder: Path, doing: str) -> UserError:
    """The error for a lock that another process holds."""
    holder = os.read(file, 20).decode("ascii", "replace").strip()
    who = f" (process {holder})" if holder else ""
    return UserError(f"{folder}: another arena{who} is {doing}; wait until it ends, or stop it")


def _forget_locks() -> None:
    """In a forked process: close the inherited locks, which belong to the parent."""
    while _HELD_LOCKS:
        os.close(_HELD_LOCKS.pop())


os.register_at_fork(after_in_child=_forget_locks)
