"""How many calls of one model are open at once: as many as its endpoint bears. The number grows by one when as many
calls in a row have succeeded, and is halved when the endpoint is overloaded (additive increase, multiplicative
decrease, as TCP does). Calls that were open when it was halved do not halve it again: they met the same overload.

A model that stays out of reach is not asked for a while: all further calls fail at once, but for one that tries it.
"""

from __future__ import annotations

from threading import Condition
from time import monotonic

FIRST_LIMIT = 4
MOST_FAILED = 3
"""After how many calls in a row that were given up a model is not asked for a while."""
REST_SECONDS = 60.0
"""How long it is not asked then."""
LOOK_SECONDS = 0.25


class ConnectionLimit:
    """The open calls of one model, at most ``most``. Threads share it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = min(FIRST_LIMIT, most)
        self._open = self._older = self._succeeded = self._failed = 0
        self._resting_until = 0.0
        self._closed = False
        self._changed = Condition()

    def acquire(self) -> bool:
        """Wait for a free place and take it; returns False, and takes none, once this is closed."""
        with self._changed:
            while self._open >= self.limit and not self._closed:
                self._changed.wait(LOOK_SECONDS)
            if self._closed:
                return False
            self._open += 1
            return True

    def release(self, overloaded: bool, succeeded: bool) -> None:
        """Give the place back: the call has succeeded, or the endpoint was overloaded, or neither."""
        with self._changed:
            self._open -= 1
            older, self._older = self._older > 0, max(0, self._older - 1)
            if overloaded:
                self._succeeded = 0
                if not older:
                    self.limit, self._older = max(1, self.limit // 2), self._open
            elif succeeded:
                self._succeeded += 1
                if self._succeeded >= self.limit < self.most:
                    self.limit, self._succeeded = self.limit + 1, 0
            self._changed.notify_all()

    def note_call(self, succeeded: bool) -> None:
        """Note whether a call, with all its attempts, has succeeded, or was given up."""
        with self._changed:
            self._failed = 0 if succeeded else self._failed + 1
            if self._failed >= MOST_FAILED:
                self._resting_until = monotonic() + REST_SECONDS

    def is_resting(self) -> bool:
        """Whether the model is not to be asked now. Once its rest is over, one caller is told that it may ask."""
        with self._changed:
            if self._failed < MOST_FAILED:
                return False
            if monotonic() < self._resting_until:
                return True
            self._resting_until = monotonic() + REST_SECONDS  # for all but this caller
            return False

    def wait(self, seconds: float) -> bool:
        """Wait so long; returns whether this was closed meanwhile."""
        until = monotonic() + seconds
        with self._changed:
            while not self._closed and (left := until - monotonic()) > 0:
                self._changed.wait(min(left, LOOK_SECONDS))
            return self._closed

    def close(self) -> None:
        """Let nobody wait any longer."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
