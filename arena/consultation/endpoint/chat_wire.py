"""The body of a request to a chat endpoint, and what its answers say. What an endpoint answers is read in bounds, and
nothing in it is trusted."""

from __future__ import annotations

from time import monotonic
from typing import Any

import msgspec

from arena.consultation.backend import ANSWER_FINISHES, OTHER_FINISH
from arena.consultation.model_spec import ModelSpec, SchemaMode
from arena.consulting.consultation import Consult
from arena.foreign_files import DECODE_ERRORS

_encode = msgspec.json.Encoder(order="deterministic").encode


def request_body(model: ModelSpec, consult: Consult) -> bytes:
    """The body of the request. A schema is asked for by the endpoint's own means, or by one more message."""
    messages: list[dict[str, Any]] = [{"role": each.role, "content": each.content} for each in consult.messages]
    body: dict[str, Any] = {
        "model": model.model,
        "messages": messages,
        model.token_limit.value: consult.max_tokens,
    }
    if model.temperature:
        body["temperature"] = consult.temperature
    if model.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    if consult.schema is not None and model.schema is SchemaMode.NATIVE:
        schema = {"name": "answer", "strict": True, "schema": consult.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif consult.schema is not None:
        messages.append({"role": "user", "content": schema_request(consult.schema)})
    return _encode(body)


def schema_request(schema: dict[str, Any]) -> str:
    """The message that asks for JSON of a schema where the endpoint cannot be told of it."""
    return f"Answer with one JSON value of this JSON Schema, and with nothing else:\n{_encode(schema).decode()}"


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: Any = 0
    completion_tokens: Any = 0


class _Answer(msgspec.Struct):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: Any = None


class WireAnswer(msgspec.Struct):
    """What an endpoint has answered so far: its ``words``, why it stopped (empty: it has not), and the ``tokens`` of
    the request and of the answer (0 where it does not say)."""

    words: list[str] = []
    finish: str = ""
    tokens: tuple[int, int] = (0, 0)

    @property
    def text(self) -> str:
        """All words."""
        return "".join(self.words)


class NoAnswer(Exception):
    """An endpoint's answer is none; ``str()`` says why, in its words where there are any."""


class AnswerTooLong(NoAnswer):
    """An endpoint's answer is longer than is read."""


_decode = msgspec.json.Decoder(_Answer).decode
FAILED_FINISH, MOST_TOKENS_COUNTED = "error", 1 << 40
"""By which word routers say that the server behind them failed in the middle of an answer; and the most tokens of a
call."""
MOST_PARTS = 1 << 20
"""How many objects and lists a JSON object of an endpoint may have: each takes much more memory than its two bytes."""
SLOWEST_WRITING, USUAL_WRITING, TOKEN_LENGTH = 1.0, 10.0, 4
"""How many tokens a second a model writes at least that is at work, and that has not too much to do; and how many
characters a token has."""


def read_whole(content: bytes) -> WireAnswer:
    """An answer in one piece. Raises NoAnswer."""
    answer = WireAnswer()
    _add(answer, content)
    if not answer.finish:
        raise NoAnswer("the answer does not say why it ended (finish_reason)")
    return answer


class StreamedAnswer:
    """An answer in server-sent events: lines that begin with ``data:``, the last of which is ``[DONE]``."""

    def __init__(self) -> None:
        self._answer, self._rest = WireAnswer(), bytearray()
        self._parts, self._last_part = 0, 0.0

    def feed(self, data: bytes) -> bool:
        """Add bytes; returns whether the answer is over. Raises NoAnswer."""
        self._rest += data
        if b"\n" not in data:
            return False  # a long line in many parts is not searched again for each
        *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                event = line[5:].strip()
                if event == b"[DONE]":
                    return True
                if _add(self._answer, bytes(event)):
                    self._parts, self._last_part = self._parts + 1, monotonic()
        return False

    @property
    def text(self) -> str:
        """The words that have come."""
        return self._answer.text

    def speed(self, began: float, gap: float) -> float:
        """How many tokens a second a model writes whose call ``began`` then; 0 where no part has come within the last
        ``gap`` seconds. Parts without words count, since models think before."""
        now = monotonic()
        if now - self._last_part > gap:
            return 0.0
        return max(self._parts, len(self.text) / TOKEN_LENGTH) / max(now - began, 0.001)

    def end(self) -> WireAnswer:
        """The whole answer. Raises NoAnswer where it broke off."""
        if not self._answer.finish:
            raise NoAnswer("the answer broke off")
        return self._answer


def _add(answer: WireAnswer, content: bytes) -> bool:
    """Add one JSON object of an endpoint to an answer; returns whether it has a part of it."""
    if content.count(b"{") + content.count(b"[") > MOST_PARTS:
        raise NoAnswer("no chat completion: it has too many parts")
    try:
        told = _decode(content)
    except DECODE_ERRORS as problem:
        raise NoAnswer(f"no chat completion: {problem}") from None
    if told.error is not None and not told.choices:
        raise NoAnswer(error_words(content) or "an error without a message")
    for choice in told.choices[:1]:
        for part in filter(None, (choice.message, choice.delta)):
            answer.words += filter(None, (part.content, part.refusal))
            if part.refusal:
                answer.finish = "refusal"
        if choice.finish_reason and answer.finish != "refusal":
            if choice.finish_reason == FAILED_FINISH:
                raise NoAnswer(error_words(content) or "an error while it answered")
            answer.finish = choice.finish_reason if choice.finish_reason in ANSWER_FINISHES else OTHER_FINISH
    if told.usage is not None:
        answer.tokens = _token_number(told.usage.prompt_tokens), _token_number(told.usage.completion_tokens)
    return bool(told.choices)


def _token_number(told: Any) -> int:
    """What an endpoint says of a number of tokens, in bounds; 0 where it says none."""
    return int(min(max(0, told), MOST_TOKENS_COUNTED)) if type(told) in (int, float) else 0


def error_words(content: bytes) -> str:
    """What an endpoint says of an error, in one line; empty where it says nothing that can be read."""
    try:
        found: Any = msgspec.json.decode(content)
    except DECODE_ERRORS:
        return ""
    for key in ("error", "message", "detail"):
        if isinstance(found, dict) and key in found:
            found = found[key]
    return found if isinstance(found, str) else ""
