"""What answers a request in the end: one small interface, with the endpoint (:mod:`arena.consultation.endpoint`) and
the scripted model (:mod:`arena.consultation.scripted_model`) behind it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

import msgspec

from arena.consultation.model_spec import ModelSpec
from arena.consulting.consultation import Consult

TRUNCATED_FINISHES, FILTERED_FINISHES = ("length", "max_tokens"), ("content_filter", "refusal")
ANSWER_FINISHES = ("stop", *TRUNCATED_FINISHES, *FILTERED_FINISHES)
"""The words of endpoints for why an answer ended that are taken over."""
CUT_OFF_FINISH = "cut-off"
"""The ``finish`` of an answer that was still coming when the time of the call was over, or that is longer than is
read."""
OTHER_FINISH = "other"
"""What stands for all their other words: some are those by which arena records what became of a call
(:mod:`arena.consultation.call_record`)."""


class Completion(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model answered: its ``text``, why it stopped (``finish``: one of :data:`ANSWER_FINISHES`, ``cut-off`` or
    ``other``), the ``tokens`` of the request and of the answer, and the ``seconds`` that the call took which succeeded,
    without waiting before it. ``estimated``: the endpoint does not say all of the tokens, and they are the most that
    the call may have taken. ``failed`` is how many attempts before it failed but may cost as much as a call can."""

    text: str
    finish: str
    tokens: tuple[int, int]
    seconds: float
    estimated: bool = False
    failed: int = 0


class ReachProblem(StrEnum):
    """Why a model gave no answer."""

    KEY_MISSING = "key-missing"
    """The environment variable of its key is not set."""
    KEY_REFUSED = "key-refused"
    UNPAID = "unpaid"
    """The provider wants money first."""
    NOT_FOUND = "not-found"
    """The endpoint, or the model there, does not exist."""
    REFUSED = "refused"
    """The endpoint answers, but refuses this request."""
    OVERLOADED = "overloaded"
    """The endpoint has too much to do, or the key may not ask so much."""
    SILENT = "silent"
    """No answer within the time."""
    NO_CONNECTION = "no-connection"
    CERTIFICATE = "certificate"
    """No authority that is trusted has signed the endpoint's certificate, or it is not that of the endpoint."""
    NO_COMPLETION = "no-completion"
    """The answer is no chat completion, or an error of the server."""
    RESTING = "resting"
    """It was given up several times in a row just now, and is not asked for a while."""
    STOPPED = "stopped"
    """The run is being stopped."""


class ModelUnreachable(Exception):
    """A model gave no answer, however often it was tried: nobody's fault. ``str()`` says what happened, without key or
    address, ``problem`` of which kind it is. ``lasting`` says that trying again makes no sense before somebody mends
    something, such as a refused key. ``begun`` is how many attempts may cost as much as whole answers."""

    def __init__(
        self,
        reason: str,
        lasting: bool = False,
        problem: ReachProblem = ReachProblem.NO_CONNECTION,
        begun: int = 0,
    ) -> None:
        self.lasting, self.problem, self.begun = lasting, problem, begun
        super().__init__(reason)


PayAgain = Callable[[], bool]
"""Says whether a call may be tried once more, after an attempt that may cost as much as a whole answer."""


def pay_always() -> bool:
    """Implements :data:`PayAgain` where no budget is kept."""
    return True


class ModelBackend(Protocol):
    """Answers requests to models. Several threads may call it at once."""

    def complete(self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always) -> Completion:
        """The answer of ``model``, which the tournament file calls ``name``. Blocks until there is one. Retries what
        may pass by itself, if ``pay_again`` allows it. Raises ModelUnreachable."""

    def close(self) -> None:
        """Close all connections. Calls that wait are given up."""
