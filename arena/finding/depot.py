"""Copies of bots' files on this machine, for the matches played on it: private, read-only, one for each digest.

So editing a bot during a run does not change the run, a bot finds in its folder only its own files, and a bot from
another machine is unpacked like a local one.

A killed process leaves its copies behind. The next process that makes copies removes them: a lock, which the kernel
releases at the end of a process, shows that they are no longer used.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.errors import BotError, UserError
from arena.finding.reference import BotRef, digest_of_module
from arena.foreign_files import open_descriptor
from arena.resources import bundled_folder

DEPOT_PREFIX, DEPOT_LOCK = "arena-bots-", "lock"
READ_ONLY, READ_AND_RUN = 0o444, 0o555
ACCESS_AHEAD = 10 * 365 * 86_400
"""By how many seconds the time of last access is set into the future. File systems record the first reading after a
change, and one a day (``relatime``); with a future time they record none, so that a match cannot see what another has
read."""


class BotCopies:
    """The copies that one executor makes, in a temporary folder. Its creator must close it."""

    def __init__(self) -> None:
        self._root = ""
        self._lock = -1
        self._folders: dict[tuple[str, str], str] = {}

    def place(self, ref: BotRef) -> BotRef:
        """The same bot with its files unpacked on this machine. Raises UserError."""
        if ref.module:
            _check_module(ref)
        if not (ref.files or ref.bundled):
            return ref
        key = ref.sha256, ref.file
        if key not in self._folders:
            self._folders[key] = _bundled_folder(ref) if ref.bundled else self._unpack(ref)
        return msgspec.structs.replace(ref, files=(), folder=self._folders[key])

    def _unpack(self, ref: BotRef) -> str:
        """Unpack the bot's files; returns their folder."""
        try:
            if not self._root:
                self._begin()
            folder = Path(self._root, f"{len(self._folders)}-{ref.sha256[:12]}")
            for file in ref.files:
                path = folder / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
                path.chmod(READ_AND_RUN if file.executable else READ_ONLY)
            for place, _, names in os.walk(folder, topdown=False):
                os.chmod(place, READ_AND_RUN)
                for each in (*(os.path.join(place, name) for name in names), place):
                    os.utime(each, (time.time() + ACCESS_AHEAD, os.stat(each).st_mtime))
        except OSError as problem:
            raise UserError(
                f"the files of {ref.name} cannot be copied to {self._root or tempfile.gettempdir()}: "
                f"{problem.strerror}; TMPDIR names another folder for them"
            ) from None
        if ref.command and ref.command[0].own and not os.access(folder / ref.command[0].text, os.X_OK):
            raise UserError(
                f"no program can be run in {self._root} (mounted noexec?), where bots' files are copied to; "
                "TMPDIR names another folder for them"
            )
        return str(folder)

    def _begin(self) -> None:
        """Create a folder for the copies, and remove those that killed processes have left."""
        for name in os.listdir(tempfile.gettempdir()):
            if name.startswith(DEPOT_PREFIX):
                _remove_unused(os.path.join(tempfile.gettempdir(), name))
        while not os.path.isdir(self._root):  # another process may have taken it for unused before it was locked
            self._root = tempfile.mkdtemp(prefix=DEPOT_PREFIX)
            self._lock = open_descriptor(
                os.path.join(self._root, DEPOT_LOCK), os.O_WRONLY | os.O_CREAT | os.O_EXCL, own=True
            )
            fcntl.flock(self._lock, fcntl.LOCK_SH)

    def close(self) -> None:
        """Remove all copies."""
        root, self._root = self._root, ""
        self._folders.clear()
        if root:
            _remove_folder(root)
            os.close(self._lock)

    def __enter__(self) -> BotCopies:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _remove_unused(root: str) -> None:
    """Remove the copies of a process that is gone. A folder without a lock is just being created; one that others can
    write to may contain anything, and is left as it is."""
    with suppress(OSError):
        if not _is_private(os.lstat(root)):
            return
        lock = open_descriptor(os.path.join(root, DEPOT_LOCK), os.O_WRONLY, own=True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_folder(root)
        finally:
            os.close(lock)


def _is_private(status: os.stat_result) -> bool:
    """Whether this is a real folder, not a link, in which only this user can write."""
    writable = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not writable


def _remove_folder(root: str) -> None:
    """Remove a folder with read-only contents."""
    for place, _, _ in os.walk(root):
        with suppress(OSError):
            os.chmod(place, 0o700)
    shutil.rmtree(root, ignore_errors=True)


def _check_module(ref: BotRef) -> None:
    if digest_of_module(ref.module) != ref.sha256:
        raise BotError(f"module {ref.module} differs from the one with which this run began")


def _bundled_folder(ref: BotRef) -> str:
    """The folder of a bundled bot on this machine."""
    folder = bundled_folder("bots").absolute()
    if sha256((folder / ref.file).read_bytes()).hexdigest() != ref.sha256:
        raise BotError(f"the bundled bot {ref.name} differs on this machine; install the same version of arena")
    return str(folder)
