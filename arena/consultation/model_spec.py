"""The models of a tournament: where each is reached, what it costs, and how much bots may use. None of this holds a
key: ``key_env`` names the environment variable that has it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from arena.consulting.consultation import MOST_TOKENS

Dollars = Annotated[float, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]


class SchemaMode(StrEnum):
    """How a model is asked for JSON of a schema: by the endpoint's own ``response_format``, or by the prompt alone. The
    answer is checked either way."""

    NATIVE = "native"
    PROMPT = "prompt"


class TokenLimit(StrEnum):
    """What an endpoint calls the most tokens that an answer may have. Many take the newer name alone, which counts what
    a model thinks too."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


class TokenPrice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model costs, in dollars a million tokens: of the request (``prompt``) and of the answer
    (``completion``)."""

    prompt: Dollars
    completion: Dollars

    def cost_of(self, tokens: tuple[int, int]) -> float:
        """Dollars for so many tokens of a request and of its answer."""
        return (tokens[0] * self.prompt + tokens[1] * self.completion) / 1e6


SCRIPTED_URL = "scripted"
"""The ``url`` of the model that ships with arena and needs no network
(:class:`arena.consultation.scripted_model.ScriptedModel`)."""

USUAL_GAP, LONGEST_URL = 60.0, 200


class ModelSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One model behind a chat endpoint of the common kind.

    ``url`` is the endpoint's base, to which ``/chat/completions`` is added (``http://localhost:8000/v1``), or
    ``scripted``; ``model`` the model's name there; ``key_env`` the environment variable that has its key ("": none).
    ``price`` None: unknown, so that no budget in money can be kept.

    A call may take ``total`` seconds, of which ``gap`` between two bytes (and never more than ``total``); it is tried
    at most ``attempts`` times; ``connections`` is the most that are open to it at once. ``stream`` False is for
    endpoints that cannot send an answer word by word: then ``gap`` must be as long as a whole answer takes.

    ``token_limit`` is what the endpoint calls ``max_tokens``; ``temperature`` False is for models that refuse one.
    """

    url: str
    model: str = ""
    key_env: str = ""
    schema: SchemaMode = SchemaMode.PROMPT
    stream: bool = True
    price: TokenPrice | None = None
    gap: Seconds = USUAL_GAP
    total: Seconds = 120.0
    attempts: Annotated[int, Meta(ge=1, le=100)] = 6
    connections: Annotated[int, Meta(ge=1, le=1000)] = 16
    token_limit: TokenLimit = TokenLimit.MAX_TOKENS
    temperature: bool = True


def url_refusal(url: str) -> str:
    """What is wrong with the ``url`` of a model, in words; empty where nothing is. What it seems to name is what it
    names: there is no user before the host."""
    if url == SCRIPTED_URL:
        return ""
    try:
        parts = urlsplit(url)
        port_ok = parts.port is None or parts.port > 0
    except ValueError as problem:
        return str(problem)
    odd = not url.isprintable() or " " in url or "\\" in url or len(url) > LONGEST_URL
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_ok or odd:
        return f"expected the base of a chat endpoint, such as http://localhost:8000/v1, or '{SCRIPTED_URL}'"
    if "@" in parts.netloc or parts.query or parts.fragment:
        return "expected an address without a key, a password or a query: a key is named by 'key_env'"
    return ""


class CallBudget(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much may be used: ``calls`` of models, ``tokens`` (of requests and answers together), and ``money`` in
    dollars; None: no limit."""

    calls: Annotated[int, Meta(ge=0)] | None = None
    tokens: Annotated[int, Meta(ge=0)] | None = None
    money: Dollars | None = None


NO_BUDGET = CallBudget()


class CallBudgets(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The budgets of one ask, of one bot in one match, of one entrant in the run, and of the run. ``tries`` is how many
    answers of no use an ask may get before the bot fails at it."""

    ask: CallBudget = NO_BUDGET
    match: CallBudget = NO_BUDGET
    entrant: CallBudget = NO_BUDGET
    run: CallBudget = NO_BUDGET
    tries: Annotated[int, Meta(ge=1, le=10)] = 2


class SeasonBudgets(CallBudgets, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The budgets of a ladder: ``entrant`` is that of all versions of one bot in a season, ``run`` that of the season;
    ``author`` is that of all bots of one author in a season. The checks of submissions count too."""

    author: CallBudget = NO_BUDGET


class MatchModels(msgspec.Struct, frozen=True):
    """The models of one match, by value: every ``models`` by name; ``allowed`` are the names that each seat may use,
    the first being its own; ``budgets`` those of asks and matches."""

    models: dict[str, ModelSpec]
    allowed: tuple[tuple[str, ...], ...]
    budgets: CallBudgets = CallBudgets()

    def fit(self, seats: int) -> bool:
        """Whether these can be the models of a match with so many seats."""
        return len(self.allowed) == seats and all(name in self.models for names in self.allowed for name in names)


LARGEST_ANSWER = MOST_TOKENS * 16
"""The largest answer of an endpoint in bytes that is read."""
