"""The process that starts and watches the command that builds a bot.

It locks its child in and makes it execute the command. Several times a second it checks what the child and all its
descendants use, and ends them all: when the command is done, when they exceed a limit, and when the process that wants
the build is gone, which closes this process's standard input. Descendants whose parents have ended become its children
(``PR_SET_CHILD_SUBREAPER``), so that none is lost. Inside bubblewrap they also have a namespace of their own, which
ends with its first process.
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import time
from contextlib import suppress
from enum import StrEnum
from typing import NoReturn

import msgspec

from arena.sandbox import landlock, seccomp
from arena.sandbox.calls import prctl
from arena.sandbox.cgroups import SPARE_BYTES, MemoryGroup, enter_group
from arena.sandbox.lock import FIRST_UID, KillOrder, drop_privileges, set_limit
from arena.sandbox.memory_count import MemoryInUse, descendants, held_below, open_proc
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, SandboxPolicy

PR_SET_CHILD_SUBREAPER = 36
LOOK_SECONDS, LOOKS_PER_SIZE = 0.05, 5
"""Seconds between two checks of the processes, and after how many of these the folder's size is checked."""
FIRST_LOOK_SECONDS = 0.005
"""Seconds until the first check: many builds are short."""
OPEN_FILES = 1024
"""The maximum number of open files of each process; the same number can be in transit in messages, where nobody sees
what they hold."""
INNER_FOLDER = "/build"
"""The name of the folder inside bubblewrap: the same in every build, because compilers write it into programs."""
VISIBLE_FILES = ("/etc/alternatives", "/etc/localtime", "/etc/ssl/certs", "/etc/ssl/openssl.cnf")
"""Further paths inside bubblewrap, to which links of installed programs lead."""
BUILD_DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
MAPPED_ZEROS, UNMAPPED_ZEROS = "/dev/zero", "/dev/full"
"""A process that may write to the first device can map it as shared memory that lies in no file. The second device also
reads as zeros, but cannot be mapped."""
SOURCE_EPOCH = "315532800"
"""The time that compilers which heed ``SOURCE_DATE_EPOCH`` write into their output: the first of 1980."""


class BuildEnding(StrEnum):
    """How a build ended."""

    DONE = "done"
    """The command ended by itself."""
    TIME = "time"
    """It took too long."""
    MEMORY = "memory"
    """The processes exceeded the limit of memory together."""
    PROCESSES = "processes"
    """There were too many processes."""
    DISK = "disk"
    """The build wrote too much, or too many files."""
    LEFT = "left"
    """The process that wanted the build was gone."""
    NOT_LOCKED = "not-locked"
    """The build never started: a layer of the lock could not be applied."""


class BuildOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The command to run, and its limits: the ``words`` of the command, run in the folder ``within`` below the files;
    ``seconds`` of time, MB of ``memory`` and number of all ``processes`` together, and in the folder MB of ``disk`` and
    number of ``files``."""

    words: tuple[str, ...]
    within: str = ""
    seconds: float = 300.0
    memory: int = 2048
    processes: int = 256
    disk: int = 512
    files: int = 20_000


class BuildEnd(msgspec.Struct, frozen=True):
    """How a build ended, for :class:`arena.sandbox.build.BuildResult`; ``why`` it could not be locked in."""

    how: BuildEnding
    code: int = 0
    seconds: float = 0.0
    memory: int = 0
    why: str = ""


class _Settings(msgspec.Struct):
    order: BuildOrder
    policy: SandboxPolicy
    folder: str


def watch_build(settings: str) -> None:
    """Run the build described by these settings, given as JSON, and write how it ended to standard output."""
    given = msgspec.json.decode(settings, type=_Settings)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    problems, told = os.pipe()
    began = time.monotonic()
    try:
        group = (
            MemoryGroup(given.policy.groups, (given.order.memory << 20) + SPARE_BYTES) if given.policy.groups else None
        )
    except OSError as problem:
        os.write(1, msgspec.json.encode(BuildEnd(BuildEnding.NOT_LOCKED, why=str(problem))))
        return
    child = os.fork()
    if child == 0:
        _become_command(given, told, group)
    os.close(told)
    end = _await_command(child, given, began, group)
    if group is not None:
        group.close()
    why = os.read(problems, 4096).decode("utf-8", "replace")
    if why:
        end = BuildEnd(BuildEnding.NOT_LOCKED, why=why)
    if end.how is BuildEnding.LEFT:
        shutil.rmtree(given.folder, ignore_errors=True)  # who wanted it may have been killed
        return
    os.write(1, msgspec.json.encode(end))


def _await_command(child: int, given: _Settings, began: float, group: MemoryGroup | None) -> BuildEnd:
    """Wait until the command ends, or end it when it exceeds a limit."""
    most, looks, wait = 0, 0, FIRST_LOOK_SECONDS
    proc, filtered = open_proc(), Layer.SECCOMP in given.policy.layers
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        seconds = time.monotonic() - began
        if pid:
            _end_all(proc)
            if group is not None and group.ran_out():
                return BuildEnd(BuildEnding.MEMORY, os.waitstatus_to_exitcode(status), seconds, most)
            too_much = _too_large(given, 0)  # what it wrote last
            return BuildEnd(
                BuildEnding.DISK if too_much else BuildEnding.DONE, os.waitstatus_to_exitcode(status), seconds, most
            )
        looks += 1
        sizes = looks % LOOKS_PER_SIZE == 0
        held = held_below(proc, os.getpid(), sizes or not filtered)
        most = max(most, held.memory)
        how = _too_much(given.order, held, seconds)
        if how is None and group is not None and group.ran_out():
            how = BuildEnding.MEMORY
        if how is None and sizes and _too_large(given, held.nameless):
            how = BuildEnding.DISK
        if how is None and select.select([0], [], [], wait)[0]:
            how = BuildEnding.LEFT
        if how is not None:
            _end_all(proc)
            return BuildEnd(how, -signal.SIGKILL, seconds, most)
        wait = min(LOOK_SECONDS, 2 * wait)


def _too_much(order: BuildOrder, held: MemoryInUse, seconds: float) -> BuildEnding | None:
    if seconds > order.seconds:
        return BuildEnding.TIME
    if held.memory > order.memory << 20:
        return BuildEnding.MEMORY
    return BuildEnding.PROCESSES if len(held.pids) > order.processes else None


def _too_large(given: _Settings, nameless: int) -> bool:
    """Whether the folder exceeds its limits, including the bytes of ``nameless`` files, which it no longer shows."""
    bytes, files = nameless, 0
    for place, folders, names in os.walk(given.folder):
        files += len(names) + len(folders)
        for name in names:
            with suppress(OSError):
                bytes += os.lstat(os.path.join(place, name)).st_blocks * 512
        if bytes > given.order.disk << 20 or files > given.order.files:
            return True
    return False


def _end_all(proc: int) -> None:
    """Kill and reap all descendants of this process, until there are none."""
    while True:
        for pid in descendants(proc, os.getpid()):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(FIRST_LOOK_SECONDS)
            continue
        return


def _become_command(given: _Settings, told: int, group: MemoryGroup | None) -> NoReturn:
    """Lock this process in and replace it by the command; an error is written to the descriptor ``told``."""
    try:
        os.set_inheritable(told, False)
        if group is not None:
            enter_group(group.entry)
        os.dup2(2, 1)  # the output
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        if Layer.LIMITS in given.policy.layers:
            KillOrder(open_proc()).kill_first()
            _limit_build(given.order)
        if given.policy.around:
            _enclose(given)
        _lock_process(given)
        _execute_command(given.order.words, _environment(given.policy, given.folder))
    except BaseException as problem:
        os.write(told, str(problem).encode())
    finally:
        os._exit(126)


def _execute_command(words: tuple[str, ...], environment: dict[str, str]) -> NoReturn:
    try:
        os.execvpe(words[0], words, environment)
    except (FileNotFoundError, PermissionError):
        os.write(2, f"{words[0]}: no such program, or it may not be run\n".encode())
        os._exit(127)


def _environment(policy: SandboxPolicy, folder: str) -> dict[str, str]:
    """The environment of the command."""
    own = {"HOME": f"{folder}/tmp", "TMPDIR": f"{folder}/tmp", "SOURCE_DATE_EPOCH": SOURCE_EPOCH}
    return dict(policy.environment) | own


def _limit_build(order: BuildOrder) -> None:
    """Set the resource limits of each process."""
    wanted = {
        resource.RLIMIT_DATA: order.memory << 20,
        resource.RLIMIT_CPU: int(order.seconds) + 1,
        resource.RLIMIT_FSIZE: order.disk << 20,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 1,
    }
    for what, amount in wanted.items():
        set_limit(what, amount)


def _limit_processes(given: _Settings) -> None:
    """Make the kernel refuse more processes than allowed: outside bubblewrap, a command that forks fast enough escapes
    the checks. The kernel counts the processes of a user, but none of root's; so root's builds run as another user, who
    owns the folder."""
    if os.geteuid():
        set_limit(resource.RLIMIT_NPROC, given.order.processes + _threads_of(os.getuid()))
        return
    set_limit(resource.RLIMIT_NPROC, given.order.processes)
    user = FIRST_UID + os.getpid()
    with suppress(OSError):  # in a user namespace without other users
        os.setgroups([])
        for place, folders, names in os.walk(given.folder):
            for each in (place, *(os.path.join(place, name) for name in (*folders, *names))):
                os.lchown(each, user, user)
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    if not os.access(os.path.join(given.folder, "files"), os.W_OK):
        raise OSError(f"{given.folder} is accessible only to root; set TMPDIR to another folder")


def _threads_of(user: int) -> int:
    """The number of threads of this user."""
    found = 0
    with suppress(OSError):
        for name in filter(str.isdecimal, os.listdir("/proc")):
            with suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == user:
                    found += len(os.listdir(f"/proc/{name}/task"))
    return found


def _lock_process(given: _Settings) -> None:
    """Apply the layers that do not need bubblewrap."""
    policy, files = given.policy, os.path.join(given.folder, "files")
    if Layer.LIMITS in policy.layers:
        _limit_processes(given)
    if Layer.PARENT in policy.layers:
        die_with(os.getppid())  # after the change of the user, which ends this
    if Layer.PRIVILEGES in policy.layers:
        drop_privileges(program=True)
    os.chdir(os.path.join(files, given.order.within))
    if Layer.LANDLOCK in policy.layers:
        rules = landlock.new_ruleset()
        landlock.allow_all(rules, (*policy.programs, *VISIBLE_FILES), landlock.RUN_RIGHTS)
        landlock.allow_all(rules, (MAPPED_ZEROS,), landlock.READ_RIGHTS)
        landlock.allow_all(rules, BUILD_DEVICES, landlock.WRITE_RIGHTS)
        landlock.allow_all(rules, (files, os.path.join(given.folder, "tmp")), landlock.write_rights())
        landlock.restrict_self(rules)
    if Layer.SECCOMP in policy.layers:
        seccomp.install_to_build()


def _enclose(given: _Settings) -> NoReturn:
    """Replace this process by the command inside bubblewrap, where only installed programs and the folder exist."""
    policy = given.policy
    command = [policy.around[0], "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for path in (*policy.programs, *VISIBLE_FILES):
        command += ["--ro-bind-try", path, path]
    command += ["--dev", "/dev", "--dev-bind", UNMAPPED_ZEROS, MAPPED_ZEROS, "--proc", "/proc"]
    for name in ("files", "tmp"):
        command += ["--bind", os.path.join(given.folder, name), f"{INNER_FOLDER}/{name}"]
    command += ["--remount-ro", "/", "--remount-ro", "/dev"]
    command += ["--chdir", os.path.join(INNER_FOLDER, "files", given.order.within), "--clearenv"]
    for name, value in _environment(policy, INNER_FOLDER).items():
        command += ["--setenv", name, value]
    if Layer.SECCOMP in policy.layers:
        command += ["--seccomp", str(_open_filter())]
    os.execv(command[0], [*command, "--", *given.order.words])


def _open_filter() -> int:
    """A descriptor from which the filter of system calls can be read."""
    filter = os.memfd_create("filter", 0)
    os.write(filter, seccomp.to_build())
    os.lseek(filter, 0, os.SEEK_SET)
    return filter
