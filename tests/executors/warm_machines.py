"""Dask workers and schedulers, and the stations beside workers, without the time that their starts take: each is forked
from a process that has imported what it imports. A station is forked by a process below its worker, where it would be
if the worker had started it.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import dask

from arena.executors.dask import cluster_task, cluster_worker
from arena.isolation.worker import fork_server
from tests.warm_fork_servers import PID_BYTES, WarmServer, starting_warm
from tests.warm_start import serve

ROOT = Path(__file__).parents[2]
OTHER_VERSION = "OTHER_VERSION"
"""The variable of the environment that says which version of arena a machine has, if it has another one."""


class WarmStations:
    """Forks stations, as far as a Dask worker uses the module :mod:`subprocess`. It must be made before the worker has
    threads."""

    PIPE = subprocess.PIPE

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        if os.fork() == 0:
            self._control.close()
            fork_stations(theirs)
        theirs.close()

    def Popen(self, command: Sequence[str], **_: Any) -> WarmStation:  # as in subprocess
        """A station for as many matches at once as the last word says."""
        (its_in, ours_in), (ours_out, its_out), (life, its_life) = os.pipe(), os.pipe(), socket.socketpair()
        with self._lock, its_life:
            socket.send_fds(self._control, [json.dumps(command[-1]).encode()], [its_in, its_out, its_life.fileno()])
        for each in (its_in, its_out):
            os.close(each)
        return WarmStation(life, ours_in, ours_out)


class WarmStation(WarmServer):
    """A station's process, as far as a Dask worker uses :class:`subprocess.Popen`."""

    def __init__(self, life: socket.socket, ours_in: int, ours_out: int) -> None:
        self._life = life
        self.pid = int.from_bytes(life.recv(PID_BYTES), "little")
        self.stdin, self.stdout = os.fdopen(ours_in, "wb"), os.fdopen(ours_out, "rb")


def fork_stations(control: socket.socket) -> None:
    """Fork a station for each request, until no more requests come."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, 1024, 3)
        if not request:
            os._exit(0)
        child = os.fork()
        if child == 0:
            control.close()
            be_station(json.loads(request), descriptors)
        with socket.socket(fileno=descriptors.pop()) as life:
            life.send(child.to_bytes(PID_BYTES, "little"))
        for each in descriptors:
            os.close(each)


def be_station(jobs: str, descriptors: Sequence[int]) -> None:
    """Be a station with these descriptors as input and output; the last is closed when this process ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setsid()
    for number, each in zip((0, 1), descriptors, strict=False):
        os.dup2(each, number)
        os.close(each)
    sys.argv = ["-c", jobs]
    try:
        cluster_worker.station_main()
    finally:
        os._exit(0)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    for name in ("distributed", "distributed.nanny", "distributed.scheduler", "distributed.worker"):
        import_module(name)
    for name in ("commands.run.command", "executors.dask.cluster", "runs.play_run", "tournament.measures.tally"):
        import_module(f"arena.{name}")  # for runs on clusters
    dask.config.set(
        {"distributed.worker.profile.enabled": False, "distributed.admin.system-monitor.interval": "10s"}
    )  # what a worker does beside its tasks
    fork_server.start_server = starting_warm(sys.argv[2], fork_server.start_server)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    words = serve(socket.socket(fileno=int(sys.argv[1])))
    if words is not None:
        if words[0] != "arena":
            vars(cluster_task)["subprocess"] = WarmStations()
        sys.argv = words
        sys.orig_argv = [sys.executable, "-m", *words]
        if version := os.environ.get(OTHER_VERSION):
            vars(cluster_task)["__version__"] = version
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
