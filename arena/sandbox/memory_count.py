"""The memory, threads and deleted open files of processes, according to ``/proc``.

Callers that watch processes read this repeatedly. Memory counts pages in memory or swapped out, and page tables: by
reading one page here and there a process could fill these tables, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from stat import S_ISFIFO, S_ISREG, S_ISSOCK
from typing import NamedTuple

PAGE_BYTES = os.sysconf("SC_PAGESIZE")
OF_A_PIPE, OF_A_SOCKET = 1 << 16, 1 << 18
"""The maximum bytes in a pipe and in a socket, as long as processes may not enlarge them."""


class Status(NamedTuple):
    """The resources of one process: bytes of memory, how many of these are shared and lie in no file on disk, and
    threads."""

    memory: int
    shared: int
    threads: int


EMPTY_STATUS = Status(0, 0, 0)


class MemoryInUse(NamedTuple):
    """The resources of several processes together: their pids, bytes of memory, and bytes on disk in files that have no
    name any more."""

    pids: tuple[int, ...]
    memory: int
    nameless: int


def open_proc() -> int:
    """Open the folder ``/proc``; returns its descriptor, -1 on systems that have none."""
    try:
        return os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return -1


def process_status(proc: int, pid: int) -> Status:
    """The resources of the process; zeros if it is gone. ``proc`` is the descriptor of the folder ``/proc``."""
    try:
        text = _read_proc(proc, f"{pid}/status")
    except OSError:
        return EMPTY_STATUS
    resident, swapped, tables = (_number_after(text, name) for name in (b"\nVmRSS:", b"\nVmSwap:", b"\nVmPTE:"))
    memory = resident + swapped + tables
    return Status(memory << 10, _number_after(text, b"\nRssShmem:") << 10, _number_after(text, b"\nThreads:"))


def _read_proc(folder: int, path: str) -> bytes:
    """The beginning of a file of ``/proc``."""
    file = os.open(path, os.O_RDONLY, dir_fd=folder)
    try:
        return os.read(file, 1 << 14)
    finally:
        os.close(file)


def _number_after(text: bytes, name: bytes) -> int:
    """The number after this name; 0 where there is none, as in a process that has ended."""
    _, _, rest = text.partition(name)
    return int(rest.split(None, 1)[0]) if rest else 0


def descendants(proc: int, process: int) -> tuple[int, ...]:
    """All descendants of this process."""
    parents = dict(_parents(proc))
    found = {process}
    while more := {pid for pid, parent in parents.items() if parent in found and pid not in found}:
        found |= more
    return tuple(sorted(found - {process}))


def held_below(proc: int, process: int, mapped: bool) -> MemoryInUse:
    """The resources of all descendants of this process (see :func:`_sum_held`)."""
    pids = descendants(proc, process)
    return _sum_held(proc, pids, [process_status(proc, pid) for pid in pids], mapped)


def held_with_children(proc: int, process: int) -> MemoryInUse:
    """The resources of this process and of its descendants whose parents still run. Memory that they share because one
    forked another is divided among them where the system tells."""
    pids = [process]
    for pid in pids:
        pids += _children(proc, pid)
    found = [process_status(proc, pid) for pid in pids]
    if len(pids) > 1:
        found = [_proportional_status(proc, pid, whole) for pid, whole in zip(pids, found, strict=True)]
    return _sum_held(proc, tuple(pids), found, True)


def _sum_held(proc: int, pids: tuple[int, ...], found: list[Status], mapped: bool) -> MemoryInUse:
    """The resources of these processes. Files without a name and memory that is shared without a file on disk count
    once and in full, however little of them is mapped. Those that are mapped but no longer open count only if
    ``mapped`` is true; the system shows them to root alone."""
    shared, nameless, queued = dict[tuple[int, int], int](), dict[tuple[int, int], int](), dict[tuple[int, int], int]()
    for pid in pids:
        for state in _open_files(proc, pid, ("fd", "map_files") if mapped else ("fd",)):
            file = state.st_dev, state.st_ino
            if S_ISREG(state.st_mode) and not state.st_nlink:
                (shared if state.st_dev in _memory_devices() else nameless)[file] = state.st_blocks * 512
            elif S_ISFIFO(state.st_mode):
                queued[file] = OF_A_PIPE
            elif S_ISSOCK(state.st_mode):
                queued[file] = OF_A_SOCKET
    touched = sum(each.shared for each in found)
    memory = sum(each.memory for each in found) - touched + max(touched, sum(shared.values())) + sum(queued.values())
    return MemoryInUse(pids, memory, sum(nameless.values()))


def _children(proc: int, pid: int) -> list[int]:
    """The children of this process."""
    found = list[int]()
    with suppress(OSError):
        folder = os.open(f"{pid}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
        try:
            for thread in os.listdir(folder):
                with suppress(OSError):
                    found += map(int, _read_proc(folder, f"{thread}/children").split())
        finally:
            os.close(folder)
    return found


def _proportional_status(proc: int, pid: int, whole: Status) -> Status:
    """The resources of this process, with each page that several processes share counted in part; ``whole`` where the
    system does not tell."""
    try:
        text = _read_proc(proc, f"{pid}/smaps_rollup")
    except OSError:
        return whole
    memory = _number_after(text, b"\nPss:") + _number_after(text, b"\nSwapPss:")
    return whole._replace(memory=memory << 10, shared=_number_after(text, b"\nPss_Shmem:") << 10)


@lru_cache
def _memory_devices() -> tuple[int, ...]:
    """The devices on which the kernel keeps shared memory."""
    try:
        file = os.memfd_create("device")
    except (AttributeError, OSError):
        return ()
    try:
        return (os.fstat(file).st_dev,)
    finally:
        os.close(file)


def _open_files(proc: int, pid: int, places: tuple[str, ...]) -> Iterator[os.stat_result]:
    """The files that the process has open, and those that it has mapped, as far as the system shows them."""
    for place in places:
        with suppress(OSError):
            folder = os.open(f"{pid}/{place}", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
            try:
                for name in os.listdir(folder):
                    with suppress(OSError):
                        yield os.stat(name, dir_fd=folder)
            finally:
                os.close(folder)


def _parents(proc: int) -> Iterator[tuple[int, int]]:
    """The pid and the parent's pid of every process."""
    with suppress(OSError):
        for name in os.listdir(proc):
            if name.isdecimal():
                with suppress(OSError):
                    yield int(name), int(_read_proc(proc, f"{name}/stat").rpartition(b")")[2].split()[1])
