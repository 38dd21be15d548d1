"""The worker's end of a fork server: starts the fork server, makes it fork and end bots' processes, and closes it.

The fork server does not learn which bot a process is to become; that goes through the process's own pipe.
"""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec

from arena.engine import PURE_VARIABLE
from arena.errors import ArenaError, ForkServerLost, UserError
from arena.isolation.wire.control import (
    END_ORDER,
    EXIT_STRUCT,
    MAX_AT_ONCE,
    OVER_MEMORY,
    SPAWN_ORDER,
    WARM_UP_ORDER,
    encode_pids,
    read_pids,
)
from arena.sandbox.cgroups import SPARE_BYTES, MemoryGroup
from arena.sandbox.policy import SandboxPolicy
from arena.system.platform_support import isolation_refusal


class ProcessExit(NamedTuple):
    """How a bot's process ended: its wait status, its peak memory in bytes, seconds of CPU time, and whether it was
    killed for exceeding a limit (:data:`arena.isolation.wire.control.EXIT_STRUCT`)."""

    status: int
    memory: int
    cpu: float
    over_limit: int


class ForkServer:
    """A fork server under one policy. The caller must close it. ``codes`` caches bots' compiled code by path and
    digest. Raises UserError where the system has none."""

    def __init__(self, policy: SandboxPolicy) -> None:
        if refusal := isolation_refusal():
            raise UserError(refusal)
        self.policy = policy
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = start_server(policy, theirs.fileno())
        self._socket = ours
        self._lock = Lock()
        """Held from a request to its answer."""
        self._free: list[MemoryGroup] = []
        self._groups: dict[int, MemoryGroup] = {}
        """The groups in use, by the pid of their process; unused groups are in ``_free``."""
        self._warm: set[bytes] = set()
        """The rules for which it has warmed up."""
        self._played: set[bytes] = set()
        """The games of the matches so far, and their rules."""
        self._works = False
        """Whether it has ever answered."""
        self.codes: dict[tuple[str, str], bytes] = {}

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, and another one is needed."""
        return self._process.poll() is not None

    @property
    def pid(self) -> int:
        """The pid of the process that the worker started: the fork server, or bubblewrap around it."""
        return self._process.pid

    def warm_up(self, game: str, rules: object, players: int) -> None:
        """Make it warm up for matches under these rules, if it has not yet: before the first match of the game, and
        before the second under other rules of it, because that takes as long as several matches, and some rules are
        played only once, as in a check. Raises ArenaError."""
        name, wanted = game.encode(), msgspec.json.encode({"game": game, "rules": rules, "players": players})
        is_due = name not in self._played or wanted in self._played
        self._played |= {name, wanted}
        if is_due and wanted not in self._warm:
            self._warm.add(wanted)
            self._ask(WARM_UP_ORDER + wanted)

    def spawn(self, ends: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Fork a process for each triple of descriptors, which become its input, output and log. Returns their pids.
        Raises ArenaError."""
        if not ends:
            return ()
        try:
            with self._lock:
                groups = [self._group() for _ in ends] if self.policy.groups else []
                if groups:
                    ends = [(*each, group.entry) for each, group in zip(ends, groups, strict=True)]
                order = [SPAWN_ORDER + bytes([len(ends)])]
                socket.send_fds(self._socket, order, [each for own in ends for each in own])
                pids = read_pids(self._answer())
        except (OSError, struct.error) as problem:
            raise self._lost(f"failed: {problem!r}") from None
        self._groups.update(zip(pids, groups, strict=False))
        return pids

    def _group(self) -> MemoryGroup:
        """A memory group for one process. Raises OSError."""
        return (
            self._free.pop()
            if self._free
            else MemoryGroup(self.policy.groups, (self.policy.memory << 20) + SPARE_BYTES)
        )

    def end(self, pids: Sequence[int]) -> list[ProcessExit]:
        """Kill processes with their process groups, if they still run, and remove them. Raises ArenaError."""
        ended = self._ask(END_ORDER + encode_pids(pids))
        exits = [ProcessExit(*each) for each in EXIT_STRUCT.iter_unpack(ended)]
        return [self._judged(pid, exit) for pid, exit in zip(pids, exits, strict=True)] if self._groups else exits

    def _judged(self, pid: int, exit: ProcessExit) -> ProcessExit:
        """How the process ended, taking its memory group into account, which is then free."""
        group = self._groups.pop(pid, None)
        if group is None:
            return exit
        over = exit.over_limit or (OVER_MEMORY if group.ran_out() else 0)
        if group.is_empty():
            self._free.append(group)
        else:
            group.close()
        return exit._replace(over_limit=over)

    def local_pid(self, pid: int) -> int:
        """The pid of a bot's process in this process's own namespace: inside bubblewrap pids are numbered separately. 0
        where it cannot be determined."""
        if not self.policy.around:
            return pid
        below = [self.pid]
        for process in below:
            with suppress(OSError, ValueError, IndexError):
                status = Path(f"/proc/{process}/status").read_text()
                counted = status.partition("NSpid:")[2].partition("\n")[0].split()
                if counted[1:2] == [str(pid)]:  # here, where its fork server is, in its match's own namespace
                    return process
                below += map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
        return 0

    def close(self) -> None:
        """End the fork server, and all bots' processes with it."""
        with suppress(OSError):
            self._socket.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for group in (*self._free, *self._groups.values()):
            group.close()
        self._free, self._groups = [], {}

    def _ask(self, request: bytes) -> bytes:
        try:
            with self._lock:
                self._socket.send(request)
                return self._answer()
        except OSError as problem:
            raise self._lost(f"failed: {problem!r}") from None

    def _answer(self) -> bytes:
        answer = self._socket.recv(EXIT_STRUCT.size * MAX_AT_ONCE)
        if not answer:
            raise self._lost("has ended")
        self._works = True
        return answer

    def _lost(self, how: str) -> ArenaError:
        kind = ForkServerLost if self._works else ArenaError
        return kind(f"the fork server of isolated bots {how}")


class ForkServers:
    """The fork servers of one worker, one for each policy, started on demand. The caller must close it."""

    def __init__(self) -> None:
        self._by_policy: dict[bytes, ForkServer] = {}

    def server_for(self, policy: SandboxPolicy) -> ForkServer:
        """The fork server for this policy."""
        key = msgspec.json.encode(policy)
        if key not in self._by_policy:
            self._by_policy[key] = ForkServer(policy)
        return self._by_policy[key]

    def replace(self) -> None:
        """End them after a failure, so that the next match has new ones."""
        self.close()

    def close(self) -> None:
        """End them all."""
        while self._by_policy:
            self._by_policy.popitem()[1].close()

    def __enter__(self) -> ForkServers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SharedForkServers(ForkServers):
    """Fork servers for matches that are played at the same time, by threads of this process."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()

    def server_for(self, policy: SandboxPolicy) -> ForkServer:
        """The fork server for this policy."""
        with self._lock:
            return super().server_for(policy)

    def replace(self) -> None:
        """Forget those that have ended; the others serve other matches."""
        with self._lock:
            for key, server in list(self._by_policy.items()):
                if server.has_ended:
                    self._by_policy.pop(key).close()


def start_server(policy: SandboxPolicy, control: int) -> subprocess.Popen[bytes]:
    """Start the process of a fork server that serves the descriptor ``control``."""
    settings = msgspec.json.encode({"path": sys.path, "policy": policy}).decode()
    return subprocess.Popen(
        [*policy.around, sys.executable, "-s", "-c", _PROGRAM, settings, str(control)],
        pass_fds=[control],
        stdin=subprocess.DEVNULL,
        stdout=2,
        env=server_environment(),
        start_new_session=True,  # what a terminal sends, closed or on Ctrl-C, the worker alone answers
    )


_PROGRAM = """\
import json, sys
settings = json.loads(sys.argv[1])
sys.path[:] = settings["path"]
import arena.isolation.server.thread_hook
from arena.isolation.server.serve_worker import serve_worker
serve_worker(settings["policy"], int(sys.argv[2]))
"""


def server_environment() -> dict[str, str]:
    """The complete environment of the fork server; bots' processes have less."""
    kept = {"PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "random"), "PYTHONDONTWRITEBYTECODE": "1"}
    if PURE_VARIABLE in os.environ:
        kept[PURE_VARIABLE] = os.environ[PURE_VARIABLE]
    return kept | dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
