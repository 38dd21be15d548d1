"""Applies the sandbox to a bot's process, layer by layer, before any of the bot's code is loaded.

In a forked process the first write to each page of memory is expensive. So the fork server, its parent, prepares once
what is the same for all processes (:class:`LockPreparation`); :func:`lock_process` applies it to the process.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from struct import pack

from arena.sandbox import landlock, seccomp
from arena.sandbox.calls import MACHINE, prctl, system_call
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.system.platform_support import on_linux

PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 4, 24, 38
CAPSET = {"x86_64": 126, "aarch64": 91, "arm64": 91}
CAPABILITY_HEADER, NO_CAPABILITIES = pack("=II", 0x20080522, 0), bytes(24)
RESERVED_BYTES = 1 << 37
"""How many bytes of address space a program may reserve."""
MOST_PROCESSES = 8
"""The maximum number of processes of one bot at a time."""
FIRST_UID = 0x7A000000
"""The first real uid of bots' processes when arena runs as root; they need other uids because the kernel's limit on
processes does not apply to root."""


class LockPreparation:
    """What a fork server prepares once for locking its children."""

    def __init__(self, policy: SandboxPolicy) -> None:
        self.policy = policy
        self._paths: list[bytes] = []
        if Layer.LANDLOCK in policy.layers:
            readable = [landlock.open_path(path, landlock.READ_RIGHTS) for path in policy.readable]
            self._paths = [*readable, landlock.open_path(os.devnull, landlock.WRITE_RIGHTS)]
        if Layer.SECCOMP in policy.layers:
            for program in (False, True):
                seccomp.prepared_filter(program)

    def ruleset(self) -> int:
        """The descriptor of a new Landlock ruleset that allows what all bots may read; -1 if the policy is without
        Landlock. Raises OSError."""
        if Layer.LANDLOCK not in self.policy.layers:
            return -1
        rules = landlock.new_ruleset()
        for opened in self._paths:
            landlock.allow_path(rules, opened)
        return rules


def lock_process(policy: SandboxPolicy, parent: int, ruleset: int, own: str, program: str = "") -> None:
    """Apply every layer of the policy to this process, a child of the process ``parent``, permanently.

    The Landlock ``ruleset`` is extended by ``own``, the bot's folder or file. With a ``program``, executing it
    remains possible. Raises OSError if a layer cannot be applied."""
    layers = policy.layers
    if Layer.LIMITS in layers:
        limit_resources(policy, bool(program))
    if Layer.PARENT in layers:
        die_with(parent)
    if Layer.PRIVILEGES in layers:
        drop_privileges(bool(program))
    if Layer.LANDLOCK in layers:
        landlock.allow_all(ruleset, filter(None, [own]), landlock.READ_RIGHTS)
        if program:
            runnable = filter(None, [*policy.programs, program, os.path.realpath(program), own])
            landlock.allow_all(ruleset, runnable, landlock.RUN_RIGHTS)
        landlock.restrict_self(ruleset)
    if Layer.SECCOMP in layers:
        seccomp.install_filter(os.getpid(), bool(program))


def limit_resources(policy: SandboxPolicy, program: bool) -> None:
    """Limit this process's memory, CPU time, open files, file size, core dumps and threads. Raises OSError."""
    memory = policy.memory << 20
    # programs such as node reserve far more address space than they use: for them only memory written to counts
    set_limit(resource.RLIMIT_DATA if program else resource.RLIMIT_AS, memory)
    if program:  # the kernel's page tables of reserved memory take memory too
        set_limit(resource.RLIMIT_AS, RESERVED_BYTES)
    set_limit(resource.RLIMIT_CPU, policy.cpu)
    set_limit(resource.RLIMIT_NOFILE, policy.files)
    set_limit(resource.RLIMIT_FSIZE, 0)
    set_limit(resource.RLIMIT_CORE, 1)  # with 0 the kernel would still pipe a dump to a program that collects dumps
    set_limit(resource.RLIMIT_MEMLOCK, 0)
    if on_linux():  # all processes of a user count against it, so that one could tell what others queue
        set_limit(resource.RLIMIT_SIGPENDING, 0)
    if os.geteuid() == 0:  # the limit for all running processes of the bot; the fork server counts the threads of each
        set_limit(resource.RLIMIT_NPROC, MOST_PROCESSES * policy.threads)


class KillOrder:
    """How early the kernel kills this process if memory runs out (``oom_score_adj``). ``proc`` is the descriptor of the
    folder ``/proc``; without such a file there, nothing is changed."""

    def __init__(self, proc: int) -> None:
        self._file, self._usual = -1, b""
        with suppress(OSError):
            self._file = os.open("self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC, dir_fd=proc)
            self._usual = os.read(self._file, 16)

    def kill_first(self) -> None:
        """Have this process killed first, and those that it forks from now on."""
        self._set(b"1000")

    def restore(self) -> None:
        """Restore the original value for this process; processes that are forked already keep theirs."""
        self._set(self._usual)

    def _set(self, order: bytes) -> None:
        with suppress(OSError):
            os.pwrite(self._file, order, 0)


def set_limit(what: int, amount: int) -> None:
    """Limit the resource ``what`` (a number of :mod:`resource`), permanently, to this amount, or to the present limit
    if that is lower."""
    _, hard = resource.getrlimit(what)
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.setrlimit(what, (amount, amount))


def drop_privileges(program: bool) -> None:
    """Drop all privileges of root, permanently, and forbid tracing this process; with ``program``, also for the program
    that will replace this one."""
    if on_linux():
        if os.geteuid() == 0:
            # the limit on processes counts the real user; file access counts the effective user, who stays the owner
            # the calls fail in a user namespace without other users
            with suppress(OSError):
                os.setgroups([])
            if not program:  # executing a program as another user would clear the parent-death signal
                with suppress(OSError):
                    os.setresuid(FIRST_UID + os.getpid(), 0, 0)
        _drop_capabilities(program)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_DUMPABLE, 0)


def _drop_capabilities(program: bool) -> None:
    """Drop all capabilities; processes of users other than root may have some too."""
    if program:
        with suppress(OSError):  # beyond the last capability
            for capability in range(64):
                prctl(PR_CAPBSET_DROP, capability)
    system_call(CAPSET[MACHINE], CAPABILITY_HEADER, NO_CAPABILITIES)
