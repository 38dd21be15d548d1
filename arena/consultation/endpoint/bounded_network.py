"""Connections on which no thread waits longer than its deadline, however slowly the other side sends, and which can all
be cut off at once, so that a run that is stopped does not wait for its models."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic
from typing import Any
from weakref import WeakSet

import httpcore2

CONNECT_SECONDS = 10.0
"""The longest time in which a connection is made."""
WRITTEN_AT_ONCE = 16 << 10


class BoundedNetwork(httpcore2.NetworkBackend):
    """TCP connections for a pool of :mod:`httpcore2`. Threads share it, each with a deadline of its own."""

    def __init__(self) -> None:
        self._system = httpcore2.SyncBackend()
        self._own = threading.local()
        self._streams: WeakSet[BoundedStream] = WeakSet()
        self._begun: WeakSet[Future[httpcore2.NetworkStream]] = WeakSet()
        self._lock = threading.Lock()
        self._cut = False

    @contextmanager
    def deadline(self, until: float) -> Iterator[None]:
        """Within the context, nothing in this thread waits longer than ``until``, on the monotonic clock, nor than a
        deadline around it."""
        before = getattr(self._own, "until", inf)
        self._own.until = min(until, before)
        try:
            yield
        finally:
            self._own.until = before

    def seconds_left(self, timeout: float | None) -> float | None:
        """How long this thread may wait now, at most ``timeout`` seconds; None: without end. Raises ReadTimeout where
        its time is over."""
        left = getattr(self._own, "until", inf) - monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the time of the call is over")
        shortest = left if timeout is None else min(left, timeout)
        return None if shortest == inf else shortest

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection to ``host``. Raises ConnectTimeout or ConnectError."""
        patience = CONNECT_SECONDS if timeout is None else min(timeout, CONNECT_SECONDS)
        left = self.seconds_left(patience)
        return self.await_stream(
            lambda: self._system.connect_tcp(host, port, left, local_address, socket_options), left
        )

    def await_stream(self, make: Callable[[], httpcore2.NetworkStream], seconds: float | None) -> BoundedStream:
        """The stream that ``make`` returns, waiting so long at most. It runs in a thread of its own, since a name
        lookup knows no deadline, a host with several addresses has it for each, and nothing can cut off either of
        them or a handshake. Raises what it raises, ConnectTimeout or ConnectError."""
        made: Future[httpcore2.NetworkStream] = Future()
        with self._lock:
            if self._cut:
                raise httpcore2.ConnectError("all connections are cut off")
            self._begun.add(made)
        threading.Thread(target=_fulfil, args=(made, make), daemon=True).start()
        try:
            return self.wrap_stream(made.result(seconds))
        except CancelledError:
            raise httpcore2.ConnectError("all connections are cut off") from None
        except TimeoutError:
            if made.cancel():
                raise httpcore2.ConnectTimeout("no connection in time") from None
            return self.wrap_stream(made.result())  # made in this moment

    def wrap_stream(self, stream: httpcore2.NetworkStream) -> BoundedStream:
        """The stream with deadlines. Raises ConnectError once all connections are cut off."""
        with self._lock:
            if not self._cut:
                bounded = BoundedStream(stream, self)
                self._streams.add(bounded)
                return bounded
        stream.close()
        raise httpcore2.ConnectError("all connections are cut off")

    def cut_all(self) -> None:
        """Cut off all connections, for good: threads that read or write on one are told at once that it is gone."""
        with self._lock:
            self._cut = True
            for begun in self._begun:
                begun.cancel()
            for stream in self._streams:
                with suppress(OSError):  # shutdown, since nobody who waits notices close; of the TCP socket under TLS
                    socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)


def _fulfil(made: Future[httpcore2.NetworkStream], make: Callable[[], httpcore2.NetworkStream]) -> None:
    """Give the waiting thread what ``make`` returns or raises; close it where nobody waits any longer."""
    try:
        stream = make()
    except Exception as problem:
        if made.set_running_or_notify_cancel():
            made.set_exception(problem)
        return
    if made.set_running_or_notify_cancel():
        made.set_result(stream)
    else:
        stream.close()


class BoundedStream(httpcore2.NetworkStream):
    """One connection of a :class:`BoundedNetwork`."""

    def __init__(self, stream: httpcore2.NetworkStream, network: BoundedNetwork) -> None:
        self._stream, self._network = stream, network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """The next bytes; none at the end."""
        return self._stream.read(max_bytes, self._network.seconds_left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all of them."""
        for start in range(0, len(buffer), WRITTEN_AT_ONCE):
            self._stream.write(buffer[start : start + WRITTEN_AT_ONCE], self._network.seconds_left(timeout))

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """The connection, encrypted from now on."""
        patience = self._network.seconds_left(CONNECT_SECONDS if timeout is None else min(timeout, CONNECT_SECONDS))
        return self._network.await_stream(
            lambda: self._stream.start_tls(ssl_context, server_hostname, patience), patience
        )

    def get_extra_info(self, info: str) -> Any:
        """What the connection below says of itself."""
        return self._stream.get_extra_info(info)
