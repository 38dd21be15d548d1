"""Whether a model's answer is of use: whole, not empty, and, where a schema was asked for, JSON of that schema."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from arena.consultation.backend import CUT_OFF_FINISH, FILTERED_FINISHES, TRUNCATED_FINISHES, Completion
from arena.consultation.call_record import REFUSED_FINISH
from arena.consulting.consultation import Consult, Consulted, ConsultProblem
from arena.errors import UserError, cut_text

EVIDENCE_LENGTH, MOST_DEPTH = 300, 100
_NESTING = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
MOST_WORK = 20_000_000
"""The greatest product of the lengths of an answer and of its schema that is checked, in characters."""


def judge_answer(consult: Consult, answer: Completion, tries_left: int) -> Consulted:
    """What the bot is told of an answer. A move is never guessed from prose: with a schema, the whole text must be JSON
    of it, but for a code fence around it."""
    problem, evidence, data = _problem_of(consult, answer)
    return Consulted(answer.text, data, problem, evidence, answer.tokens, tries_left)


def _problem_of(consult: Consult, answer: Completion) -> tuple[ConsultProblem | None, str, Any]:
    if answer.finish == REFUSED_FINISH:
        return ConsultProblem.REFUSED, cut_text(answer.text, EVIDENCE_LENGTH), None
    if answer.finish in FILTERED_FINISHES:
        return ConsultProblem.FILTERED, f"the provider withheld the answer ({answer.finish})", None
    if answer.finish in TRUNCATED_FINISHES:
        return ConsultProblem.TRUNCATED, f"cut off after {consult.max_tokens} tokens", None
    if answer.finish == CUT_OFF_FINISH:
        return (
            ConsultProblem.TRUNCATED,
            "it was still being written when the time of the call was over, or is too long",
            None,
        )
    if not answer.text.strip():
        return ConsultProblem.EMPTY, "the answer is empty", None
    if consult.schema is None:
        return None, "", None
    plain = _without_fence(answer.text)
    if _is_too_deep(plain):
        return ConsultProblem.UNREADABLE, f"nested deeper than {MOST_DEPTH} levels", None
    try:
        data = msgspec.json.decode(plain)
    except (msgspec.DecodeError, UnicodeError) as problem:
        return ConsultProblem.UNREADABLE, cut_text(f"no JSON: {problem}", EVIDENCE_LENGTH), None
    if len(answer.text) * len(msgspec.json.encode(consult.schema)) > MOST_WORK:
        return ConsultProblem.OFF_SCHEMA, "the answer is too long to be checked against its schema", None
    if wrong := _schema_problem(data, consult.schema):
        return ConsultProblem.OFF_SCHEMA, wrong, None
    return None, "", data


def _is_too_deep(text: str) -> bool:
    """Whether JSON is nested deeper than :data:`MOST_DEPTH`: how deep the reader could go would depend on who calls
    it."""
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return False
    depth, quoted = 0, False
    for found in _NESTING.finditer(text):
        sign = found.group()
        if sign == '"':
            quoted = not quoted
        elif not quoted and sign in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                return True
        elif not quoted and sign in "]}":
            depth -= 1
    return False


def _without_fence(text: str) -> str:
    """The text without a Markdown code fence around the whole of it, which many models put there."""
    plain = text.strip()
    if plain.startswith("```") and plain.endswith("```") and plain.count("```") == 2:
        first, _, rest = plain[3:-3].partition("\n")
        return rest if first.strip() in ("json", "") else plain
    return plain


def _schema_problem(data: Any, schema: dict[str, Any]) -> str:
    """Where ``data`` is not of the JSON Schema (:mod:`arena.consulting.answer_schema`), in words; empty where it is.
    Raises UserError where the library for this is not installed."""
    try:
        import jsonschema
    except ImportError:
        raise UserError('language models need the extra "models": pip install "arena-negotiation[models]"') from None
    found = next(iter(jsonschema.Draft202012Validator(schema).iter_errors(data)), None)
    return "" if found is None else cut_text(f"{found.json_path}: {found.message}", EVIDENCE_LENGTH)
