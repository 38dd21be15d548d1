"""The desk at which the bots of one match consult models, as their players see it, and its fake for matches without
models."""

from __future__ import annotations

from concurrent.futures import Future
from typing import NamedTuple, Protocol

import msgspec

from arena.consulting.answer_schema import schema_refusal
from arena.consulting.consultation import Consult, Consulted, ConsultProblem
from arena.players.faults import Fault

LARGEST_CONSULT = 64_000
"""The greatest size of a request as JSON, in bytes: it fits into one line of a bot's process."""


class CallDigest(NamedTuple):
    """What a replay keeps of one call of a model: the SHA-256 of the request, which of the equal requests of this seat
    in this match it was, from 0, and the SHA-256 of the answer."""

    request: str
    occurrence: int
    answer: str


class DeskAnswer(NamedTuple):
    """The answer to a request: what the bot is told, the ``digest`` of the call (None: no model was asked), the
    ``seconds`` that count as the bot's thinking, and the ``fault`` by which the ask is decided, if any, whatever the
    bot still answers."""

    consulted: Consulted
    digest: CallDigest | None = None
    seconds: float = 0.0
    fault: Fault | None = None


class ConsultDesk(Protocol):
    """Where the bots of one match consult models."""

    def submit(self, seat: int, ask: int, consult: Consult) -> Future[DeskAnswer]:
        """Hand in the request of the bot in ``seat`` at the match's ask number ``ask``. The future raises
        :class:`arena.errors.MatchSuspended` where the match cannot go on for now."""


class NoModels:
    """Implements :class:`ConsultDesk` for a match without models."""

    def submit(self, seat: int, ask: int, consult: Consult) -> Future[DeskAnswer]:
        """Answer at once that there is no model."""
        answered: Future[DeskAnswer] = Future()
        answered.set_result(DeskAnswer(refused_consult(ConsultProblem.NO_MODEL, "this match has no models")))
        return answered


NO_MODELS = NoModels()


def refused_consult(problem: ConsultProblem, evidence: str, tries_left: int = 0) -> Consulted:
    """What a bot is told whose request reached no model."""
    return Consulted(problem=problem, evidence=evidence, tries_left=tries_left)


def checked_consult(asked: object) -> Consult:
    """A bot's request, whose fields may hold anything, checked and copied. Raises TypeError or ValueError, with words
    for the bot's author."""
    if type(asked) is not Consult:
        raise TypeError(f"consult takes a Consult, got an object of class {type(asked).__name__}")
    try:
        written = msgspec.json.encode(asked)
        checked = msgspec.json.decode(written, type=Consult)
    except (msgspec.MsgspecError, TypeError, UnicodeError, RecursionError) as problem:
        raise TypeError(f"Consult: {problem}") from None
    if checked.schema is not None and (refusal := schema_refusal(checked.schema)):
        raise ValueError(f"Consult: {refusal}")
    if len(written) > LARGEST_CONSULT:
        raise ValueError(f"Consult takes {len(written)} bytes as JSON; at most {LARGEST_CONSULT}")
    return checked
