"""The lock-down of a bot's process: layer upon layer, before anything of the bot is loaded.

A process pays for each page of memory that it is the first to write to. So what is the same for all processes is made
ready once in the fork server, their parent (:class:`Prepared`); :func:`lock` lays it on the process itself.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress
from struct import pack

from arena.sandbox import landlock, seccomp
from arena.sandbox.calls import MACHINE, call, prctl
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, Policy

PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 4, 24, 38
CAPSET = {"x86_64": 126, "aarch64": 91, "arm64": 91}
CAPABILITIES, NONE_OF_THEM = pack("=II", 0x20080522, 0), bytes(24)
RESERVED = 1 << 37
"""Bytes of addresses that a program may reserve."""
COPIES = 8
"""Processes of one bot that may run at a time."""
STRANGERS = 0x7A000000
"""Real uids of bots' processes begin here, where the kernel's limit of processes would not bind root."""


class Prepared:
    """What a fork server keeps ready for the locks of its children."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._paths: list[bytes] = []
        if Layer.LANDLOCK in policy.layers:
            readable = [landlock.open_path(path, landlock.READ) for path in policy.readable]
            self._paths = [*readable, landlock.open_path(os.devnull, landlock.WRITE)]
        if Layer.SECCOMP in policy.layers:
            for program in (False, True):
                seccomp.prepared(program)

    def ruleset(self) -> int:
        """The descriptor of a new Landlock ruleset, which allows what all bots may read; -1 where Landlock is no layer.
        Raises OSError."""
        if Layer.LANDLOCK not in self.policy.layers:
            return -1
        rules = landlock.rules()
        for opened in self._paths:
            landlock.allow(rules, opened)
        return rules


def lock(policy: Policy, parent: int, ruleset: int, own: str, program: str = "") -> None:
    """Lay every layer of the policy on this process, a child of the process ``parent``, for good.

    To what the Landlock ``ruleset`` allows comes ``own``, the bot's folder or file. Where a ``program`` is to replace
    this one, that remains possible. Raises OSError for a layer that does not hold."""
    layers = policy.layers
    if Layer.LIMITS in layers:
        limit(policy, bool(program))
    if Layer.PARENT in layers:
        die_with(parent)
    if Layer.PRIVILEGES in layers:
        drop_privileges(bool(program))
    if Layer.LANDLOCK in layers:
        landlock.allow_all(ruleset, filter(None, [own]), landlock.READ)
        if program:
            runnable = filter(None, [*policy.programs, program, os.path.realpath(program), own])
            landlock.allow_all(ruleset, runnable, landlock.RUN)
        landlock.restrict(ruleset)
    if Layer.SECCOMP in layers:
        seccomp.install(os.getpid(), bool(program))


def limit(policy: Policy, program: bool) -> None:
    """Limit this process's amounts: memory, CPU time, open files, file size, core dumps, threads. Raises OSError."""
    memory = policy.memory << 20
    # programs such as node reserve far more addresses than they use: for them what is written to counts
    _at_most(resource.RLIMIT_DATA if program else resource.RLIMIT_AS, memory)
    if program:  # the kernel's own tables of what is reserved take memory too
        _at_most(resource.RLIMIT_AS, RESERVED)
    _at_most(resource.RLIMIT_CPU, policy.cpu)
    _at_most(resource.RLIMIT_NOFILE, policy.files)
    _at_most(resource.RLIMIT_FSIZE, 0)
    _at_most(resource.RLIMIT_CORE, 1)  # at 0 the kernel would hand a dump to a program that collects them
    _at_most(resource.RLIMIT_MEMLOCK, 0)
    if os.geteuid() == 0:  # of all processes of the bot that run at a time; the fork server counts the threads of each
        _at_most(resource.RLIMIT_NPROC, COPIES * policy.threads)
    with suppress(OSError):  # should memory run out, this process goes first
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        try:
            os.write(file, b"1000")
        finally:
            os.close(file)


def _at_most(what: int, amount: int) -> None:
    _, hard = resource.getrlimit(what)
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.setrlimit(what, (amount, amount))


def drop_privileges(program: bool) -> None:
    """Give up all privileges of root, for good, and let nobody trace this process; with ``program``, also for the
    program that is to replace this one."""
    if sys.platform == "linux":
        if os.geteuid() == 0:
            # the limit of processes goes by the real user; files by the effective one, who stays their owner
            # the calls fail where there are no other users (a user namespace)
            with suppress(OSError):
                os.setgroups([])
            if not program:  # who becomes a program as another user would outlive the parent
                with suppress(OSError):
                    os.setresuid(STRANGERS + os.getpid(), 0, 0)
        _drop_capabilities(program)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_DUMPABLE, 0)


def _drop_capabilities(program: bool) -> None:
    """Give up all capabilities; processes of other users may have been given some too."""
    if program:
        with suppress(OSError):  # there are no more
            for capability in range(64):
                prctl(PR_CAPBSET_DROP, capability)
    call(CAPSET[MACHINE], CAPABILITIES, NONE_OF_THEM)
