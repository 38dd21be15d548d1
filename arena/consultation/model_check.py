"""Tries models before a run needs them: whether each is reached, takes its key, keeps to a schema, and counts tokens.

A model is asked for a greeting, with a schema that no greeting fits by chance. Where the schema is asked for natively,
the conversation says nothing of it: so prose shows that the endpoint ignores it silently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from arena.consultation.answer_check import judge_answer
from arena.consultation.backend import Completion, ModelBackend, ModelUnreachable, ReachProblem
from arena.consultation.model_spec import SCRIPTED_URL, ModelSpec, SchemaMode, TokenLimit
from arena.consulting.consultation import ChatMessage, Consult, ConsultProblem

GREETING = "You are about to play a game of negotiation. Greet the three other players in two or three sentences."
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"greeting": {"type": "string"}, "sentences": {"type": "integer"}, "ready": {"type": "boolean"}},
    "required": ["greeting", "sentences", "ready"],
    "additionalProperties": False,
}
MOST_ATTEMPTS = 2


class KeyState(StrEnum):
    """What is known of a model's key."""

    NONE = "none"
    """The file names none."""
    MISSING = "missing"
    """The environment variable is not set."""
    REFUSED = "refused"
    ACCEPTED = "accepted"
    UNKNOWN = "unknown"
    """It was not tried, since no endpoint looked at it."""


class ModelReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a model did when it was tried. ``schema`` is how the file says it is asked for JSON of a schema, ``kept``
    how it gave such JSON among the ways that were tried. ``tokens`` are those of the request and of the answer,
    ``seconds`` what the answer took. ``problem`` says why runs with it would fail (empty: they would not), ``advice``
    what to do next, ``notes`` what else is good to know."""

    name: str
    url: str
    reached: bool
    key: KeyState
    schema: SchemaMode
    kept: tuple[SchemaMode, ...]
    tokens: tuple[int, int]
    seconds: float
    price_known: bool
    problem: str = ""
    advice: str = ""
    notes: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether runs may use it."""
        return not self.problem

    @property
    def speed(self) -> float | None:
        """Tokens of the answer a second, waiting for the first included; None where that is unknown."""
        return self.tokens[1] / self.seconds if self.tokens[1] and self.seconds > 0 else None


class _Trial(NamedTuple):
    """One answer, or why there is none, and what is wrong with it."""

    answer: Completion | None
    unreachable: ModelUnreachable | None
    problem: ConsultProblem | None
    evidence: str

    @property
    def kept(self) -> bool:
        return self.answer is not None and self.problem is None

    @property
    def reached(self) -> bool:
        return self.unreachable is None or self.unreachable.problem in REACHED_PROBLEMS


REACHED_PROBLEMS = (
    ReachProblem.KEY_REFUSED,
    ReachProblem.UNPAID,
    ReachProblem.NOT_FOUND,
    ReachProblem.REFUSED,
    ReachProblem.OVERLOADED,
    ReachProblem.NO_COMPLETION,
)
"""Failures of an endpoint that answers."""


def check_models(
    models: Mapping[str, ModelSpec],
    backend: ModelBackend,
    both_ways: bool = False,
    tell: Callable[[str], None] = lambda name: None,
) -> list[ModelReport]:
    """A report on each model, in their order. Makes one call of each, and a second one where the first shows that the
    model does not keep to its schema as the file asks for it, or always with ``both_ways``. ``tell`` hears the name of
    each model before it is asked. Raises UserError where the library for this is not installed."""
    reports = []
    for name, model in models.items():
        tell(name)
        reports.append(_check_model(name, model, backend, both_ways))
    return reports


def _check_model(name: str, model: ModelSpec, backend: ModelBackend, both_ways: bool) -> ModelReport:
    written = model.schema
    other = SchemaMode.PROMPT if written is SchemaMode.NATIVE else SchemaMode.NATIVE
    first = _try_model(name, model, written, backend)
    trials = {written: first}
    refused = first.unreachable is not None and first.unreachable.problem is ReachProblem.REFUSED
    if model.url != SCRIPTED_URL and (refused or (first.answer is not None and (both_ways or not first.kept))):
        trials[other] = _try_model(name, model, other, backend)
    kept = tuple(mode for mode in SchemaMode if mode in trials and trials[mode].kept)
    answer = first.answer or Completion("", "", (0, 0), 0.0)
    problem, advice = _problem_of(name, model, first, kept)
    return ModelReport(
        name=name,
        url=model.url,
        reached=first.reached,
        key=_key_state(model, first),
        schema=written,
        kept=kept,
        tokens=answer.tokens,
        seconds=answer.seconds,
        price_known=model.price is not None or model.url == SCRIPTED_URL,
        problem=problem,
        advice=advice,
        notes=tuple(_notes_on(name, model, first, kept)),
    )


def _try_model(name: str, model: ModelSpec, mode: SchemaMode, backend: ModelBackend) -> _Trial:
    """Ask the model once."""
    spec = msgspec.structs.replace(model, schema=mode, attempts=min(model.attempts, MOST_ATTEMPTS))
    consult = Consult(name, (ChatMessage("user", GREETING),), SCHEMA)
    try:
        answer = backend.complete(name, spec, consult)
    except ModelUnreachable as unreachable:
        return _Trial(None, unreachable, None, str(unreachable))
    told = judge_answer(consult, answer, 1)
    return _Trial(answer, None, told.problem, told.evidence)


def _key_state(model: ModelSpec, trial: _Trial) -> KeyState:
    problem = None if trial.unreachable is None else trial.unreachable.problem
    if problem is ReachProblem.KEY_REFUSED:
        return KeyState.REFUSED
    if not model.key_env:
        return KeyState.NONE
    if problem is ReachProblem.KEY_MISSING:
        return KeyState.MISSING
    return KeyState.ACCEPTED if problem is None else KeyState.UNKNOWN


def _problem_of(name: str, model: ModelSpec, trial: _Trial, kept: tuple[SchemaMode, ...]) -> tuple[str, str]:
    """Why runs with the model would fail, and what to do about it; two empty texts where they would not."""
    if kept and not trial.kept:
        how = "the endpoint refuses it" if trial.unreachable else f"it ignores the schema ({trial.evidence})"
        return f"with schema: {model.schema}, {how}", f"write models.{name}.schema: {kept[0]}"
    if trial.unreachable is not None:
        told = str(trial.unreachable)
        return told, _refusal_advice(name, model, told) or _advice_for(name, model, trial.unreachable.problem)
    if trial.problem is not None:
        return f"{trial.problem}: {trial.evidence}", _advice_for_answer(trial.problem)
    return "", ""


def _refusal_advice(name: str, model: ModelSpec, told: str) -> str:
    """What to do where an endpoint says that it refuses a parameter that a key can change; empty where it does not."""
    if model.token_limit is TokenLimit.MAX_TOKENS and TokenLimit.MAX_COMPLETION_TOKENS in told:
        return f"write models.{name}.token_limit: {TokenLimit.MAX_COMPLETION_TOKENS}"
    if model.temperature and "temperature" in told:
        return f"write models.{name}.temperature: false"
    return ""


def _advice_for(name: str, model: ModelSpec, problem: ReachProblem) -> str:
    """What to do about a model that gave no answer."""
    match problem:
        case ReachProblem.KEY_MISSING:
            return f"export {model.key_env}=… where arena is started, or correct models.{name}.key_env"
        case ReachProblem.KEY_REFUSED if model.key_env:
            return f"put a key into {model.key_env} that this endpoint takes, for this model"
        case ReachProblem.KEY_REFUSED:
            return f"write models.{name}.key_env: VARIABLE, and put the key into that variable"
        case ReachProblem.UNPAID:
            return "pay in what the provider wants, or name the key of an account that has money"
        case ReachProblem.NOT_FOUND if model.url == SCRIPTED_URL:
            return f"correct models.{name}.model"
        case ReachProblem.NOT_FOUND:
            return f"correct models.{name}.model, or .url: '/chat/completions' is added to it (it often ends in /v1)"
        case ReachProblem.REFUSED:
            stream = f"; if it cannot stream: models.{name}.stream: false" if model.stream else ""
            return f"do what the endpoint says{stream}"
        case ReachProblem.OVERLOADED:
            return f"wait, write a smaller models.{name}.connections, or get a higher limit from the provider"
        case ReachProblem.SILENT:
            return f"see that the model is loaded, or write a larger models.{name}.total (and gap, and limits.ask)"
        case ReachProblem.NO_CONNECTION:
            return f"start the endpoint, or correct models.{name}.url; a proxy is named by ARENA_MODEL_PROXY"
        case ReachProblem.CERTIFICATE:
            return f"correct models.{name}.url, or name a file with the certificate of its authority in SSL_CERT_FILE"
        case ReachProblem.NO_COMPLETION:
            return f"look at the endpoint's log, or correct models.{name}.url: it must be the base of a chat endpoint"
        case ReachProblem.RESTING | ReachProblem.STOPPED:
            return "try it again in a minute"


def _advice_for_answer(problem: ConsultProblem) -> str:
    """What to do about a model whose answers are of no use."""
    match problem:
        case ConsultProblem.TRUNCATED:
            return "let it think less, or let bots ask with more max_tokens"
        case ConsultProblem.FILTERED:
            return "choose a model that may talk about games"
        case _:
            return "choose a model that can write JSON of a schema: with this one, bots would fail"


def _notes_on(name: str, model: ModelSpec, trial: _Trial, kept: tuple[SchemaMode, ...]) -> list[str]:
    """What is good to know, though nothing fails by it."""
    if model.url == SCRIPTED_URL:
        return []
    notes = []
    if trial.kept and model.schema is SchemaMode.PROMPT and SchemaMode.NATIVE in kept:
        notes.append(f"it also keeps to models.{name}.schema: native, which rules out other answers")
    if trial.answer is not None and (trial.answer.tokens == (0, 0) or trial.answer.estimated):
        other = f"; try models.{name}.stream: false" if model.stream else ""
        notes.append(f"it does not count tokens (usage): each call counts as the most that it may take{other}")
    if model.price is None:
        notes.append(f"its price is unknown, so the cost of runs cannot be shown; write models.{name}.price")
    if model.key_env and model.url.lower().startswith("http:") and not _is_this_machine(model.url):
        notes.append("its key travels unencrypted (http): use https, unless the network is yours")
    return notes


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
