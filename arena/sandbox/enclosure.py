"""What a fork server does inside bubblewrap: it hides from bots everything that they may not read, including ``/proc``,
and gives each match its own process namespace.

Landlock does not restrict ``stat``, which reveals how many threads and descriptors other processes have (``/proc``),
how large the results of a run are, and what has been read. So a fork server creates its own root, which contains only
what bots may read, and attaches a bot's files to it when one of its processes is to become that bot.

The kernel numbers processes and threads in ascending order. In a namespace shared by matches, a bot could start a
chosen number of threads, so that the next pid carries a message; the next match would read it from the pids of its own
processes.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from stat import S_ISDIR

from arena.sandbox.calls import MACHINE, WaitingProcess, system_call
from arena.sandbox.numbers import BY_MACHINE

NEEDED_CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SYS_CHROOT")
"""The capabilities that bubblewrap must leave to the fork server, in the user namespace that it creates."""
NEW_PIDS = 0x20000000
NO_SETUID, NO_DEVICES, NO_ACCESS_TIMES = 2, 4, 1024
IN_ROOT, COPY_TREE, RECURSIVE_TREE, CLOSED_ON_EXEC, THE_DESCRIPTOR, FROM_DESCRIPTOR = (
    0x10,
    1,
    0x8000,
    0o2000000,
    0x1000,
    4,
)
CURRENT_FOLDER = -100
ROOT_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
ROOT_FILES = (*ROOT_DEVICES, "/etc/alternatives", "/etc/localtime")
"""The files in every root. The last two lead on to programs and time zones."""


class Enclosure:
    """A root for this process and those that it forks, which contains only the paths in ``visible`` and empty folders.
    Files outside can only be reached through descriptors that were opened before, and through ``outside``, the old
    root's descriptor. Raises OSError."""

    def __init__(self, visible: Iterable[str]) -> None:
        _, self._numbers = BY_MACHINE[MACHINE]
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self.outside = os.open("/", os.O_PATH | os.O_CLOEXEC)
        self._keepers: list[tuple[WaitingProcess, set[int]]] = []
        """The first process of each match's namespace, and the pids in it that have not been reaped."""
        flags = NO_SETUID | NO_DEVICES | NO_ACCESS_TIMES
        system_call(self._numbers["mount"], b"none", b"/proc", b"tmpfs", flags, b"size=1m,mode=755")
        for entry in os.scandir("/"):
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), f"/proc{entry.path}")
            elif entry.is_dir():
                os.mkdir(f"/proc{entry.path}", 0o755)
        os.chroot("/proc")
        os.chdir("/")
        for path in sorted({*ROOT_FILES, *visible}):  # folders before what is in them
            with suppress(FileNotFoundError):
                mount_from_outside(self.outside, path)

    @contextmanager
    def namespace(self, forked: list[int]) -> Iterator[None]:
        """Inside this context, children get pids in a namespace of their own. It lasts until all processes that are in
        ``forked`` at the end have been passed to :meth:`forget`. Raises OSError."""
        system_call(self._numbers["unshare"], NEW_PIDS)
        try:
            # the keeper makes sure that no bot's process is the first, which the kernel treats specially: it ignores
            # signals to that process for which it has no handler, and kills all others when it ends
            self._keepers.append((WaitingProcess(), pids := set[int]()))
            yield
            pids.update(forked)
        finally:
            system_call(self._numbers["setns"], self._own, NEW_PIDS)

    def forget(self, reaped: Collection[int]) -> None:
        """End the namespaces whose last processes have been reaped."""
        for each in list(self._keepers):
            keeper, pids = each
            pids.difference_update(reaped)
            if not pids:
                self._keepers.remove(each)
                keeper.end()


def mount_from_outside(outside: int, path: str) -> None:
    """Attach a file or folder from the old root, opened as ``outside``, at the same path, unless it is already there.
    Raises OSError."""
    with suppress(FileNotFoundError):
        if os.stat(path).st_dev != os.stat("/").st_dev:
            return
    _, numbers = BY_MACHINE[MACHINE]
    how = struct.pack("=QQQ", os.O_PATH | os.O_CLOEXEC, 0, IN_ROOT)  # links lead to where they led in the old root
    place = system_call(numbers["openat2"], outside, path.encode(), how, len(how))
    try:
        copied = COPY_TREE | RECURSIVE_TREE | CLOSED_ON_EXEC | THE_DESCRIPTOR
        copy, at = system_call(numbers["open_tree"], place, b"", copied), os.path.realpath(path)
        try:
            if S_ISDIR(os.fstat(place).st_mode):
                os.makedirs(at, exist_ok=True)
            else:
                os.makedirs(os.path.dirname(at), exist_ok=True)
                os.close(os.open(at, os.O_CREAT | os.O_RDONLY, 0o444))
            system_call(numbers["move_mount"], copy, b"", CURRENT_FOLDER, at.encode(), FROM_DESCRIPTOR)
        finally:
            os.close(copy)
    finally:
        os.close(place)
