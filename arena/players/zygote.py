"""Zygotes: processes that fork the processes of one bot, so that these are born warm and enclosed.

A zygote has laid on itself what all of its bot's processes have in common, the filter of system calls and the files
they may read, and has the bot's code, of which it executes nothing. It is told no match. Each child inherits its
limits, closes its own lock, and only then loads the bot. The children are the host's (``CLONE_PARENT``): it watches,
ends and reaps them like those it forks.
"""

from __future__ import annotations

import ctypes
import os
import random
import socket
import struct
from contextlib import suppress

from arena.players.boot import BORN
from arena.sandbox.calls import MACHINE, call, prctl
from arena.sandbox.lock import FROM_OUTSIDE
from arena.sandbox.numbers import BY_MACHINE
from arena.sandbox.policy import Layer, Policy
from arena.sandbox.seccomp import FORK, FORK_NUMBERED

PATIENCE = struct.pack("@ll", 10, 0)
"""Seconds, as a ``timeval``, after which a zygote that does not answer counts as gone."""
FIRST, LAST = 1, 4
"""Descriptors that a child's pipes have: its log twice, input, output. A zygote keeps them free."""
PR_GET_TID_ADDRESS = 40


def can_fork(policy: Policy) -> bool:
    """Whether this system and this policy have zygotes: only an enclosed one may hold what belongs to a bot."""
    enclosed = {Layer.LANDLOCK, Layer.SECCOMP, Layer.LIMITS} <= set(policy.layers)
    return enclosed and FROM_OUTSIDE


class Zygote:
    """The worker's end of a zygote; ``process`` is its number, ``theirs`` its descriptor of what connects the two."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, PATIENCE)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, PATIENCE)
        self.theirs = theirs.detach()
        self.process = self.used = 0

    def begin(self, process: int, letter: bytes) -> None:
        """Its ``process`` has been spawned: send it the letter."""
        self.process = process
        with suppress(OSError):  # it is gone: born() says so
            self._socket.sendall(letter)

    def fork(self, place: int, pipes: tuple[int, int, int]) -> None:
        """Ask for a child that has ``pipes`` as input, output and log."""
        received, sent, log = pipes
        try:
            socket.send_fds(self._socket, [bytes([place])], (log, log, received, sent))
        except OSError:
            self.close()  # born() says so

    def born(self) -> tuple[int, int] | None:
        """The place and the number of a child that was asked for, which waits until something comes in; None where
        the zygote is gone."""
        try:
            place, process = BORN.unpack(self._socket.recv(BORN.size, socket.MSG_WAITALL))
            return place, process
        except (OSError, struct.error):
            return None

    def hand_over(self) -> None:
        """What is theirs belongs to the process now."""
        os.close(self.theirs)

    def close(self) -> None:
        """Let it end."""
        self._socket.close()


def fork_all(requests: socket.socket) -> None:
    """Fork a child for every request, until the other end is closed. Returns in the children only, each in a session of
    its own and with its pipes where they belong; it has said that it is there."""
    _, numbers = BY_MACHINE[MACHINE]
    clone, control = numbers["clone"], requests.fileno()
    room = socket.CMSG_SPACE((LAST - FIRST + 1) * struct.calcsize("i"))
    flags, at = _kept_number()
    os.closerange(FIRST, LAST + 1)
    while place := requests.recvmsg(1, room)[0]:  # what comes with it takes the lowest descriptors that are free
        random.seed()  # each child has a global generator of its own
        # not os.fork(): the child would be this process's, and would touch many pages for the sake of threads, which
        # there are none of, and of hooks
        if call(clone, flags, 0, 0, at, at) == 0:
            os.setsid()
            os.write(control, BORN.pack(place[0], os.getpid()))
            os.close(control)
            return
        os.closerange(FIRST, LAST + 1)
    os._exit(0)


def _kept_number() -> tuple[int, int]:
    """The flags to clone with, and where the C library keeps the thread's number: it has that of the child there
    then. 0 where the system does not tell."""
    at = ctypes.c_size_t()
    try:
        prctl(PR_GET_TID_ADDRESS, ctypes.addressof(at))
    except OSError:
        return FORK, 0
    return (FORK_NUMBERED, at.value) if at.value else (FORK, 0)
