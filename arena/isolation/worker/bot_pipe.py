"""The pipes between the worker and one bot's process: lines out, lines in with the time of their arrival, and the bot's
log.

:class:`Pipe` is the interface, :class:`BotPipe` the real one, and :mod:`arena.isolation.worker.scripted_system` has the
shipped fake. No call blocks for longer than its time limit. Lines that a bot does not read are buffered until it does,
and output beyond :data:`LOG_LIMIT` is discarded.
"""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Protocol

from arena.clock import Clock
from arena.isolation.wire.requests import LOG_MARK
from arena.protocol.messages import LINE_LIMIT

UNREAD_LIMIT = 256
"""How many received lines may wait to be taken."""
PIPE_CAPACITY = 1 << 20
"""The maximum number of bytes in a pipe."""
LOG_LIMIT = 65_536
"""How many bytes of a bot's output in a match are kept."""


class IncomingLines:
    """The bytes received from a bot, cut into ``lines``, each with the time at which it was read.

    ``at_end`` says that the bot's end is closed; ``flooded`` that the bot sent a line over the limit, or far more lines
    than it was asked for. In both cases nothing more is read.
    """

    def __init__(self) -> None:
        self.lines: deque[tuple[bytes, float]] = deque()
        self.at_end = self.flooded = False
        self._part = b""

    @property
    def open(self) -> bool:
        """Whether more may come."""
        return not self.at_end and not self.flooded

    def add(self, data: bytes, now: float) -> bool:
        """Add the bytes of one read, empty where the bot's end is closed; returns whether more may come."""
        if data.find(b"\n") == len(data) - 1 and not self._part and data:
            self.lines.append((data, now))
            self.flooded = len(self.lines) >= UNREAD_LIMIT
            return not self.flooded
        if not data:
            self.at_end = True
            return False
        if self._part:
            data = self._part + data
        *lines, self._part = data.split(b"\n", UNREAD_LIMIT)
        for line in lines:
            self.lines.append((line, now))
            self.flooded = self.flooded or len(line) >= LINE_LIMIT
        self.flooded = self.flooded or len(self._part) >= LINE_LIMIT or len(self.lines) >= UNREAD_LIMIT
        return not self.flooded


class Pipe(Protocol):
    """The pipes of one bot as its player sees them. ``unsent`` are the bytes that the bot's pipe has no room for yet,
    ``log`` is the bot's output, and ``log_lost`` the number of its bytes that were discarded."""

    incoming: IncomingLines
    unsent: bytes
    log: bytearray
    log_lost: int

    def send(self, line: bytes) -> None:
        """Send a line; buffer what the bot's pipe has no room for."""

    def read_log(self) -> bool:
        """Read the bot's output so far; returns whether more may come."""

    def close(self) -> None:
        """Close everything."""


class BotPipe:
    """Implements :class:`Pipe` with three system pipes. ``bots_ends`` are the bot's input, output and log."""

    def __init__(self, clock: Clock) -> None:
        self._now = clock.now
        bots_input, self._sending = os.pipe()
        self.receiving, bots_output = os.pipe()
        self._logging, bots_log = os.pipe()
        self.bots_ends: tuple[int, ...] = (bots_input, bots_output, bots_log)
        for ours in (self._sending, self.receiving, self._logging):
            os.set_blocking(ours, False)
        self.incoming = IncomingLines()
        self.log = bytearray()
        self.log_lost = 0
        self.unsent = b""
        self._log_open = True

    def close_bots_ends(self) -> None:
        """Close the bot's ends in this process: the bot's process has them now."""
        for descriptor in self.bots_ends:
            os.close(descriptor)
        self.bots_ends = ()

    def send(self, line: bytes) -> None:
        """Send a line; buffer what the bot's pipe has no room for."""
        if self.unsent:
            self.unsent += line
            return
        try:
            sent = os.write(self._sending, line)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            return  # what came before its end is still to be read
        if sent < len(line):
            self.unsent = line[sent:]

    def receive(self) -> bool:
        """Read what the bot has written; returns whether more may come."""
        incoming = self.incoming
        if incoming.at_end or incoming.flooded:
            return False
        try:
            data = os.read(self.receiving, LINE_LIMIT)
        except BlockingIOError:
            return True
        return incoming.add(data, self._now())

    def flush(self) -> bool:
        """Send more of the buffered bytes; returns whether any are left."""
        line, self.unsent = self.unsent, b""
        self.send(line)
        return bool(self.unsent)

    def read_log(self) -> bool:
        """Read the bot's output, at most as much as a pipe can hold, so that a bot that never stops printing cannot
        keep arena here; returns whether more may come."""
        for _ in range(PIPE_CAPACITY // 65_536):
            if not self._log_open:
                break
            try:
                data = os.read(self._logging, 65_536)
            except BlockingIOError:
                break
            self._log_open = bool(data)
            room = LOG_LIMIT - len(self.log)
            self.log += data[:room]
            if len(data) > room:
                lost = data[room:]
                self.log_lost += len(lost) - len(LOG_MARK) * lost.count(LOG_MARK)
            if len(data) < 65_536:
                break
        return self._log_open

    def register(self, poll: select.poll) -> dict[int, Callable[[], bool]]:
        """Register this bot's descriptors with ``poll``. Returns by descriptor the function to call when it is ready;
        that function returns whether to continue waiting for the descriptor."""
        handlers: dict[int, Callable[[], bool]] = {}
        if self.incoming.open:
            handlers[self.receiving] = self.receive
            poll.register(self.receiving, select.POLLIN)
        if self._log_open:
            handlers[self._logging] = self.read_log
            poll.register(self._logging, select.POLLIN)
        if self.unsent:
            handlers[self._sending] = self.flush
            poll.register(self._sending, select.POLLOUT)
        return handlers

    def close(self) -> None:
        """Close everything."""
        for descriptor in (self._sending, self.receiving, self._logging, *self.bots_ends):
            with suppress(OSError):
                os.close(descriptor)
        self._sending = self.receiving = self._logging = -1
        self.bots_ends = ()
        self.incoming.at_end, self._log_open, self.unsent = True, False, b""


class WakeUp:
    """A pipe to oneself by which another thread ends a wait: the wait listens to its ``descriptor``."""

    def __init__(self) -> None:
        self.descriptor, self._bell = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._bell, False)
        self._lock = Lock()
        self._open = True

    def ring(self) -> None:
        """End the wait that is going on, or the next."""
        with self._lock, suppress(BlockingIOError):
            if self._open:
                os.write(self._bell, b".")

    def silence(self) -> bool:
        """Forget that it rang; returns that more may come."""
        with suppress(BlockingIOError):
            os.read(self.descriptor, 4096)
        return True

    def close(self) -> None:
        """Close both ends; later rings have no effect."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self.descriptor)
                os.close(self._bell)


NOTHING_ELSE: Mapping[int, Callable[[], bool]] = {}


def wait_for_pipes(
    pipes: Iterable[BotPipe], seconds: float, more: Mapping[int, Callable[[], bool]] = NOTHING_ELSE
) -> None:
    """Wait until any of the pipes is ready, or one of ``more`` descriptors, or ``seconds`` have passed, and read
    everything that is there: each of ``more`` by its function."""
    poll, handlers = select.poll(), dict(more)
    for descriptor in more:
        poll.register(descriptor, select.POLLIN)
    for pipe in pipes:
        handlers |= pipe.register(poll)
    for descriptor, _ in poll.poll(max(0.0, seconds) * 1000):
        handlers[descriptor]()
