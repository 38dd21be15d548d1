"""The host process itself: it forks, watches, ends and reaps the bots' processes, at the word of its worker.

It is trusted and warm: what bots need of arena has been imported, so that a child has it at once. It holds nothing
that a bot must not know, because a child can look into all of it.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import struct
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from arena.players.boot import ADOPT, ENDED, PROGRAM, REHEARSE, SEATS, SPAWN, ZYGOTE
from arena.players.child import INPUT, OUTPUT, RULES, board
from arena.players.immortal import share
from arena.players.rehearsal import Rules, import_games, rehearse
from arena.sandbox.lock import FROM_OUTSIDE, Keys, limit
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Layer, Policy

LOOK = 0.05
"""Seconds between looks at what the children hold, while there are any."""


def main(settings: dict[str, Any], control: int) -> NoReturn:
    """Serve the worker at the other end of ``control`` until it is gone."""
    policy = msgspec.convert(settings, Policy)
    die_with(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in policy.preload:
        with suppress(ImportError):
            __import__(name)
    import_games()
    _furnish()
    worker, keys = socket.socket(fileno=_keep_free(control)), Keys(policy)
    share()
    children, zygotes, strays = dict[int, int](), set[int](), False
    while True:
        worker.settimeout(LOOK if children else None)
        try:
            request, descriptors, _, _ = socket.recv_fds(worker, 65_536, 3 * SEATS)
        except TimeoutError:
            _look(children, policy)
            continue
        if not request:
            for child in (*children, *zygotes):
                _kill(child)
            os._exit(0)
        if request[:1] == SPAWN:
            spawned = _spawn(keys, request[1:], descriptors)
            for child, kind in zip(spawned, request[1:], strict=True):
                if kind == ZYGOTE:
                    zygotes.add(child)
                else:
                    children[child] = 0
            worker.send(struct.pack(f"={len(spawned)}i", *spawned))
        elif request[:1] == ADOPT:
            born = struct.unpack(f"={len(request) // 4}i", request[1:])
            ours = [child for child in born if _is_ours(child)]
            children.update(dict.fromkeys(ours, 0))
            worker.send(ADOPT + struct.pack(f"={len(ours)}i", *ours))
        elif request[:1] == REHEARSE:
            rehearse(msgspec.json.decode(request[1:], type=Rules))
            share(anew=True)
            worker.send(request[:1])
        else:
            ending = struct.unpack(f"={len(request) // 4}i", request[1:])
            for child in ending:
                _kill(child)
            told = b"".join(_reap(child, children.pop(child, 0)) for child in ending)
            if zygotes.intersection(ending):
                zygotes.difference_update(ending)
                strays = True  # it may have forked whom nobody has heard of
            elif strays:
                _end_strays({*children, *zygotes})
                strays = False
            worker.send(told)


def _furnish() -> None:
    """What children find: nothing on their input, streams on the descriptors of their log, an empty environment."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        log = open(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        setattr(sys, name, log)
        setattr(sys, f"__{name}__", log)
    sys.dont_write_bytecode = True
    os.environ.clear()


def _keep_free(control: int) -> int:
    """Take the descriptors that children have their own at; where ``control`` is then."""
    moved = fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, RULES + 1)
    for place in (INPUT, OUTPUT, RULES):
        os.dup2(0, place)
    if control > RULES:
        os.close(control)
    return moved


def _spawn(keys: Keys, kinds: bytes, descriptors: list[int]) -> list[int]:
    """A child for each three descriptors, limited, that waits for its letter."""
    host, spawned, rulesets = os.getpid(), list[int](), list[int]()
    for place in range(len(kinds)):
        try:
            rules = keys.rules()
        except OSError:
            rules = -1  # the child finds none, and says so
        child = os.fork()
        if child == 0:
            try:
                board(keys.policy, host, descriptors[3 * place : 3 * place + 3], rules)
            except BaseException:
                os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
            finally:
                os._exit(70)  # whatever happens, no child goes on as a host
        spawned.append(child)
        rulesets.append(rules)
    if FROM_OUTSIDE and Layer.LIMITS in keys.policy.layers:
        for child, kind in zip(spawned, kinds, strict=True):
            try:
                limit(keys.policy, kind == PROGRAM, child)
            except OSError:
                _kill(child)  # rather than to run without
    for descriptor in (*descriptors, *rulesets):
        if descriptor >= 0:
            os.close(descriptor)
    return spawned


def _is_ours(child: int) -> bool:
    """Whether this is the number of a child of this process."""
    try:
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except OSError:
        return False
    return child > 0


def _reap(child: int, greedy: int) -> bytes:
    """How a killed child ended."""
    _, status, used = os.wait4(child, 0)
    memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return ENDED.pack(status, min(memory, 2**31 - 1), used.ru_utime + used.ru_stime, greedy)


def _end_strays(known: set[int]) -> None:
    """End and reap all children but those that are known. Between matches there are no others that are wanted."""
    with suppress(OSError):  # a system that does not list them
        listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        for child in {int(child) for child in listed.split()} - known:
            _kill(child)
            os.waitpid(child, 0)


def _kill(child: int) -> None:
    """Kill the child and its process group; the group may not be there yet, or not any more."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)


def _look(children: dict[int, int], policy: Policy) -> None:
    """End the children that hold more memory or threads than they may, as far as the limits of the system do not."""
    for child, greedy in children.items():
        if not greedy and _holds_too_much(child, policy):
            children[child] = 1
            _kill(child)


def _holds_too_much(child: int, policy: Policy) -> bool:
    try:
        with open(f"/proc/{child}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return False
    threads, pages = int(fields[17]), int(fields[21])
    return threads > policy.threads or pages * os.sysconf("SC_PAGESIZE") > policy.memory << 20
