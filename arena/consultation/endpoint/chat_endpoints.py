"""Calls of models over HTTP: retried, never more at once than the endpoint bears, and given up in the end."""

from __future__ import annotations

import os
import random
from threading import Lock

from arena.consultation.backend import Completion, ModelUnreachable, ReachProblem
from arena.consultation.endpoint.attempt import Attempt, FailedAttempt
from arena.consultation.endpoint.connection_limit import ConnectionLimit
from arena.consultation.endpoint.connection_pools import ConnectionPools
from arena.consultation.model_spec import ModelSpec
from arena.games.consultation import Consult

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
"""How long to wait, at most, before the second attempt, and before any."""
LONGEST_ASKED_WAIT = 300.0
"""The longest wait that an endpoint may ask for."""


class ChatEndpoints:
    """Implements :class:`arena.consultation.backend.ModelBackend` for models behind chat endpoints."""

    def __init__(self) -> None:
        self._pools = ConnectionPools()
        self._limits: dict[str, ConnectionLimit] = {}
        self._lock = Lock()
        self._closed = False

    def complete(self, name: str, model: ModelSpec, consult: Consult) -> Completion:
        """The answer of ``model``. Raises ModelUnreachable."""
        attempt = Attempt(self._pools, model, _key_of(model))
        limit = self._limit(name, model)
        if limit.is_resting():
            told = "given up several times in a row; it is asked again in a minute"
            raise ModelUnreachable(told, problem=ReachProblem.RESTING)
        try:
            completion = self._attempts(limit, attempt, consult)
        except ModelUnreachable as unreachable:
            if unreachable.problem is not ReachProblem.STOPPED:
                limit.note_call(unreachable.problem is ReachProblem.REFUSED)  # who refuses a request can be reached
            raise
        limit.note_call(True)
        return completion

    def _attempts(self, limit: ConnectionLimit, attempt: Attempt, consult: Consult) -> Completion:
        """Try until one attempt succeeds."""
        attempts = attempt.model.attempts
        for number in range(1, attempts + 1):
            if not limit.acquire():
                raise _stopped()
            overloaded = succeeded = False
            try:
                completion = attempt.send(consult)
                succeeded = True
                return completion
            except FailedAttempt as failed:
                overloaded = failed.overloaded
                if self._closed:
                    raise _stopped() from None
                if failed.lasting:
                    raise ModelUnreachable(str(failed), lasting=True, problem=failed.problem) from None
                if number == attempts:
                    told = f"{failed} (tried {attempts} times)" if attempts > 1 else str(failed)
                    raise ModelUnreachable(told, problem=failed.problem) from None
                wait = max(min(failed.wait, LONGEST_ASKED_WAIT), _backoff(number))
            finally:
                limit.release(overloaded, succeeded)
            if limit.wait(wait):
                raise _stopped()
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
        self._pools.close()


def _stopped() -> ModelUnreachable:
    return ModelUnreachable("the run is being stopped", problem=ReachProblem.STOPPED)


def _key_of(model: ModelSpec) -> str:
    """The key of a model, from the environment. Raises ModelUnreachable where it is not there."""
    if not model.key_env:
        return ""
    key = os.environ.get(model.key_env, "").strip()
    if not key:
        raise ModelUnreachable(
            f"the environment variable {model.key_env} is not set: put the key there", True, ReachProblem.KEY_MISSING
        )
    if not key.isascii() or not key.isprintable():
        raise ModelUnreachable(f"the environment variable {model.key_env} holds no key", True, ReachProblem.KEY_MISSING)
    return key


def _backoff(number: int) -> float:
    """Seconds to wait after attempt ``number``, from 1: exponential, with full jitter. Nothing recorded depends on
    it."""
    return random.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2**number))
