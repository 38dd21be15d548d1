"""Fork servers without the time that a start takes: each is forked from a process that has imported what a fork server
imports, and begins where a fork server begins to serve. Tests of isolation itself have real ones.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parents[1]
REQUEST_BYTES = 1 << 16
PID_BYTES = 8
WARMUP_ASKS = 20
"""Asks in each match that warms up, which saves time where many matches follow."""


class WarmForkServers:
    """A process from which fork servers are forked for this process and those that it starts; it listens on a socket
    in this folder. The caller must close it."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "warm")
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listening.bind(self.address)
        listening.listen(64)
        with listening:
            self._process = subprocess.Popen(
                [sys.executable, "-s", __file__, str(listening.fileno())],
                cwd=ROOT,
                env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
                pass_fds=[listening.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def close(self) -> None:
        """End it; the fork servers end with their workers."""
        self._process.kill()
        self._process.wait()


class WarmServer:
    """A fork server's process, as far as a worker uses :class:`subprocess.Popen`."""

    def __init__(self, address: str, policy: Any, control: int) -> None:
        self._life = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._life.connect(address)
        request = msgspec.json.encode({"path": sys.path, "policy": policy})
        socket.send_fds(self._life, [request], [control, 2])
        self.pid = int.from_bytes(self._life.recv(PID_BYTES), "little")

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; its exit code counts for nothing."""
        if self._life.fileno() >= 0 and not select.select([self._life], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("a warm fork server", timeout or 0.0)
        self._life.close()
        return 0

    def poll(self) -> int | None:
        """None as long as it runs."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def kill(self) -> None:
        """End it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def starting_warm(address: str, start_cold: Callable[[Any, int], Any]) -> Callable[[Any, int], Any]:
    """What takes the place of :func:`arena.isolation.worker.fork_server.start_server`."""
    pure = os.environ.get("ARENA_PURE")

    def start(policy: Any, control: int) -> Any:
        if policy.around or os.environ.get("ARENA_PURE") != pure:
            return start_cold(policy, control)
        return WarmServer(address, policy, control)

    return start


def serve(listening: socket.socket) -> tuple[dict[str, Any], int]:
    """Fork a process for each request; in it, what the fork server is told, and the descriptor that it serves."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    while True:
        life, _ = listening.accept()
        request, descriptors, _, _ = socket.recv_fds(life, REQUEST_BYTES, 2)
        if not request:  # who wanted one was killed before asking
            life.close()
            continue
        child = os.fork()
        if child == 0:
            listening.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            control, errors = descriptors
            for number in (1, 2):
                os.dup2(errors, number)
            os.close(errors)
            life.detach()  # closed when this process ends
            return json.loads(request), control
        for each in descriptors:
            os.close(each)
        with suppress(BrokenPipeError, ConnectionResetError):  # who asked was killed; the child will notice, too
            life.send(child.to_bytes(PID_BYTES, "little"))
        life.close()


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    from arena.config.editions import load_edition
    from arena.isolation.server import serve_worker, warmup
    from arena.isolation.wire.control import WarmUp
    from arena.system.garbage import collect_garbage_rarely

    warmup.WARMUP_ASKS = WARMUP_ASKS
    serve_worker.import_games()
    serve_worker.import_bundled()
    for edition in ("eagle-gryphon", "card-game"):  # what is remembered of any rules
        rules = load_edition(edition)
        warmup.warm_up(WarmUp(rules.game, msgspec.Raw(msgspec.json.encode(rules.rules)), 4))
    gc.collect()
    serve_worker._share_memory = collect_garbage_rarely  # nothing is left to collect
    told, control = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.path[:] = told["path"]
    serve_worker.serve_worker(told["policy"], control)
