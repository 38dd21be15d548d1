"""The lock-down of a bot's process: layer upon layer, before anything of the bot is loaded.

A process pays for each page of memory that it touches for the first time. So what can be done from outside is
(:class:`Keys`, :func:`limit`), and what all processes of one bot have in common is laid on their common parent
(:func:`enclose`); what is each one's own is left for itself (:func:`lock`).
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterable
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
"""Real user numbers given to bots' processes where the system's limit of processes would not bind root."""


class Keys:
    """What a host keeps ready for its children's locks."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._paths: list[bytes] = []
        if Layer.LANDLOCK in policy.layers:
            readable = [landlock.open_path(path, landlock.READ) for path in policy.readable]
            self._paths = [*readable, landlock.open_path(os.devnull, landlock.WRITE)]
        if Layer.SECCOMP in policy.layers:
            for command in (False, True):
                seccomp.first(command)
            seccomp.second()

    def rules(self) -> int:
        """A ruleset for a child, of what all may read, by its descriptor; -1 where Landlock is no layer. Raises
        OSError."""
        if Layer.LANDLOCK not in self.policy.layers:
            return -1
        rules = landlock.rules()
        for opened in self._paths:
            landlock.allow(rules, opened)
        return rules


def enclose(policy: Policy, rules: int, file: str, hidden: Iterable[str] = (), program: str = "") -> None:
    """Lay on this process, and all that it will fork, what processes of the bot in ``file`` have in common: no
    privileges, which files they reach, and which system calls. To what the ruleset ``rules`` allows comes the bot's
    folder, but for the ``hidden`` files and folders in it. Where a ``program`` is to take the process over, it can
    still do so. Raises OSError for a layer that does not hold."""
    layers = policy.layers
    if Layer.PRIVILEGES in layers:
        drop_privileges(bool(program))
    if Layer.LANDLOCK in layers:
        folder = os.path.dirname(file)
        own = list(_visible(folder, file, tuple(hidden)))
        landlock.allow_all(rules, own, landlock.READ)
        if hidden:  # else it can read all of it
            landlock.allow_all(rules, [folder], landlock.LIST)
        if program:
            landlock.allow_all(rules, [*policy.programs, program, os.path.realpath(program), *own], landlock.RUN)
        landlock.restrict(rules)
    if Layer.SECCOMP in layers:
        seccomp.enclose(bool(program))


def lock(policy: Policy, parent: int, command: bool = False) -> None:
    """Close the lock of this process, a child of ``parent`` that is enclosed: what it could undo it cannot from now on.
    Its limits are laid on from outside, where the system can. Raises OSError for a layer that does not hold."""
    layers = policy.layers
    if Layer.LIMITS in layers and not FROM_OUTSIDE:
        limit(policy, command)
    if Layer.PARENT in layers:
        die_with(parent)
    if Layer.SECCOMP in layers:
        seccomp.seal(os.getpid())


def _visible(folder: str, file: str, hidden: tuple[str, ...]) -> Iterable[str]:
    """What of its folder a bot may read: all of it, or where others' files are hidden there, each other entry. Not
    links then, which lead anywhere; nor what may hold copies of hidden files (compiled ones, a repository)."""
    if not folder:
        return
    if not hidden:
        yield folder
        return
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        copies = name.startswith(".") or name == "__pycache__" or os.path.islink(path)
        if path == file or not (copies or any(other == path or other.startswith(f"{path}/") for other in hidden)):
            yield path


FROM_OUTSIDE = hasattr(resource, "prlimit")
"""Whether a parent can limit its child."""


def limit(policy: Policy, command: bool, process: int = 0) -> None:
    """Limits of amounts: memory, processor time, open files, file size, core dumps, threads; of this process, or
    of a child, where :data:`FROM_OUTSIDE` says so. Raises OSError."""
    memory = policy.memory << 20
    # programs such as node reserve far more addresses than they use: for them what is written to counts
    _at_most(process, resource.RLIMIT_DATA if command else resource.RLIMIT_AS, memory)
    if command:  # the system's own tables of what is reserved take memory too
        _at_most(process, resource.RLIMIT_AS, RESERVED)
    _at_most(process, resource.RLIMIT_CPU, policy.cpu)
    _at_most(process, resource.RLIMIT_NOFILE, policy.files)
    _at_most(process, resource.RLIMIT_FSIZE, 0)
    _at_most(process, resource.RLIMIT_CORE, 1)  # at 0 the system would hand a dump to a program that collects them
    _at_most(process, resource.RLIMIT_MEMLOCK, 0)
    if os.geteuid() == 0:  # of all processes of the bot that run at a time; the host counts the threads of each
        _at_most(process, resource.RLIMIT_NPROC, COPIES * policy.threads)
    with suppress(OSError):  # should memory run out, this process goes first
        file = os.open(f"/proc/{process or 'self'}/oom_score_adj", os.O_WRONLY)
        try:
            os.write(file, b"1000")
        finally:
            os.close(file)


def _at_most(process: int, what: int, amount: int) -> None:
    _, hard = resource.getrlimit(what)
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    if process:
        resource.prlimit(process, what, (amount, amount))
    else:
        resource.setrlimit(what, (amount, amount))


def drop_privileges(command: bool) -> None:
    """No new privileges, none of root's (for a ``command``: nor for programs it may become), and nobody may look in."""
    if sys.platform == "linux":
        if os.geteuid() == 0:
            # the limit of processes goes by the real user; files by the effective one, who stays their owner
            # the calls fail where there are no other users (a user namespace)
            with suppress(OSError):
                os.setgroups([])
            if not command:  # who becomes a program as another user would outlive the parent
                with suppress(OSError):
                    os.setresuid(STRANGERS + os.getpid(), 0, 0)
        _drop_capabilities(command)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_DUMPABLE, 0)


def _drop_capabilities(command: bool) -> None:
    """Give up all of root's powers, which others may have been given some of."""
    if command:
        with suppress(OSError):  # there are no more
            for capability in range(64):
                prctl(PR_CAPBSET_DROP, capability)
    call(CAPSET[MACHINE], CAPABILITIES, NONE_OF_THEM)
