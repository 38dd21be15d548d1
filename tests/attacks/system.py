"""What of the system a run could leave changed: processes, files, shared memory, its own memory."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

SUBREAPER = 36
MARK = "arena-was-here"


@contextmanager
def orphans_come_here() -> Iterator[None]:
    """While inside, processes whose parent has ended become children of this one, so that none is lost from sight."""
    libc = ctypes.CDLL(None)
    assert libc.prctl(SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        libc.prctl(SUBREAPER, 0, 0, 0, 0)


def children(process: int) -> list[int]:
    """The processes it has started."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(child) for child in task.read_text().split()]
        except OSError:
            continue
    return found


def fork_server(process: int) -> int:
    """The process that forks bots: the one that the worker started, or the one inside of bubblewrap; 0 while there is
    none."""
    while process and Path(f"/proc/{process}/comm").read_text() == "bwrap\n":
        process = next(iter(children(process)), 0)
    return process


def descendants(process: int) -> set[int]:
    """Its children, and theirs."""
    found = children(process)
    return {*found, *(each for child in found for each in descendants(child))}


def left(before: set[int], seconds: float = 60.0) -> dict[int, str]:
    """The processes that came from here, are not ``before`` and still run after so many seconds, with their commands;
    those that have ended are reaped."""
    until = monotonic() + seconds
    while True:
        running = {process for process in descendants(os.getpid()) - before if not ended(process)}
        if not running or monotonic() > until:
            break
        sleep(0.02)
    for process in set(children(os.getpid())) - before - running:
        with suppress(ChildProcessError):
            os.waitpid(process, os.WNOHANG)
    return {process: Path(f"/proc/{process}/cmdline").read_text() for process in running}


def ended(process: int) -> bool:
    """Whether it is gone, or waits to be reaped."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def resident(process: int) -> int:
    """Bytes of memory that it holds, 0 if it is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


class Files(NamedTuple):
    """What lies in folders: each path with its kind, rights, owner, times and content."""

    found: dict[str, tuple[int, int, int, float, str]]


def files_in(*folders: Path) -> Files:
    found = {}
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            state = path.lstat()
            content = os.readlink(path) if path.is_symlink() else ""
            if path.is_file() and not path.is_symlink():
                content = sha256(path.read_bytes()).hexdigest()
            changed = 0.0 if path.is_dir() else state.st_mtime
            found[str(path)] = (state.st_mode, state.st_uid, state.st_gid, changed, content)
    return Files(found)


def marks() -> list[str]:
    """What attackers would have left in places that are everybody's."""
    found = [str(path) for place in ("/tmp", "/dev/shm", "/dev/mqueue") for path in Path(place).glob(f"*{MARK}*")]
    for kind in ("shm", "sem", "msg"):
        table = Path(f"/proc/sysvipc/{kind}")
        lines = table.read_text().splitlines()[1:] if table.exists() else []
        found += [f"{kind} {line}" for line in lines if line.split()[0] == str(0x5A5A)]
    return found
