"""The host process itself: it forks, watches, ends and reaps the bots' processes, at the word of its worker.

It is trusted and warm: what bots need of arena has been imported, so that a child has it at once. It holds nothing
that a bot must not know, because a child can look into all of it.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import struct
import sys
import traceback
from contextlib import suppress
from typing import Any, NoReturn

import msgspec

from arena.players.child import board
from arena.players.host import ENDED, REHEARSE, SPAWN
from arena.players.rehearsal import Rules, import_games, rehearse
from arena.sandbox.parent import die_with
from arena.sandbox.policy import Policy

LOOK = 0.02
"""Seconds between looks at what the children hold, while there are any."""
_PID = struct.Struct("=i")


def main(settings: dict[str, Any], control: int) -> NoReturn:
    """Serve the worker at the other end of ``control`` until it is gone."""
    policy = msgspec.convert(settings, Policy)
    die_with(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in policy.preload:
        with suppress(ImportError):
            __import__(name)
    import_games()
    worker = socket.socket(fileno=control)
    gc.collect()
    gc.freeze()  # children share these pages as long as nobody writes to them
    children: dict[int, int] = {}
    while True:
        worker.settimeout(LOOK if children else None)
        try:
            request, descriptors, _, _ = socket.recv_fds(worker, 65_536, 3)
        except TimeoutError:
            _look(children, policy)
            continue
        if not request:
            for child in children:
                _kill(child)
            os._exit(0)
        if request[:1] == SPAWN:
            child = _fork(policy, worker, descriptors)
            children[child] = 0
            worker.send(_PID.pack(child))
        elif request[:1] == REHEARSE:
            rehearse(msgspec.json.decode(request[1:], type=Rules))
            gc.freeze()
            worker.send(request[:1])
        else:
            (child,) = _PID.unpack_from(request, 1)
            _kill(child)
            _, status, used = os.wait4(child, 0)
            memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            worker.send(ENDED.pack(status, min(memory, 2**31 - 1), used.ru_utime + used.ru_stime, children.pop(child)))


def _fork(policy: Policy, worker: socket.socket, descriptors: list[int]) -> int:
    host = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            worker.close()
            board(policy, host, descriptors)
        except BaseException:
            os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
        finally:
            os._exit(70)  # whatever happens, no child goes on as a host
    for descriptor in descriptors:
        os.close(descriptor)
    return child


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
