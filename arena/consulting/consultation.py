"""What a bot asks a language model, and what it is told: the same for every game. Bot authors import it from
:mod:`arena.bot`.

A bot never reaches a model itself: it hands a :class:`Consult` to arena (:meth:`arena.bot.Bot.consult`), which asks the
model outside the bot's process and returns a :class:`Consulted`. Addresses and keys never reach the bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

MOST_MESSAGES, MOST_TOKENS = 200, 1_000_000
"""The greatest number of messages in one request, and of tokens in an answer."""


class ConsultProblem(StrEnum):
    """What is wrong with a model's answer, or why there is none. The first six are the thought's, and count against
    the bot where they happen too often in one ask."""

    TRUNCATED = "truncated"
    """The answer was cut off at ``max_tokens``, or was still being written when the time of the call was over."""
    EMPTY = "empty"
    FILTERED = "filtered"
    """The model's provider withheld the answer."""
    UNREADABLE = "unreadable"
    """A schema was asked for, and the answer is no JSON."""
    OFF_SCHEMA = "off-schema"
    """The answer is JSON, but not of the schema."""
    REFUSED = "refused"
    """The model's endpoint refuses the request, such as one that is too long for the model."""
    OVER_BUDGET = "over-budget"
    """The budget of calls, tokens or money does not allow this call: no model was asked."""
    NO_MODEL = "no-model"
    """This match has no models, or none of this name for this bot: no model was asked."""
    UNREACHABLE = "unreachable"
    """The model could not be reached and was given up for this match, which is void."""

    @property
    def of_thought(self) -> bool:
        """Whether a model was asked, and its answer is of no use."""
        return self in THOUGHT_PROBLEMS


THOUGHT_PROBLEMS = (
    ConsultProblem.TRUNCATED,
    ConsultProblem.EMPTY,
    ConsultProblem.FILTERED,
    ConsultProblem.UNREADABLE,
    ConsultProblem.OFF_SCHEMA,
    ConsultProblem.REFUSED,
)


class ConsultFailed(Exception):
    """Too many answers of a bot's model in one ask were of no use, or the model was given up: the ask is decided
    without the bot."""


class ChatMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message of a conversation with a model: who says it, and its text."""

    role: Literal["system", "user", "assistant"]
    content: str


class Consult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to a language model.

    ``model`` is a name under ``models`` in the tournament file, among those that the entrant may use (empty: the first
    of them). ``messages`` are the conversation so far, oldest first. With a ``schema``, a JSON Schema, the answer must
    be JSON of that form. ``max_tokens`` bounds the answer; ``temperature`` 0 asks for the likeliest one.
    """

    model: str
    messages: Annotated[tuple[ChatMessage, ...], Meta(min_length=1, max_length=MOST_MESSAGES)]
    schema: dict[str, Any] | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=MOST_TOKENS)] = 1000
    temperature: Annotated[float, Meta(ge=0, le=2)] = 0.0


class Consulted(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a :class:`Consult`.

    ``text`` is what the model said, ``data`` the same as a value where a schema was asked for and kept. ``problem``
    says what is wrong with it, None where nothing is, and ``evidence`` where. ``tokens`` are those of the request and
    of the answer, as the model counts them; where it does not, the most that there can be. ``tries_left`` is how many
    more answers of no use this ask may get before the bot fails at it.
    """

    text: str = ""
    data: Any = None
    problem: ConsultProblem | None = None
    evidence: str = ""
    tokens: tuple[int, int] = (0, 0)
    tries_left: int = 0


class ModelQuestion(NamedTuple):
    """A question to a model with listed choices: its ``name``, the ``task`` in words, the ``choices``, each with its
    number (``choice``) and what else is to be said of it, the ``usual`` price and the ``step`` of prices in units of
    the game's money, and the JSON ``schema`` of the answer."""

    name: str
    task: str
    choices: Sequence[dict[str, Any]]
    usual: int
    step: int
    schema: dict[str, Any]

    def line(self, language: str) -> str:
        """The question as one line of JSON, which begins with its name."""
        written = {
            "question": self.name,
            "language": language,
            "usual": self.usual,
            "step": self.step,
            "choices": self.choices,
        }
        return msgspec.json.encode(written).decode()


def choice_schema(choices: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of the number of one of the choices."""
    return {"type": "integer", "enum": [each["choice"] for each in choices]}


def object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
