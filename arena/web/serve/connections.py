"""Connections that are closed when nothing comes of them, so that nobody keeps others out by holding very many.

Without that a client that sends half a request and then waits would hold a connection for ever, and with as many as a
process may have files there is no room for any other.
"""

from __future__ import annotations

import asyncio
import resource

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_SECONDS = 10.0
"""Seconds in which a request must be there as a whole."""
SLOWEST_WAITS = 12
"""Times of that many seconds in which an answer must be taken."""
MOST_CONNECTIONS = 512
"""Connections at most, where the process may have as many files."""
OTHER_FILES = 256
"""Files that are left for whatever else is open, and for connections that have just come."""


def connection_limit() -> int:
    """How many connections there may be."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else max(16, min(MOST_CONNECTIONS, files - OTHER_FILES))


class BrowserConnection(H11Protocol):
    """A connection to a client. Where there are too many, the one that has waited longest makes room for the new one:
    a browser whose connection waits for nothing opens another when it needs it."""

    _since = 0.0
    _looks = 0
    _seen: RequestResponseCycle | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come."""
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
        """The client has gone."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    @property
    def is_answering(self) -> bool:
        """Whether a request was made whose answer is not made, or not taken yet."""
        made = self.cycle is None or self.cycle.response_complete
        return not made or self.transport.get_write_buffer_size() > 0

    def _look(self) -> None:
        """See whether a request was made since the last look; close the connection where none was."""
        self._looks = self._looks + 1 if self.cycle is self._seen else 0
        self._seen = self.cycle
        if self._looks >= (SLOWEST_WAITS if self.is_answering else 1):
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(REQUEST_SECONDS, self._look)
