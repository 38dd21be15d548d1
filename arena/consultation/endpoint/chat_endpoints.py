"""Calls of models over HTTP: retried, never more at once than the endpoint bears, and given up in the end."""

from __future__ import annotations

import os
import random
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from arena.consultation.backend import Completion, ModelUnreachable
from arena.consultation.endpoint.attempt import Attempt, FailedAttempt
from arena.consultation.endpoint.connection_limit import ConnectionLimit
from arena.consultation.model_spec import ModelSpec
from arena.errors import UserError
from arena.games.consultation import Consult

if TYPE_CHECKING:
    import httpx2

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
"""How long to wait, at most, before the second attempt, and before any."""
LONGEST_ASKED_WAIT = 300.0
"""The longest wait that an endpoint may ask for."""
CLOSED = "the run is being stopped"


class ChatEndpoints:
    """Implements :class:`arena.consultation.backend.ModelBackend` for models behind chat endpoints. Raises UserError
    where the library for it is not installed."""

    def __init__(self) -> None:
        try:
            import httpx2
        except ImportError:
            raise UserError(
                'language models need the extra "models": pip install "arena-negotiation[models]"'
            ) from None
        # nothing of the environment is used: neither a proxy nor the passwords in ~/.netrc
        self._client: httpx2.Client = httpx2.Client(
            trust_env=False, follow_redirects=False, limits=httpx2.Limits(max_connections=None)
        )
        self._limits: dict[str, ConnectionLimit] = {}
        self._lock = Lock()
        self._closed = False

    def complete(self, name: str, model: ModelSpec, consult: Consult) -> Completion:
        """The answer of ``model``. Raises ModelUnreachable."""
        limit = self._limit(name, model)
        if limit.is_resting():
            raise ModelUnreachable("given up before; it is asked again in a minute")
        attempt = Attempt(self._client, model, _key_of(model))
        try:
            completion = self._attempts(limit, attempt, consult)
        except ModelUnreachable:
            limit.note_call(False)
            raise
        limit.note_call(True)
        return completion

    def _attempts(self, limit: ConnectionLimit, attempt: Attempt, consult: Consult) -> Completion:
        """Try until one attempt succeeds."""
        attempts = attempt.model.attempts
        for number in range(1, attempts + 1):
            if not limit.acquire():
                raise ModelUnreachable(CLOSED)
            overloaded = succeeded = False
            try:
                completion = attempt.send(consult)
                succeeded = True
                return completion
            except FailedAttempt as failed:
                overloaded = failed.overloaded
                if self._closed:
                    raise ModelUnreachable(CLOSED) from None
                if failed.lasting:
                    raise ModelUnreachable(str(failed), lasting=True) from None
                if number == attempts:
                    raise ModelUnreachable(f"{failed} (tried {attempts} times)") from None
                wait = max(min(failed.wait, LONGEST_ASKED_WAIT), _backoff(number))
            finally:
                limit.release(overloaded, succeeded)
            if limit.wait(wait):
                raise ModelUnreachable(CLOSED)
        raise AssertionError("the last attempt returns or raises")

    def _limit(self, name: str, model: ModelSpec) -> ConnectionLimit:
        with self._lock:
            if name not in self._limits:
                self._limits[name] = ConnectionLimit(model.connections)
                if self._closed:
                    self._limits[name].close()
            return self._limits[name]

    def close(self) -> None:
        """Close all connections; calls that wait are given up."""
        with self._lock:
            self._closed = True
            for limit in self._limits.values():
                limit.close()
        with suppress(Exception):  # connections in use complain
            self._client.close()


def _key_of(model: ModelSpec) -> str:
    """The key of a model, from the environment. Raises ModelUnreachable where it is not there."""
    if not model.key_env:
        return ""
    key = os.environ.get(model.key_env, "").strip()
    if not key:
        raise ModelUnreachable(f"the environment variable {model.key_env} is not set: put the key there", lasting=True)
    if not key.isascii() or not key.isprintable():
        raise ModelUnreachable(f"the environment variable {model.key_env} holds no key", lasting=True)
    return key


def _backoff(number: int) -> float:
    """Seconds to wait after attempt ``number``, from 1: exponential, with full jitter. Nothing recorded depends on
    it."""
    return random.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2**number))
