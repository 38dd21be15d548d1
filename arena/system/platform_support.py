"""What arena uses of the operating system that not every one has: it is asked for here, and in the rooms ``sandbox``
and ``isolation``, which work on Linux alone.

Elsewhere, as on macOS, bots are played in arena's own process: those that ship with arena, and those that are trusted.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import IO


def on_linux() -> bool:
    """Whether this is Linux."""
    return sys.platform == "linux"


def on_macos() -> bool:
    """Whether this is macOS."""
    return sys.platform == "darwin"


def system_name() -> str:
    """The name of this operating system, for messages."""
    return {"darwin": "macOS", "linux": "Linux", "win32": "Windows"}.get(sys.platform, sys.platform)


def can_fork() -> bool:
    """Whether processes can be forked that go on as they were. On macOS there is a fork, but what has used the system's
    libraries may crash after it."""
    return on_linux() and hasattr(os, "fork")


def isolation_refusal() -> str:
    """Why no bot can have a process of its own here, and what to do; empty where it can."""
    if can_fork():
        return ""
    return (
        f"arena can isolate bots and run programs (cmd:) only on Linux, and this is {system_name()}: play bots in "
        "Python that you have read with --trust, and others on Linux, under WSL2 or in a container (arena docs "
        "isolation other-systems)"
    )


def missing_features() -> dict[str, str]:
    """What this system lacks, and what arena does without it; empty on Linux."""
    if on_linux():
        return {}
    return {
        "fork": "one match is played after another, in arena's own process",
        "processes for bots": "bots that do not ship with arena need --trust; programs (cmd:) cannot be played",
        "/proc": "time for which a bot waits for a core is charged to it",
        "sandbox": "bots that nobody has read must not be played here",
    }


def allowed_cores() -> frozenset[int] | None:
    """The numbers of the cores that this process may use; None where the system does not tell."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(allowed_cores() or ()) or os.cpu_count() or 1


def memory_file(name: str) -> IO[bytes]:
    """A nameless file, in memory where the system supports it; ``name`` is for who looks at the system."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create(name), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)


def sync_content(file: int) -> None:
    """Flush the content of an open file to disk, and of its properties what reading it needs. Raises OSError."""
    getattr(os, "fdatasync", os.fsync)(file)


def place_of_file(file: int) -> Path | None:
    """Where an open file is by now; None where the system does not tell."""
    try:
        return Path(os.readlink(f"/proc/self/fd/{file}"))
    except OSError:
        return None


def process_runs(pid: int) -> bool:
    """Whether there is a process with this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
