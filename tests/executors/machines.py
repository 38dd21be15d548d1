"""A Dask scheduler and workers as their own commands start them, each standing for a machine of its own."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec

import arena
from tests.conftest import environment_of, warm_fork_servers
from tests.warm_start import WarmProcess, WarmStart

from .fixtures import wait_until


@lru_cache
def warm_machines() -> WarmStart:
    """The process from which schedulers and workers are forked."""
    forking = Path(__file__).with_name("warm_machines.py")
    started = WarmStart(environment_of(), warm_fork_servers().address, str(forking))
    atexit.register(started.close)
    return started


def children_of_threads(process: int) -> list[int]:
    """The processes that any thread of this one has started."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):  # it, or a thread, may end meanwhile
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


class Machines:
    """A scheduler on this machine, with workers that are told other names of hosts. All are killed in the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = (folder / "dask.log").open("ab")
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--scheduler-file", str(self.file), "--no-show")
        self.workers: dict[str, subprocess.Popen[bytes] | WarmProcess] = {}
        wait_until(self.file.exists)
        wait_until(self.file.read_text)
        self.address: str = msgspec.json.decode(self.file.read_bytes())["address"]

    def _start(self, command: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes] | WarmProcess:
        words, here = [f"distributed.cli.{command}", "--host", "127.0.0.1", *arguments], environment_of(**environment)
        if "PYTHONPATH" not in environment:  # else another arena is to be imported
            return WarmProcess(warm_machines().begin_beside(self.folder, words, here, [self._log.fileno()] * 2))
        return subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            env=here,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def join(self, host: str, threads: int = 1, **environment: str) -> subprocess.Popen[bytes] | WarmProcess:
        """Have another machine join; it takes a while."""
        environment = {"ARENA_HOST": host, **environment}
        options = ["--nthreads", str(threads), "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        self.workers[host] = self._start("dask_worker", self.address, *options, **environment)
        return self.workers[host]

    def other_code(self, changed: str) -> dict[str, str]:
        """The environment of a machine with the same version of arena, but another source in this place."""
        folder, sources = self.folder / changed.replace("/", "-"), Path(arena.__file__).parent
        shutil.copytree(sources, folder / "arena", ignore=shutil.ignore_patterns("__pycache__", "docs"))
        for name in ("bots", "configs"):
            (folder / name).symlink_to(sources.parent / name)
        with (folder / "arena" / changed).open("a") as file:
            file.write("# another\n")
        return {"PYTHONPATH": os.pathsep.join([str(folder), environment_of()["PYTHONPATH"]])}

    def kill(self, host: str) -> None:
        """Kill a worker, and nothing that it has started."""
        process = self.workers.pop(host)
        process.kill()
        process.wait()

    def stations(self, host: str) -> list[int]:
        """The stations beside a worker."""
        worker = self.workers[host]
        below = children_of_threads(worker.pid)
        return (
            [each for fork in below for each in children_of_threads(fork)] if isinstance(worker, WarmProcess) else below
        )

    def await_workers(self, number: int) -> None:
        """Wait until the scheduler has so many workers."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            wait_until(lambda: len(client.nthreads()) == number)

    def kill_all(self) -> None:
        """Kill all workers."""
        for host in list(self.workers):
            self.kill(host)

    def close(self) -> None:
        """Kill all."""
        self.kill_all()
        self.scheduler.kill()
        self.scheduler.wait()
        self._log.close()
