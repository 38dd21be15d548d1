"""A Dask scheduler and workers as their own commands start them, each standing for a machine of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import msgspec

import arena
from tests.conftest import environment_of

from .fixtures import wait_until


class Machines:
    """A scheduler on this machine, with workers that are told other names of hosts. All are killed in the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = (folder / "dask.log").open("ab")
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--scheduler-file", str(self.file), "--no-show")
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        wait_until(self.file.exists)
        wait_until(self.file.read_text)
        self.address: str = msgspec.json.decode(self.file.read_bytes())["address"]

    def _start(self, command: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{command}", "--host", "127.0.0.1", *arguments],
            cwd=self.folder,
            env=environment_of(**environment),
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def join(self, host: str, threads: int = 1, **environment: str) -> subprocess.Popen[bytes]:
        """Have another machine join; it takes a while."""
        environment = {"ARENA_HOST": host, **environment}
        options = ["--nthreads", str(threads), "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        self.workers[host] = self._start("dask_worker", self.address, *options, **environment)
        return self.workers[host]

    def other_version(self, version: str) -> dict[str, str]:
        """The environment of a machine with another version of arena."""
        folder = self.folder / f"arena-{version}"
        folder.mkdir(exist_ok=True)
        (folder / "sitecustomize.py").write_text(dedent(f"import arena\narena.__version__ = {version!r}\n"))
        return {"PYTHONPATH": os.pathsep.join([str(folder), environment_of()["PYTHONPATH"]])}

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
        tasks = Path(f"/proc/{self.workers[host].pid}/task")
        found: list[int] = []
        for task in tasks.iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end meanwhile
                found += [int(child) for child in (task / "children").read_text().split()]
        return found

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
