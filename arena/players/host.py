"""A worker's warm host: the process that forks one fresh child for each bot and match.

The host is an interpreter of its own that knows nothing of the run: no seed, no result, no other bot. What a child is
to run travels through the child's own pipe. The host kills and reaps its children when told to, and dies with the
process that started it.
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
from typing import NamedTuple

import msgspec

from arena.errors import ArenaError
from arena.players.boot import ADOPT, END, ENDED, REHEARSE, SEATS, SPAWN
from arena.players.zygote import Zygote
from arena.sandbox.policy import Policy


class Ended(NamedTuple):
    """How a bot's process ended: the status of ``waitpid``, the most memory it held in bytes, the seconds of processor
    time it used, and whether it was ended for having too much (memory, threads)."""

    status: int
    memory: int
    cpu: float
    greedy: int


class Host:
    """The worker's end of one host. ``codes`` are compiled bots, by path and digest; ``rehearsals`` counts what it has
    been through; ``zygotes`` are its own, by letter and by rehearsals, those used last at the end; ``met`` are letters
    of bots that have played before; and ``asked`` counts how often a zygote was looked for."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        settings = msgspec.json.encode({"path": sys.path, "policy": policy}).decode()
        with theirs:
            self._process = subprocess.Popen(
                [*policy.around, sys.executable, "-s", "-c", _START, settings, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=2,
                env=environment(),
            )
        self._socket = ours
        self._rehearsed: set[bytes] = set()
        self.rehearsals = 0
        self.zygotes: dict[tuple[bytes, int], Zygote] = {}
        self.met: set[bytes] = set()
        self.asked = 0
        self.codes: dict[tuple[str, str], bytes] = {}

    def rehearse(self, game: str, rules: object, players: int) -> None:
        """Have the host warm up for matches under these rules, once."""
        wanted = msgspec.json.encode({"game": game, "rules": rules, "players": players})
        if wanted not in self._rehearsed:
            self._rehearsed.add(wanted)
            self.rehearsals += 1
            self._ask(REHEARSE + wanted)

    def spawn(self, pipes: Sequence[tuple[int, int, int]], kinds: Sequence[int]) -> tuple[int, ...]:
        """Fork a child for each of ``pipes``, which it has as input, output and log, of the kind that it has in
        ``kinds``; their numbers. Raises ArenaError."""
        if not pipes:
            return ()
        try:
            socket.send_fds(self._socket, [SPAWN + bytes(kinds)], [each for three in pipes for each in three])
            return struct.unpack(f"={len(pipes)}i", self._answer())
        except (OSError, struct.error) as problem:
            raise ArenaError(f"the host of isolated bots failed: {problem!r}") from None

    def adopt(self, children: Sequence[int]) -> tuple[int, ...]:
        """Watch over children that zygotes have forked; which of them are there. Raises ArenaError."""
        if not children:
            return ()
        told = self._ask(ADOPT + struct.pack(f"={len(children)}i", *children))[1:]
        return struct.unpack(f"={len(told) // 4}i", told)

    def end(self, children: Sequence[int]) -> list[Ended]:
        """Kill children with their process groups, if they still run, and forget them. Raises ArenaError."""
        ended = self._ask(END + struct.pack(f"={len(children)}i", *children))
        return [Ended(*each) for each in ENDED.iter_unpack(ended)]

    def seen_from_here(self, child: int) -> int:
        """The number by which this process knows a child: inside of bubblewrap they are counted anew. 0 where it cannot
        be told."""
        if not self.policy.around:
            return child
        below = [self._process.pid]
        for process in below:
            with suppress(OSError, ValueError, IndexError):
                status = Path(f"/proc/{process}/status").read_text()
                if int(status.partition("NSpid:")[2].partition("\n")[0].split()[-1]) == child:
                    return process
                below += map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())
        return 0

    def close(self) -> None:
        """End the host, and all children with it."""
        for zygote in self.zygotes.values():
            zygote.close()
        with suppress(OSError):
            self._socket.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _ask(self, request: bytes) -> bytes:
        try:
            self._socket.send(request)
            return self._answer()
        except OSError as problem:
            raise ArenaError(f"the host of isolated bots failed: {problem!r}") from None

    def _answer(self) -> bytes:
        answer = self._socket.recv(ENDED.size * SEATS)
        if not answer:
            raise ArenaError("the host of isolated bots has ended")
        return answer


_START = """\
import json, sys
settings = json.loads(sys.argv[1])
sys.path[:] = settings["path"]
from arena.players.hosting import main
main(settings["policy"], int(sys.argv[2]))
"""


def environment() -> dict[str, str]:
    """All that the host has of the environment; its children have less."""
    kept = {"PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "random"), "PYTHONDONTWRITEBYTECODE": "1"}
    return kept | dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


_host: tuple[int, Host] | None = None


def host_of_this_process(policy: Policy) -> Host:
    """The one host of this process, started when first asked for."""
    global _host
    if _host is not None and _host[0] == os.getpid():
        if _host[1].policy == policy:
            return _host[1]
        close_host()
    _host = (os.getpid(), Host(policy))
    return _host[1]


def close_host() -> None:
    """End the host of this process, if there is one."""
    global _host
    if _host is not None and _host[0] == os.getpid():
        _host[1].close()
    _host = None
