"""The ``arena`` command in a process of its own without the time that a start takes: the process is forked from one
that has imported arena already, and begins where ``python -m arena`` begins. Most of what tests start so, they start
for the process, not for the start; what is tested of the start itself goes the whole way.
"""

from __future__ import annotations

import fcntl
import gc
import json
import multiprocessing
import os
import runpy
import select
import signal
import socket
import stat
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import IO, Any

ROOT = Path(__file__).parents[1]
AT_START = ("PYTHON", "ARENA_PURE", "LD_", "LANG", "LC_")
"""What is read when an interpreter starts: with another environment of these, nothing can be forked; but for folders
that come before arena's in PYTHONPATH."""
STATUS = struct.Struct("i")
STREAMS = 1, 2, 0
"""The numbers of standard output, error and input, in the order in which they are sent."""
REQUEST_BYTES = 1 << 20


def at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that is read when an interpreter, or arena, starts."""
    found = {name: value for name, value in environment.items() if name.startswith(AT_START)}
    if "ARENA_PURE" not in found:  # else another engine may lie in these folders
        found["PYTHONPATH"] = found["PYTHONPATH"].rpartition(os.pathsep)[2]
    return found


class WarmStart:
    """A process from which commands are forked, in an environment whose part :func:`at_start` is this one's. The caller
    must close it. Their fork servers come from the process that listens at the address ``fork_servers``. The process
    runs the script ``forking``: this one, or another that forks something else than the ``arena`` command."""

    def __init__(self, environment: Mapping[str, str], fork_servers: str, forking: str = __file__) -> None:
        self.environment = at_start(environment)
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for kind in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            self._socket.setsockopt(socket.SOL_SOCKET, kind, REQUEST_BYTES)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, forking, str(theirs.fileno()), fork_servers],
                cwd=ROOT,
                env={**environment, "PYTHONHASHSEED": "0"},  # that with which the command starts itself again
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def run(self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str, str]:
        """The exit code, standard output and error of ``python -m arena`` with these arguments, begun in this folder.
        A negative code is the number of the signal that ended it."""
        with TemporaryFile() as out, TemporaryFile() as err:
            self.start(folder, arguments, environment, [out.fileno(), err.fileno()])
            code, texts = self.wait(), []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode().replace("\r\n", "\n"))
        assert code is not None
        return code, texts[0], texts[1]

    def start(
        self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[int]
    ) -> int:
        """Begin such a command, and give the id of its process, which leads a session of its own. Its ``streams`` are
        standard output, error, and input if it is to have any. Before the next one begins, wait for it."""
        self._send(folder, arguments, environment, streams)
        (process,) = STATUS.unpack(self._socket.recv(STATUS.size))
        return int(process)

    def launch(self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> WarmCommand:
        """Begin such a command beside others."""
        (out, its_out), (err, its_err) = os.pipe(), os.pipe()
        life = self.begin_beside(folder, arguments, environment, [its_out, its_err])
        for each in (its_out, its_err):
            os.close(each)
        return WarmCommand(life, out, err)

    def begin_beside(
        self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[int]
    ) -> socket.socket:
        """Begin such a command beside others; where its number is told, and how it has ended."""
        life, its_life = socket.socketpair()
        with its_life:
            self._send(folder, arguments, environment, [*streams, its_life.fileno()], beside=True)
        return life

    def _send(
        self,
        folder: Path,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        descriptors: Sequence[int],
        beside: bool = False,
    ) -> None:
        request = json.dumps([str(folder), list(arguments), dict(environment), beside]).encode()
        socket.send_fds(self._socket, [request], list(descriptors))

    def wait(self, seconds: float | None = None) -> int | None:
        """The exit code of the command; None where it has not ended in so many seconds."""
        if not select.select([self._socket], [], [], seconds)[0]:
            return None
        (status,) = STATUS.unpack(self._socket.recv(STATUS.size))
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """End it."""
        self._socket.close()
        self._process.wait()


class WarmProcess:
    """A process that runs beside others, as far as tests use :class:`subprocess.Popen`. At ``life`` its number is told,
    and how it has ended."""

    def __init__(self, life: socket.socket) -> None:
        self._life = life
        self.returncode: int | None = None
        (self.pid,) = STATUS.unpack(life.recv(STATUS.size))

    def poll(self) -> int | None:
        """Its exit code; None as long as it runs."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; its exit code, or minus the number of the signal that ended it."""
        if self.returncode is None:
            if not select.select([self._life], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a warm process", timeout or 0.0)
            (status,) = STATUS.unpack(self._life.recv(STATUS.size))
            self.returncode = os.waitstatus_to_exitcode(status)
            self._life.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


class WarmCommand(WarmProcess):
    """A command that runs beside others; ``out`` and ``err`` are the ends of its pipes. As with
    :class:`subprocess.Popen`, None in the place of a pipe says that somebody else has closed it."""

    def __init__(self, life: socket.socket, out: int, err: int) -> None:
        super().__init__(life)
        self.stdout: IO[bytes] | None = os.fdopen(out, "rb")
        self.stderr: IO[bytes] | None = os.fdopen(err, "rb")

    def communicate(self, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Wait until it has ended; what it has written since it was last read."""
        texts: dict[int, bytes] = {}
        pipes = [pipe for pipe in (self.stdout, self.stderr) if pipe is not None and not pipe.closed]

        def read(pipe: IO[bytes]) -> None:
            texts[id(pipe)] = pipe.read()

        readers = [Thread(target=read, args=[pipe], daemon=True) for pipe in pipes]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout)
            if reader.is_alive():
                raise subprocess.TimeoutExpired("a warm command", timeout or 0.0)
        for pipe in pipes:
            pipe.close()
        self.wait(timeout)
        return texts.get(id(self.stdout), b""), texts.get(id(self.stderr), b"")

    def close(self) -> None:
        """Kill it if it still runs."""
        self.kill()
        self.wait()
        for each in (self.stdout, self.stderr):
            if each is not None:
                each.close()


def serve(control: socket.socket) -> list[str] | None:
    """Fork a process for each request; in it, the arguments of its command, where everything is as at its start. None
    where no more requests come."""
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, REQUEST_BYTES, len(STREAMS))
        if not request:
            return None
        *told, beside = json.loads(request)
        keeper = os.fork() if beside else 0  # who waits for a command that runs beside others
        if keeper:
            for each in descriptors:
                os.close(each)
            continue
        if beside:
            control = socket.socket(fileno=descriptors.pop())
        child = os.fork()
        if child == 0:
            control.close()
            return begin(told, descriptors)
        for each in descriptors:
            os.close(each)
        control.send(STATUS.pack(child))
        control.send(STATUS.pack(os.waitpid(child, 0)[1]))
        if beside:
            os._exit(0)


def begin(told: Sequence[Any], descriptors: Sequence[int]) -> list[str]:
    """Make this process what it is told to be; the arguments of its command."""
    os.setsid()
    folder, arguments, environment = told
    os.chdir(folder)
    for number, each in zip(STREAMS, descriptors, strict=False):
        os.dup2(each, number)
        os.close(each)
    if len(descriptors) == len(STREAMS):  # a terminal
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # whose keys stop it
        sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)
    if not stat.S_ISREG(os.fstat(1).st_mode):  # one cannot seek as in the files of this process
        sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)
        sys.stderr = sys.__stderr__ = os.fdopen(2, "w", errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update({**environment, "PYTHONHASHSEED": "0"})
    sys.path[:2] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
    return list(arguments)


def load_arena() -> None:
    """Import the modules of all commands and what most of them import when they are called, and measure this machine,
    as each run does. The garbage collector need not look at that in each process: it would copy the pages."""
    cli = import_module("arena.cli.main").cli
    for entry in cli.table.values():
        import_module(entry.module)
    for name in (
        "executors.process_pool.pool",
        "games.board.presenting",
        "games.cards.presenting",
        "ladder.play.play_ladder",
        "recorded",
        "runs.play_run",
        "tournament.measures.tally",
        "tournament.standings.standings",
        "tournament.standings.standings_text",
        "web.report.write_report",
    ):
        import_module(f"arena.{name}")
    import_module("arena.runs.machine_speed").this_machine()
    import_module("arena.analysis.process_map").CONTEXT = multiprocessing.get_context("fork")
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    assert sys.path[1] == os.environ["PYTHONPATH"]
    from arena.isolation.worker import fork_server
    from tests.warm_fork_servers import starting_warm

    load_arena()
    fork_server.start_server = starting_warm(sys.argv[2], fork_server.start_server)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    words = serve(socket.socket(fileno=int(sys.argv[1])))
    if words is not None:
        sys.argv = ["arena", *words]
        sys.orig_argv = [sys.executable, "-m", "arena", *words]
        runpy.run_module("arena", run_name="__main__", alter_sys=True)
