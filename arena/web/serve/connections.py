"""Closes idle connections, so that no client can keep others out by holding very many.

Otherwise a client that sends half a request and then waits would hold a connection for ever; if it holds as many as a
process may have open files, no other client can connect."""

from __future__ import annotations

import asyncio
import resource

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_SECONDS = 10.0
"""Seconds within which a whole request must arrive."""
SLOWEST_WAITS = 12
"""How many periods of :data:`REQUEST_SECONDS` a client has to receive an answer."""
MOST_CONNECTIONS = 512
"""The most open connections, if the process may have that many files."""
OTHER_FILES = 256
"""File descriptors that are reserved for other files, and for connections that have just been made."""


def connection_limit() -> int:
    """Return how many connections may be open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else max(16, min(MOST_CONNECTIONS, files - OTHER_FILES))


class BrowserConnection(H11Protocol):
    """A connection to a client. If there are too many, the one that has been idle longest is closed for the new one: a
    browser whose idle connection is closed opens another when it needs it."""

    _since = 0.0
    _looks = 0
    _seen: RequestResponseCycle | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._timer = self.loop.call_later(REQUEST_SECONDS, self._look)
        others = [
            each for each in self.connections if isinstance(each, BrowserConnection) and not each.transport.is_closing()
        ]
        if len(others) > connection_limit():
            waiting = [each for each in others if not each.is_answering]
            min(waiting, key=lambda each: each._since, default=self).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has disconnected."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    @property
    def is_answering(self) -> bool:
        """Return whether the answer to a request is not finished, or not received yet."""
        made = self.cycle is None or self.cycle.response_complete
        return not made or self.transport.get_write_buffer_size() > 0

    def _look(self) -> None:
        """Close the connection if no request has arrived since the last check."""
        self._looks = self._looks + 1 if self.cycle is self._seen else 0
        self._seen = self.cycle
        if self._looks >= (SLOWEST_WAITS if self.is_answering else 1):
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(REQUEST_SECONDS, self._look)
