"""The fork server: it forks, watches, kills and reaps bots' processes, as its worker orders.

It has imported what bots need of arena, so that a bot's process has it at once. It holds nothing that a bot must not
know, because its children have all of its memory.
"""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import socket
import sys
import traceback
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from typing import Any, NoReturn

import msgspec

from arena.isolation.bot.become import OUTSIDE_DESCRIPTOR, RULESET_DESCRIPTOR, ForkServerPeer, become_bot
from arena.isolation.bot.session import INPUT_DESCRIPTOR, OUTPUT_DESCRIPTOR
from arena.isolation.bot.streams import set_up_streams
from arena.isolation.server.thread_hook import forget_threads, has_threads
from arena.isolation.server.warmup import import_bundled, import_games, warm_up
from arena.isolation.wire.control import (
    EXIT_STRUCT,
    MAX_AT_ONCE,
    OVER_MEMORY,
    OVER_THREADS,
    SPAWN_ORDER,
    WARM_UP_ORDER,
    WarmUp,
    encode_pids,
    read_pids,
)
from arena.resources import bundled_folder
from arena.sandbox.cgroups import enter_group
from arena.sandbox.enclosure import Enclosure
from arena.sandbox.lock import KillOrder, LockPreparation
from arena.sandbox.memory_count import held_with_children, open_proc, process_status
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.system.garbage import collect_garbage_rarely

WATCH_INTERVAL = 0.05
"""Seconds between two checks of the children's memory and threads, while there are any."""


def serve_worker(settings: dict[str, Any], control: int) -> NoReturn:
    """Serve the worker at the other end of ``control`` until it is gone."""
    policy = msgspec.convert(settings, SandboxPolicy)
    die_with(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in policy.preload:
        with suppress(ImportError):
            __import__(name)
    import_games()
    import_bundled()
    _set_up_streams()
    worker, prepared = socket.socket(fileno=_keep_free(control)), LockPreparation(policy)
    proc = open_proc()
    order = KillOrder(proc)
    enclosure = Enclosure(_visible_paths(policy)) if policy.around else None
    _share_memory()
    children = dict[int, int]()
    """The pids of the children, each with the limit for which it was killed: 0 (none), MEMORY or THREADS."""
    with suppress(ConnectionError):  # of a worker that is gone and has not read the last answer
        while True:
            worker.settimeout(WATCH_INTERVAL if children else None)
            try:
                request, descriptors, _, _ = socket.recv_fds(worker, 65_536, 4 * MAX_AT_ONCE)
            except TimeoutError:
                _kill_over_limit(children, policy, proc)
                continue
            if not request:
                break
            if request[:1] == SPAWN_ORDER:
                spawned = list[int]()
                with enclosure.namespace(spawned) if enclosure else nullcontext():
                    outside, server = (enclosure.outside, 0) if enclosure else (-1, os.getpid())
                    _spawn(prepared, order, request[1], descriptors, spawned, ForkServerPeer(server, outside))
                for descriptor in descriptors:
                    os.close(descriptor)
                children.update(dict.fromkeys(spawned, 0))
                worker.send(encode_pids(spawned))
            elif request[:1] == WARM_UP_ORDER:
                warm_up(msgspec.json.decode(request[1:], type=WarmUp))
                _share_memory()
                worker.send(request[:1])
            else:
                ending = read_pids(request[1:])
                for pid in ending:
                    _kill(pid)
                ended = b"".join(_reap(pid, children.pop(pid, 0)) for pid in ending)
                if enclosure:
                    enclosure.forget(ending)
                worker.send(ended)
    for pid in children:
        _kill(pid)
    os._exit(0)


def _share_memory() -> None:
    """Make children share the pages of all existing objects: from now on the garbage collector, which writes to every
    object it examines, skips them. It looks as rarely as in the referee's process."""
    gc.unfreeze()
    gc.collect()
    collect_garbage_rarely()


def _set_up_streams() -> None:
    """Set up what children inherit: an empty input, streams on the descriptors of their log, an empty environment."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    set_up_streams()
    sys.dont_write_bytecode = True
    os.environ.clear()


def _keep_free(control: int) -> int:
    """Reserve the descriptors that children use; returns the new number of ``control``."""
    moved = fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, OUTSIDE_DESCRIPTOR + 1)
    for place in (INPUT_DESCRIPTOR, OUTPUT_DESCRIPTOR, RULESET_DESCRIPTOR, OUTSIDE_DESCRIPTOR):
        os.dup2(0, place)
    if control > OUTSIDE_DESCRIPTOR:
        os.close(control)
    return moved


def _visible_paths(policy: SandboxPolicy) -> Iterator[str]:
    """The paths that remain visible inside bubblewrap, besides each bot's own."""
    yield from (*policy.readable, *policy.programs, str(bundled_folder("bots").absolute()))
    yield from (path for path in sys.path if os.path.realpath(path) in policy.readable)


def _spawn(
    prepared: LockPreparation,
    order: KillOrder,
    number: int,
    descriptors: list[int],
    spawned: list[int],
    above: ForkServerPeer,
) -> None:
    """Fork ``number`` children that wait for their requests, each with its part of the descriptors, and add their pids
    to ``spawned``. If memory runs out, the kernel kills them first."""
    rulesets = [_new_ruleset(prepared) for _ in range(number)]
    if Layer.LIMITS in prepared.policy.layers:
        order.kill_first()  # it is inherited; to set it in each child is dear
    each, threads = len(descriptors) // number, has_threads()
    for place, ruleset in enumerate(rulesets):  # after each fork, the first write to a page of this process copies it
        pid = os.fork()
        if pid == 0:
            try:
                if threads:
                    forget_threads()
                own, entries = descriptors[each * place : each * place + 3], descriptors[each * place + 3 :][: each - 3]
                for entry in entries:
                    enter_group(entry)
                become_bot(prepared.policy, above, own, ruleset)
            except BaseException:
                os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
            finally:
                os._exit(70)  # whatever happens, no child goes on as a fork server
        spawned.append(pid)
    order.restore()
    for ruleset in rulesets:
        if ruleset >= 0:
            os.close(ruleset)


def _new_ruleset(prepared: LockPreparation) -> int:
    """A Landlock ruleset for one child; -1 where there is none, which the child finds out and reports."""
    try:
        return prepared.ruleset()
    except OSError:
        return -1


def _reap(pid: int, over_limit: int) -> bytes:
    """Reap a killed child and return how it ended."""
    _, status, used = os.wait4(pid, 0)
    return EXIT_STRUCT.pack(status, min(used.ru_maxrss * 1024, 2**31 - 1), used.ru_utime + used.ru_stime, over_limit)


def _kill(pid: int) -> None:
    """Kill the child and its process group; the group may not exist yet, or no longer."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _kill_over_limit(children: dict[int, int], policy: SandboxPolicy, proc: int) -> None:
    """Kill the children that exceed their limits of memory or threads, where the kernel does not enforce these."""
    for pid, killed in children.items():
        if not killed and (over := _over_limit(pid, policy, proc)):
            children[pid] = over
            _kill(pid)


def _over_limit(pid: int, policy: SandboxPolicy, proc: int) -> int:
    """The limit that the process exceeds: MEMORY, THREADS or 0 (none)."""
    found = process_status(proc, pid)
    memory = found.memory
    if Layer.SECCOMP not in policy.layers:  # it may have children, and memory that is not its own
        memory = held_with_children(proc, pid).memory
    if memory > policy.memory << 20:
        return OVER_MEMORY
    return OVER_THREADS if found.threads > policy.threads else 0
