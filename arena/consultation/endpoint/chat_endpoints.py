"""Calls of models over HTTP: retried, never more at once than the endpoint bears, and given up in the end."""

from __future__ import annotations

import os
import random
from threading import Lock

import msgspec

from arena.consultation.backend import Completion, ModelUnreachable, PayAgain, ReachProblem, pay_always
from arena.consultation.endpoint.chat_attempt import ChatAttempt, FailedAttempt
from arena.consultation.endpoint.connection_limit import ConnectionLimit
from arena.consultation.endpoint.connection_pools import ConnectionPools
from arena.consultation.model_spec import ModelSpec
from arena.consulting.consultation import Consult

FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
"""How long to wait, at most, before the second attempt, and before any."""
LONGEST_ASKED_WAIT = 300.0
"""The longest wait that an endpoint may ask for."""
MOST_CUT_OFF = 3
"""How often a model may be writing slowly when the time of a call is over, before its answer counts as cut off: it may
have too many calls at once, and each time it gets half as many."""


class ChatEndpoints:
    """Implements :class:`arena.consultation.backend.ModelBackend` for models behind chat endpoints."""

    def __init__(self) -> None:
        self._pools = ConnectionPools()
        self._limits: dict[str, ConnectionLimit] = {}
        self._lock = Lock()
        self._closed = False

    def complete(self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always) -> Completion:
        """The answer of ``model``. Raises ModelUnreachable."""
        attempt = ChatAttempt(self._pools, model, _key_of(model))
        limit = self._limit(name, model)
        begun = limit.begin_call()
        if begun is None:
            raise self._ended()
        succeeded: bool | None = None
        try:
            completion = self._attempts(limit, begun, attempt, consult, pay_again)
            succeeded = True
            return completion
        except ModelUnreachable as unreachable:
            if unreachable.problem not in (ReachProblem.STOPPED, ReachProblem.RESTING):
                succeeded = unreachable.problem is ReachProblem.REFUSED  # who refuses a request can be reached
            raise
        finally:
            limit.end_call(begun, succeeded)

    def _attempts(
        self, limit: ConnectionLimit, begun: int, attempt: ChatAttempt, consult: Consult, pay_again: PayAgain
    ) -> Completion:
        """Try until one attempt succeeds."""
        attempts, answers, cut_off = attempt.model.attempts, 0, 0
        for number in range(1, attempts + 1):
            if not limit.acquire(begun):
                raise self._ended(answers)
            overloaded = succeeded = False
            try:
                completion = attempt.send(consult)
                succeeded = True
                return msgspec.structs.replace(completion, failed=answers)
            except FailedAttempt as failed:
                overloaded = failed.overloaded
                answers += failed.begun
                if self._closed:
                    raise self._ended(answers) from None
                last, decided = number == attempts, failed.lasting
                if failed.cut_off is not None:
                    cut_off += 1
                    decided = decided or cut_off == min(MOST_CUT_OFF, attempts)
                    if decided or (not last and not pay_again()):
                        return msgspec.structs.replace(failed.cut_off, failed=answers - 1)
                elif not decided:
                    limit.note_failed_attempt()
                if decided or last:
                    told = f"{failed} (tried {attempts} times)" if not decided and attempts > 1 else str(failed)
                    raise ModelUnreachable(told, decided, failed.problem, answers) from None
                if failed.cut_off is None and failed.begun and not pay_again():
                    told = f"{failed}, and the budget allows no other attempt"
                    raise ModelUnreachable(told, problem=failed.problem, begun=answers) from None
                wait = max(min(failed.wait, LONGEST_ASKED_WAIT), _backoff(number))
            finally:
                limit.release(overloaded, succeeded)
            if limit.wait(wait, begun):
                raise self._ended(answers)
        raise AssertionError("the last attempt returns or raises")

    def _ended(self, answers: int = 0) -> ModelUnreachable:
        """Why a call ends that is not tried any longer; so many ``answers`` had begun."""
        if self._closed:
            return ModelUnreachable("the run is being stopped", problem=ReachProblem.STOPPED, begun=answers)
        told = "given up several times in a row; it is asked again in a minute"
        return ModelUnreachable(told, problem=ReachProblem.RESTING, begun=answers)

    def _limit(self, name: str, model: ModelSpec) -> ConnectionLimit:
        with self._lock:
            if name not in self._limits:
                self._limits[name] = ConnectionLimit(model.connections, model.attempts * model.total)
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
