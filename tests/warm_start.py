"""The ``arena`` command in a process of its own without the time that a start takes: the process is forked from one
that has imported arena already, and begins where ``python -m arena`` begins. Most of what tests start so, they start
for the process, not for the start; what is tested of the start itself goes the whole way.
"""

from __future__ import annotations

import fcntl
import json
import os
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

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
    must close it. Their fork servers come from the process that listens at the address ``fork_servers``."""

    def __init__(self, environment: Mapping[str, str], fork_servers: str) -> None:
        self.environment = at_start(environment)
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for kind in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            self._socket.setsockopt(socket.SOL_SOCKET, kind, REQUEST_BYTES)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), fork_servers],
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
        request = json.dumps([str(folder), list(arguments), dict(environment)]).encode()
        socket.send_fds(self._socket, [request], list(streams))
        (process,) = STATUS.unpack(self._socket.recv(STATUS.size))
        return int(process)

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


def serve(control: socket.socket) -> list[str] | None:
    """Fork a process for each request; in it, the arguments of its command, where everything is as at its start. None
    where no more requests come."""
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, REQUEST_BYTES, len(STREAMS))
        if not request:
            return None
        child = os.fork()
        if child == 0:
            control.close()
            return begin(request, descriptors)
        for each in descriptors:
            os.close(each)
        control.send(STATUS.pack(child))
        control.send(STATUS.pack(os.waitpid(child, 0)[1]))


def begin(request: bytes, descriptors: Sequence[int]) -> list[str]:
    """Make this process what the request wants; the arguments of its command."""
    os.setsid()
    folder, arguments, environment = json.loads(request)
    os.chdir(folder)
    for number, each in zip(STREAMS, descriptors, strict=False):
        os.dup2(each, number)
        os.close(each)
    if len(descriptors) == len(STREAMS):  # a terminal, at which one cannot seek as in the files of this process
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # whose keys stop it
        sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)
        sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)
        sys.stderr = sys.__stderr__ = os.fdopen(2, "w", errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update({**environment, "PYTHONHASHSEED": "0"})
    sys.path[:2] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
    return list(arguments)


def load_arena() -> None:
    """Import what most commands need, and measure this machine, as each run does."""
    for name in (
        "cli.main",
        "cli.options.match_options",
        "cli.options.series_options",
        "commands.run.command",
        "executors.process_pool.pool",
        "games.board.presenting",
        "games.cards.presenting",
        "recorded",
        "runs.play_run",
    ):
        import_module(f"arena.{name}")
    import_module("arena.runs.machine_speed").this_machine()
    import_module("arena.analysis.process_map").START_METHOD = "fork"


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
