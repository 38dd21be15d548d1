"""Tries each layer on this system, and determines which isolation level the system reaches."""

from __future__ import annotations

import mmap
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import msgspec

from arena.sandbox import landlock, seccomp
from arena.sandbox.calls import prctl
from arena.sandbox.cgroups import MemoryGroup, enter_group, folder_of_groups
from arena.sandbox.enclosure import NEEDED_CAPABILITIES
from arena.sandbox.lock import drop_privileges, limit_resources
from arena.sandbox.memory_count import open_proc, process_status
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, SandboxPolicy, readable_paths
from arena.system.platform_support import can_fork

PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS = 3, 39
START_SECONDS = 10.0
"""The maximum time in seconds that bubblewrap may take to start."""
NEEDS_LINUX = "needs Linux"
TAKEN_BYTES = 16 << 20
"""How many bytes are allocated to test the limits and counts of memory."""


class Level(StrEnum):
    """The isolation levels, from none to the strictest."""

    NONE = "none"
    PROCESS = "process"
    GUARDED = "guarded"
    LOCKED = "locked"
    SEALED = "sealed"


LEVEL_LAYERS: dict[Level, tuple[Layer, ...]] = {
    Level.NONE: (),
    Level.PROCESS: (Layer.SESSION, Layer.LIMITS),
    Level.GUARDED: (Layer.PARENT, Layer.PRIVILEGES),
    Level.LOCKED: (Layer.LANDLOCK, Layer.SECCOMP),
    Level.SEALED: (Layer.BUBBLEWRAP,),
}
"""The layers that each level needs in addition to the level before."""
UNTRUSTED_LEVEL = Level.LOCKED
"""The lowest level for bots that nobody has read."""


class LayerProbe(msgspec.Struct, frozen=True):
    """Whether a layer works on this system, and what the test found."""

    layer: Layer
    holds: bool
    found: str


class MemoryWay(StrEnum):
    """The ways of keeping a bot or a build from using too much memory, besides the limits of each process."""

    FILTER = "filter"
    """Memory that cannot be counted is refused."""
    CGROUP = "cgroup"
    """The kernel limits all memory, of whatever kind."""
    COUNT = "count"
    """The process that started it counts its memory, and ends it."""


class ProbedMemory(msgspec.Struct, frozen=True):
    """Whether a way to limit memory works on this system, and what the test found."""

    way: MemoryWay
    holds: bool
    found: str


def level_of(layers: Iterable[Layer]) -> Level:
    """The highest level whose layers all work."""
    present, reached = set(layers), Level.NONE
    for level, needed in LEVEL_LAYERS.items():
        if not present.issuperset(needed):
            break
        reached = level
    return reached


@lru_cache
def probe_layers() -> tuple[LayerProbe, ...]:
    """Test every layer, each in a process of its own."""
    if not can_fork():
        return tuple(LayerProbe(layer, False, NEEDS_LINUX) for layer in (*_LAYER_CHECKS, Layer.BUBBLEWRAP))
    return (*(_try_layer(layer, check) for layer, check in _LAYER_CHECKS.items()), _try_bubblewrap())


def _session() -> str:
    os.setsid()
    return "own session and process group"


def _limits() -> str:
    limit_resources(SandboxPolicy(files=16), program=False)
    try:
        bytearray(1 << 30)
    except MemoryError:
        return "memory, CPU time, open files, file size" + ("" if os.geteuid() else ", threads")
    raise OSError("the memory limit has no effect")


def _parent() -> str:
    if not die_with(os.getppid()):
        raise OSError("no signal at the parent's death here")
    return "ends with its parent"


def _privileges() -> str:
    drop_privileges(program=True)
    if not prctl(PR_GET_NO_NEW_PRIVS) or prctl(PR_GET_DUMPABLE):
        raise OSError("privileges cannot be given up here")
    return "no new privileges, no inspection by others" + ("" if os.geteuid() else ", no rights of root")


def _landlock() -> str:
    version = landlock.landlock_version()
    rules = landlock.new_ruleset()
    landlock.allow_all(rules, [os.devnull], landlock.READ_RIGHTS)
    landlock.restrict_self(rules)
    try:
        os.close(os.open(sys.executable, os.O_RDONLY))
    except PermissionError:
        return f"version {version}: files" + (", TCP" if version > 3 else "") + (", signals" if version > 5 else "")
    raise OSError("it is accepted, but files can be read nevertheless, as under gVisor")


def _seccomp() -> str:
    seccomp.install_filter(os.getpid())
    for forbidden in (socket.socket, os.fork):
        try:
            forbidden()
        except PermissionError:
            continue
        raise OSError(f"{forbidden.__name__} is not refused")
    return f"{len(seccomp.FORBIDDEN)} system calls refused"


_LAYER_CHECKS: dict[Layer, Callable[[], str]] = {
    Layer.SESSION: _session,
    Layer.LIMITS: _limits,
    Layer.PARENT: _parent,
    Layer.PRIVILEGES: _privileges,
    Layer.LANDLOCK: _landlock,
    Layer.SECCOMP: _seccomp,
}


def probe_memory() -> tuple[ProbedMemory, ...]:
    """Test every way to limit memory."""
    if not can_fork():
        return tuple(ProbedMemory(way, False, NEEDS_LINUX) for way in MemoryWay)
    folder, why = groups_here()
    return (
        ProbedMemory(MemoryWay.FILTER, *_in_a_process(_refuses_memory)),
        ProbedMemory(MemoryWay.CGROUP, bool(folder), f"a group for each bot and build, in {folder}" if folder else why),
        ProbedMemory(MemoryWay.COUNT, *_in_a_process(_counts_memory)),
    )


def _refuses_memory() -> str:
    seccomp.install_filter(os.getpid())
    private_huge = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | seccomp.HUGE_PAGES
    for what, flags in (("shared memory", mmap.MAP_SHARED | mmap.MAP_ANONYMOUS), ("huge pages", private_huge)):
        try:
            mmap.mmap(-1, mmap.PAGESIZE, flags)
        except PermissionError:
            continue
        except OSError as problem:
            raise OSError(f"{what}: {problem.strerror}, which is not the answer of the filter") from None
        raise OSError(f"{what} is not refused")
    return "refused: shared memory without a file, huge pages, memory left in pipes"


def _counts_memory() -> str:
    before = process_status(open_proc(), os.getpid()).memory
    kept = bytearray(os.urandom(1)) * TAKEN_BYTES
    if process_status(open_proc(), os.getpid()).memory < before + len(kept) // 2:
        raise OSError("/proc does not tell what a process holds")
    return "memory, swap and page tables, twenty times a second; for builds also pipes, sockets and nameless files"


@lru_cache
def groups_here() -> tuple[str, str]:
    """The folder in which groups that limit memory can be created, tested; or "", and the reason why there is none."""
    if not can_fork():
        return "", NEEDS_LINUX
    try:
        folder = folder_of_groups()
        group = MemoryGroup(folder, TAKEN_BYTES)
    except OSError as problem:
        return "", str(problem)
    try:
        child = os.fork()
        if child == 0:
            try:
                enter_group(group.entry)
                bytearray(os.urandom(1)) * (4 * TAKEN_BYTES)
            finally:
                os._exit(0)
        _, ended = os.waitpid(child, 0)
        if group.ran_out() and os.WIFSIGNALED(ended):
            return folder, ""
        return "", f"a group in {folder} does not limit memory"
    except OSError as problem:
        return "", str(problem)
    finally:
        group.close()


def _try_layer(layer: Layer, check: Callable[[], str]) -> LayerProbe:
    """Apply one layer in a forked process and return what that process found."""
    return LayerProbe(layer, *_in_a_process(check))


def _in_a_process(check: Callable[[], str]) -> tuple[bool, str]:
    """Run a check in a forked process. Returns whether it passed, and what that process found."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(ours)
            try:
                said = "+" + check()
            except Exception as problem:
                said = f"-{problem}"
            os.write(theirs, said.encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said.startswith("+"), said[1:] or "the process that tried it ended"


def bubblewrap_command(program: str) -> tuple[str, ...]:
    """The command that runs another inside bubblewrap, with all files read-only and with separate namespaces for
    processes, network and everything else. It keeps the capabilities, over these namespaces alone, by which a fork
    server creates a root and namespaces of its own; bots' processes drop them. With ``--dev`` bubblewrap would put
    another user namespace around these, in which they have no effect."""
    kept = (word for capability in NEEDED_CAPABILITIES for word in ("--cap-add", capability))
    files = ("--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc")
    return (program, "--unshare-all", "--die-with-parent", *files, *kept)


def _try_bubblewrap() -> LayerProbe:
    program = shutil.which("bwrap")
    if program is None:
        return LayerProbe(Layer.BUBBLEWRAP, False, "bwrap is not installed")
    check = [sys.executable, "-I", "-c", _INSIDE_PROGRAM, str(Path(__file__).parents[2])]
    try:
        ran = subprocess.run(
            [*bubblewrap_command(program), *check], capture_output=True, text=True, timeout=START_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return LayerProbe(Layer.BUBBLEWRAP, False, str(problem))
    if ran.returncode:
        said = ran.stderr.strip().rpartition("\n")[2]
        return LayerProbe(Layer.BUBBLEWRAP, False, said or f"exit code {ran.returncode}")
    return LayerProbe(
        Layer.BUBBLEWRAP, True, f"{program}: own files, processes, network, users; own pids for each match"
    )


_INSIDE_PROGRAM = """
import os, sys
sys.path.append(sys.argv[1])
from arena.sandbox.enclosure import Enclosure
enclosure, forked = Enclosure(["/usr"]), []
with enclosure.namespace(forked):
    forked.append(os.fork())
    if not forked[0]:
        os._exit(os.getpid() != 2 or os.path.exists("/proc/self") or os.path.exists("/etc/passwd"))
_, status = os.waitpid(forked[0], 0)
enclosure.forget(forked)
sys.exit("a process of a match sees others' files or pids" if status else 0)
"""
"""The test inside bubblewrap: that pids in a match's process start anew, and that it sees neither ``/proc`` nor other
files."""


def policy_here(template: SandboxPolicy) -> SandboxPolicy:
    """The policy with all layers that work on this system."""
    layers = tuple(each.layer for each in probe_layers() if each.holds)
    program = shutil.which("bwrap") if Layer.BUBBLEWRAP in layers else None
    wrapped = bubblewrap_command(program) if program else ()
    groups, _ = groups_here()
    return msgspec.structs.replace(template, layers=layers, readable=readable_paths(), around=wrapped, groups=groups)
