"""What a fork server can do inside bubblewrap: it gives each match a process namespace of its own, and takes ``/proc``
away from bots.

The kernel counts processes and threads up. In a namespace that matches share, a bot could start as many threads as it
takes to make the next pid mean something; the next match would find the pids of its processes there. And ``stat`` of
``/proc``, which Landlock does not restrict, tells how many threads and descriptors other processes have.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NoReturn

from arena.sandbox.calls import MACHINE, call
from arena.sandbox.numbers import BY_MACHINE
from arena.sandbox.parent import die_with

NEW_PIDS = 0x20000000
READ_ONLY, NO_SETUID, NO_DEVICES, NO_PROGRAMS = 1, 2, 4, 8
NEEDED = ("CAP_SYS_ADMIN",)
"""The capabilities that bubblewrap has to leave to the fork server, in the user namespace that it makes."""


class Enclosure:
    """The means to give matches namespaces, and ``/proc`` covered by an empty folder for this process and those that it
    forks. Only descriptors that were opened before still lead to ``/proc``. Raises OSError."""

    def __init__(self) -> None:
        _, self._numbers = BY_MACHINE[MACHINE]
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        flags = READ_ONLY | NO_SETUID | NO_DEVICES | NO_PROGRAMS
        call(self._numbers["mount"], b"none", b"/proc", b"tmpfs", flags, b"size=4k,mode=555")
        self._keepers: dict[int, set[int]] = {}

    @contextmanager
    def namespace(self, forked: list[int]) -> Iterator[None]:
        """While inside, children get pids in a namespace of their own. It lasts until all that are ``forked`` at the
        end are :meth:`forget`-ten. Raises OSError."""
        call(self._numbers["unshare"], NEW_PIDS)
        try:
            keeper = _fork_keeper()
            self._keepers[keeper] = set()
            yield
            self._keepers[keeper].update(forked)
        finally:
            call(self._numbers["setns"], self._own, NEW_PIDS)

    def forget(self, reaped: Collection[int]) -> None:
        """End the namespaces whose last processes have been reaped."""
        for keeper, pids in list(self._keepers.items()):
            pids.difference_update(reaped)
            if not pids:
                del self._keepers[keeper]
                os.kill(keeper, signal.SIGKILL)
                os.waitpid(keeper, 0)


def _fork_keeper() -> int:
    """The first process of a new namespace, which ends with it. It does nothing, so that bots' processes are not the
    first: the kernel ignores signals to that one for which it has no handler, and kills all others when it ends."""
    keeper = os.fork()
    if keeper == 0:
        _keep()
    return keeper


def _keep() -> NoReturn:
    try:
        os.closerange(0, 65_536)
        die_with(0)  # the number of a parent outside of the namespace
        while True:
            signal.pause()
    finally:
        os._exit(0)
