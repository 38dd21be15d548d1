"""How many calls of one model are open at once: as many as its endpoint bears. The number grows by one when as many
calls in a row have succeeded, and is halved when the endpoint is overloaded (additive increase, multiplicative
decrease, as TCP does). Calls that were open when it was halved do not halve it again: they met the same overload.

A model that stays out of reach is not asked for a while: all further calls fail at once, but for one that tries it, and
so do those that had begun. It counts as out of reach when several calls in a row were given up, or when no attempt of
any call has succeeded for as long as one call may take in all: calls that wait for one another at an endpoint that
hangs would otherwise be given up after hours.
"""

from __future__ import annotations

from math import inf
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

    def __init__(self, most: int, patience: float = inf) -> None:
        """``patience`` is how many seconds may pass without a success while attempts fail."""
        self.most, self.patience = most, patience
        self.limit = min(FIRST_LIMIT, most)
        self._open = self._older = self._succeeded = self._failed = self._calls = self._rests = 0
        self._failing_since: float | None = None
        self._resting_until = 0.0
        self._closed = False
        self._changed = Condition()

    def begin_call(self) -> int | None:
        """Begin a call. Returns how often the model has been given up until now, by which this knows later which calls
        are older than that; None, and begins none, where it is not to be asked now. Once its rest is over, one caller
        may ask it."""
        with self._changed:
            if self._failed >= MOST_FAILED:
                if monotonic() < self._resting_until:
                    return None
                self._resting_until = monotonic() + REST_SECONDS  # for all but this caller
            self._calls += 1
            return self._rests

    def acquire(self, begun: int | None = None) -> bool:
        """Wait for a free place and take it; returns False, and takes none, once this is closed, or the model was given
        up since the call had ``begun``."""
        with self._changed:
            while self._open >= self.limit and not self._is_over(begun):
                self._changed.wait(LOOK_SECONDS)
            if self._is_over(begun):
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
                self._failing_since = None
                self._succeeded += 1
                if self._succeeded >= self.limit < self.most:
                    self.limit, self._succeeded = self.limit + 1, 0
            self._changed.notify_all()

    def note_failed_attempt(self) -> None:
        """Note that an attempt has failed which may be tried again."""
        with self._changed:
            if self._failing_since is None:
                self._failing_since = monotonic()
            elif self._failed < MOST_FAILED and monotonic() - self._failing_since >= self.patience:
                self._rest()

    def end_call(self, begun: int, succeeded: bool | None) -> None:
        """Note that a call, with all its attempts, has succeeded, or was given up; None: neither. Failures of calls
        that are older than a rest say nothing new."""
        with self._changed:
            self._calls -= 1
            if self._calls == 0:
                self._failing_since = None
            if succeeded:
                self._failed = 0
            elif succeeded is False and begun == self._rests:
                self._failed += 1
                if self._failed >= MOST_FAILED:
                    self._rest()

    def _rest(self) -> None:
        """Give the model up for a while."""
        self._failed, self._failing_since = max(self._failed, MOST_FAILED), None
        self._resting_until = monotonic() + REST_SECONDS
        self._rests += 1
        self._changed.notify_all()

    def _is_over(self, begun: int | None) -> bool:
        given_up = begun is not None and begun < self._rests and self._failed >= MOST_FAILED
        return self._closed or given_up

    def wait(self, seconds: float, begun: int | None = None) -> bool:
        """Wait so long; returns whether meanwhile this was closed, or the model was given up since the call had
        ``begun``."""
        until = monotonic() + seconds
        with self._changed:
            while not self._is_over(begun) and (left := until - monotonic()) > 0:
                self._changed.wait(min(left, LOOK_SECONDS))
            return self._is_over(begun)

    def close(self) -> None:
        """Let nobody wait any longer."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
