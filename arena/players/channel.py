"""The pipes between the referee and one bot's process: lines in, lines out with the time they came, and the bot's log.

Nothing here blocks for longer than it is told to: a bot that does not read is not waited for, its lines are kept until
it does; one that floods its log has the rest thrown away.
"""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import perf_counter

from arena.protocol.messages import LINE_LIMIT

LINES_LIMIT = 256
"""Lines that may wait to be asked for."""
PIPE_LIMIT = 1 << 20
"""Bytes that a pipe may hold at most."""
LOG_LIMIT = 65_536
"""Bytes kept of what a bot prints in a match."""


class Channel:
    """One bot's pipes. ``incoming`` holds whole lines with the reading of the clock at which they were seen; ``ended``
    says that no more can come, and ``endless`` that the bot sent a line over the limit, or far more lines than anybody
    asked for: nothing more is read then. ``unsent`` is what the bot has no room for yet."""

    def __init__(self) -> None:
        bots_in, self.sending = os.pipe()
        self.receiving, bots_out = os.pipe()
        self.logging, bots_log = os.pipe()
        self.theirs = (bots_in, bots_out, bots_log)
        for ours in (self.sending, self.receiving, self.logging):
            os.set_blocking(ours, False)
        self.incoming: deque[tuple[bytes, float]] = deque()
        self.ended = self.endless = False
        self.log = bytearray()
        self.log_lost = 0
        self._part = b""
        self.unsent = b""
        self._log_open = True

    def hand_over(self) -> None:
        """The bot's ends belong to its process now."""
        for theirs in self.theirs:
            os.close(theirs)
        self.theirs = ()  # type: ignore[assignment]

    def send(self, line: bytes) -> None:
        """Send a line, or keep what the bot has no room for."""
        if self.unsent:
            self.unsent += line
            return
        try:
            sent = os.write(self.sending, line)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            return  # what came before its end is still to be read
        if sent < len(line):
            self.unsent = line[sent:]

    def receive(self) -> bool:
        """Take in what the bot has written; whether more is to come."""
        if self.ended or self.endless:
            return False
        try:
            data = os.read(self.receiving, LINE_LIMIT)
        except BlockingIOError:
            return True
        now = perf_counter()
        if data.find(b"\n") == len(data) - 1 and not self._part and data:
            self.incoming.append((data, now))
            self.endless = len(self.incoming) >= LINES_LIMIT
            return not self.endless
        if not data:
            self.ended = True
            return False
        if self._part:
            data = self._part + data
        *lines, self._part = data.split(b"\n", LINES_LIMIT)
        for line in lines:
            self.incoming.append((line, now))
            self.endless = self.endless or len(line) >= LINE_LIMIT
        self.endless = self.endless or len(self._part) >= LINE_LIMIT or len(self.incoming) >= LINES_LIMIT
        return not self.endless

    def flush(self) -> bool:
        """Send more of what the bot had no room for; whether more is left."""
        line, self.unsent = self.unsent, b""
        self.send(line)
        return bool(self.unsent)

    def drain(self) -> bool:
        """Take in what the bot has printed, as much as a pipe may hold: who prints on and on is come back to. Whether
        more is to come."""
        for _ in range(PIPE_LIMIT // 65_536):
            if not self._log_open:
                break
            try:
                data = os.read(self.logging, 65_536)
            except BlockingIOError:
                break
            self._log_open = bool(data)
            room = LOG_LIMIT - len(self.log)
            self.log += data[:room]
            self.log_lost += max(0, len(data) - room)
            if len(data) < 65_536:
                break
        return self._log_open

    def watch(self, poll: select.poll) -> dict[int, Callable[[], bool]]:
        """Register what this bot may make ready; the descriptors, with what to call then: it says whether more is to
        be waited for."""
        wanted: dict[int, Callable[[], bool]] = {}
        if not self.ended and not self.endless:
            wanted[self.receiving] = self.receive
            poll.register(self.receiving, select.POLLIN)
        if self._log_open:
            wanted[self.logging] = self.drain
            poll.register(self.logging, select.POLLIN)
        if self.unsent:
            wanted[self.sending] = self.flush
            poll.register(self.sending, select.POLLOUT)
        return wanted

    def close(self) -> None:
        """Close everything."""
        for descriptor in (self.sending, self.receiving, self.logging, *self.theirs):
            with suppress(OSError):
                os.close(descriptor)
        self.sending = self.receiving = self.logging = -1
        self.ended, self._log_open, self.unsent = True, False, b""


def attend(channels: Iterable[Channel], seconds: float) -> None:
    """Wait until any of the bots has something for us, or ``seconds`` have passed, and take in all there is."""
    poll, wanted = select.poll(), dict[int, Callable[[], bool]]()
    for channel in channels:
        wanted |= channel.watch(poll)
    for descriptor, _ in poll.poll(max(0.0, seconds) * 1000):
        wanted[descriptor]()
