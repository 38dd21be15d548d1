"""Messages over a socket between two processes that trust each other: each object is pickled, preceded by its length.

The parent's end never blocks, whatever a worker does: data that does not fit into the pipe is buffered, and an
incomplete message waits for its rest.
"""

from __future__ import annotations

import pickle
import socket
import struct
from collections.abc import Iterator
from typing import Any

_LENGTH_PREFIX = struct.Struct("=Q")
READ_BYTES = 1 << 20
"""How many bytes are read at once, and the size requested for the system's buffer: a replay should fit in."""


def pack_message(message: object) -> bytes:
    """An object as the bytes of a message."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH_PREFIX.pack(len(content)) + content


class MessageBuffer:
    """Collects received bytes until they form complete messages."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """The messages that are complete once ``data`` is added."""
        held = self._bytes
        held += data
        start = 0
        while len(held) - start >= _LENGTH_PREFIX.size:
            (length,) = _LENGTH_PREFIX.unpack_from(held, start)
            end = start + _LENGTH_PREFIX.size + length
            if len(held) < end:
                break
            message = pickle.loads(memoryview(held)[start + _LENGTH_PREFIX.size : end])
            start = end
            yield message
        del held[:start]


def open_pipe() -> tuple[ParentEnd, socket.socket]:
    """Create a pipe: the parent's end and the worker's."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, READ_BYTES)
    return ParentEnd(ours), theirs


class ParentEnd:
    """Sends and receives without waiting. ``ended``: the other side can send nothing more."""

    def __init__(self, ours: socket.socket) -> None:
        ours.setblocking(False)
        self.socket = ours
        self.unsent = b""
        self.ended = False
        self._incoming = MessageBuffer()

    def send(self, message: object) -> None:
        """Send a message; buffer what does not fit until :meth:`flush`."""
        self.unsent += pack_message(message)
        self.flush()

    def flush(self) -> None:
        """Send more of the buffered data."""
        try:
            while self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent) :]
        except BlockingIOError:
            return
        except OSError:
            self.unsent = b""  # the worker is gone, which receiving tells

    def receive(self) -> list[Any]:
        """All complete messages that have arrived."""
        found: list[Any] = []
        try:
            while data := self.socket.recv(READ_BYTES):
                found += self._incoming.feed(data)
            self.ended = True
        except BlockingIOError:
            pass
        except OSError:
            self.ended = True
        return found

    def close(self) -> None:
        """Close this end."""
        self.socket.close()
