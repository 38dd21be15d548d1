"""Groups of processes with a common memory limit enforced by the kernel (``man 7 cgroups``): one for each bot and each
build.

A group belongs to its creator, so arena creates groups only in a folder that was delegated to it: the one that
``ARENA_CGROUP`` names, or that of its own group where systemd has delegated this (``Delegate=yes``). In version 2 a
group with subgroups must have no processes; so the processes of a delegated group move to a subgroup.

A new process gets a descriptor by which it enters its group itself. That also works inside bubblewrap, where no group
can be written to, and whatever its pid is there.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count

GROUP_VARIABLE = "ARENA_CGROUP"
MOUNT_FOLDER = "/sys/fs/cgroup"
GROUP_PREFIX, ARENA_GROUP = "arena-", "arena-itself"
SPARE_BYTES = 32 << 20
"""How many bytes a group's limit is above that of its process, for the kernel's own needs: so that the process's limit
is reached first, as it is without a group."""
KILL_COUNT = "oom_kill "
_numbers = count()


class MemoryGroup:
    """A group below the folder ``parent``, whose processes may hold ``memory`` bytes together; the kernel kills them
    when they hold more. The caller must close it. Raises OSError."""

    def __init__(self, parent: str, memory: int) -> None:
        self.folder = f"{parent}/{GROUP_PREFIX}{os.getpid()}-{next(_numbers)}"
        os.mkdir(self.folder)
        try:
            if os.path.exists(f"{self.folder}/memory.max"):
                self._events = f"{self.folder}/memory.events"
                limits = {"memory.max": memory}
                extras = {"memory.swap.max": 0, "memory.oom.group": 1}
            else:
                self._events = f"{self.folder}/memory.oom_control"
                limits = {"memory.limit_in_bytes": memory}
                extras = {"memory.memsw.limit_in_bytes": memory}
            for name, value in limits.items():
                _write_text(f"{self.folder}/{name}", str(value))
            for name, value in extras.items():
                with suppress(OSError):  # not every kernel has these
                    _write_text(f"{self.folder}/{name}", str(value))
            self._killed = self._kills()
            self.entry = os.open(f"{self.folder}/cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            os.rmdir(self.folder)
            raise

    def ran_out(self) -> bool:
        """Whether the kernel has killed a process of this group for its memory since the last call."""
        before, self._killed = self._killed, self._kills()
        return self._killed > before

    def _kills(self) -> int:
        _, _, rest = _read_text(self._events).partition(KILL_COUNT)
        return int(rest.split()[0]) if rest else 0

    def is_empty(self) -> bool:
        """Whether no process is left in the group."""
        return not _read_text(f"{self.folder}/cgroup.procs").strip()

    def close(self) -> None:
        """Remove the group, unless processes are left in it."""
        os.close(self.entry)
        with suppress(OSError):
            os.rmdir(self.folder)


def enter_group(entry: int) -> None:
    """Move this process to the group with this descriptor. Raises OSError."""
    os.write(entry, b"0")


def folder_of_groups() -> str:
    """The folder in which arena may create groups that limit memory, prepared for that. Raises OSError, with the
    reason, where there is none."""
    if named := os.environ.get(GROUP_VARIABLE, ""):
        folder = os.path.abspath(named)
        _prepare_group(folder, moves=False)
    else:
        folder = _handed_over()
        _prepare_group(folder, moves=True)
    _sweep(folder)
    return folder


def _handed_over() -> str:
    """The folder of this process's own group, or of its parent group if this process has moved itself."""
    lines = _read_text("/proc/self/cgroup").splitlines()
    path = next((line[3:] for line in lines if line.startswith("0::")), "/")
    own = os.path.normpath(MOUNT_FOLDER + path)
    for folder in (own, os.path.dirname(own)) if os.path.basename(own) == ARENA_GROUP else (own,):
        for name in ("user.delegate", "trusted.delegate"):
            with suppress(OSError):
                if os.getxattr(folder, name) == b"1":
                    return folder
    raise OSError(f"arena has no control group for bots, and {GROUP_VARIABLE} names none")


def _prepare_group(folder: str, moves: bool) -> None:
    """Make groups below this one limit memory. With ``moves`` this group's own processes move to a subgroup for
    that."""
    if os.path.exists(f"{folder}/memory.limit_in_bytes"):  # version 1
        return
    try:
        if "memory" not in _read_text(f"{folder}/cgroup.controllers").split():
            raise OSError(f"{folder} does not limit memory")
        if "memory" in _read_text(f"{folder}/cgroup.subtree_control").split():
            return
    except FileNotFoundError:
        raise OSError(f"{folder} is no group that limits memory") from None
    if moves:
        below = f"{folder}/{ARENA_GROUP}"
        os.makedirs(below, exist_ok=True)
        for pid in _read_text(f"{folder}/cgroup.procs").split():
            with suppress(ProcessLookupError):
                _write_text(f"{below}/cgroup.procs", pid)
    _write_text(f"{folder}/cgroup.subtree_control", "+memory")


def _sweep(folder: str) -> None:
    """Remove groups whose creators were killed before they could remove them."""
    for name in os.listdir(folder):
        maker = name.removeprefix(GROUP_PREFIX).partition("-")[0]
        if name.startswith(GROUP_PREFIX) and maker.isdecimal() and not os.path.exists(f"/proc/{maker}"):
            with suppress(OSError):
                os.rmdir(f"{folder}/{name}")


def _read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _write_text(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
