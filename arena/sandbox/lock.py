"""The lock-down of a bot's process: layer upon layer, before anything of the bot is loaded."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterable

from arena.sandbox import landlock, seccomp
from arena.sandbox.calls import call, prctl
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, Policy

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
STRANGERS = 0x7A000000
"""Real user numbers given to bots' processes where the system's limit of processes would not bind root."""


def lock(policy: Policy, parent: int, file: str, hidden: Iterable[str] = (), command: bool = False) -> None:
    """Lay all layers of ``policy`` on this process, a child of ``parent``, for a bot in ``file``. It can read its
    folder, but for the ``hidden`` files. A ``command`` may then replace the program. Raises OSError for a layer that
    does not hold."""
    layers = policy.layers
    if Layer.LIMITS in layers:
        limit(policy, command)
    if Layer.PARENT in layers:
        die_with(parent)
    if Layer.PRIVILEGES in layers:
        drop_privileges()
    if Layer.LANDLOCK in layers:
        folder = os.path.dirname(file)
        own = list(_visible(folder, file, frozenset(hidden)))
        run = [*policy.programs, *own] if command else []
        landlock.restrict([*policy.readable, *own], run, ["/dev/null"], [folder] if folder else [])
    if Layer.SECCOMP in layers:
        seccomp.install(os.getpid(), command)


def _visible(folder: str, file: str, hidden: frozenset[str]) -> Iterable[str]:
    """What of its folder a bot may read: all of it, or where others' files are hidden there, each other entry."""
    if not folder:
        return
    if not any(path != file and path.startswith(f"{folder}/") for path in hidden):
        yield folder
        return
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if path == file or not any(other == path or other.startswith(f"{path}/") for other in hidden):
            yield path


def limit(policy: Policy, command: bool) -> None:
    """Limits of amounts: memory, processor time, open files, file size, core dumps, threads."""
    memory = policy.memory << 20
    # programs such as node reserve far more addresses than they use: for them what is written to counts
    _at_most(resource.RLIMIT_DATA if command else resource.RLIMIT_AS, memory)
    _at_most(resource.RLIMIT_CPU, policy.cpu)
    _at_most(resource.RLIMIT_NOFILE, policy.files)
    _at_most(resource.RLIMIT_FSIZE, 0)
    _at_most(resource.RLIMIT_CORE, 0)
    _at_most(resource.RLIMIT_MEMLOCK, 0)
    if os.geteuid() == 0:
        _at_most(resource.RLIMIT_NPROC, policy.threads)


def _at_most(what: int, amount: int) -> None:
    _, hard = resource.getrlimit(what)
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.setrlimit(what, (amount, amount))


def drop_privileges() -> None:
    """No new privileges by running programs, none of root's, and nobody may look inside."""
    if sys.platform == "linux":
        if os.geteuid() == 0:
            # the limit of processes goes by the real user; files by the effective one, who stays their owner
            os.setgroups([])
            os.setresuid(STRANGERS + os.getpid(), 0, 0)
            _drop_capabilities()
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_DUMPABLE, 0)


def _drop_capabilities() -> None:
    """Give up all of root's powers, for this program and those it may become."""
    from struct import pack

    from arena.sandbox.calls import MACHINE

    for capability in range(41):
        try:
            prctl(24, capability)
        except OSError:
            break
    call({"x86_64": 126}.get(MACHINE, 91), pack("=II", 0x20080522, 0), pack("=6I", 0, 0, 0, 0, 0, 0))
