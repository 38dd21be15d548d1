"""The model that ships with arena: always the same answers, by a simple rule, and every way to fail."""

from __future__ import annotations

from typing import Any

import jsonschema
import msgspec
import pytest

from arena.bot import ChatMessage, Consult, ConsultProblem
from arena.consultation.answer_check import judge_answer
from arena.consultation.backend import Completion, ModelUnreachable
from arena.consultation.model_spec import ModelSpec
from arena.consultation.scripted_model import FAILURES, STYLES, ScriptedModel, plainest_value

SCHEMA = {
    "type": "object",
    "properties": {
        "choice": {"type": "integer", "enum": [2, 5]},
        "price": {"type": "integer", "minimum": 3, "maximum": 9},
        "more": {"type": "array", "items": {"type": "boolean"}, "minItems": 2},
        "share": {"type": "number", "exclusiveMinimum": 0},
        "say": {"type": "string", "minLength": 1},
        "other": {"anyOf": [{"type": "null"}, {"const": 7}]},
    },
    "required": ["choice", "price", "more", "share", "say", "other"],
    "additionalProperties": False,
}


def asked(question: dict[str, Any] | None = None, *later: ChatMessage, **more: Any) -> Consult:
    """A request with this question in the user's message."""
    line = "" if question is None else msgspec.json.encode(question).decode()
    messages = ChatMessage("system", "Play."), ChatMessage("user", f"The table.\n{line}"), *later
    return Consult("m", messages, **({"schema": {"type": "object"}} if question else {}) | more)


def answered(consult: Consult, style: str = "") -> Completion:
    return ScriptedModel().complete("m", ModelSpec(url="scripted", model=style), consult)


def value_of(consult: Consult, style: str = "") -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(answered(consult, style).text)
    return found


def question(name: str, choices: list[dict[str, Any]], usual: int = 4, step: int = 1) -> Consult:
    numbered = [{"choice": number, "what": "a card", **each} for number, each in enumerate(choices)]
    return asked({"question": name, "language": "en", "usual": usual, "step": step, "choices": numbered})


SOLD = question("accept", [{"gain": 3}, {"gain": 4}, {"gain": 6}])
BOUGHT = question("accept", [{"gain": -3}, {"gain": -4}, {"gain": -5}, {"gain": -6}])
SELL = question("sell", [{"least": 1, "most": 20}, {"least": 1, "most": 2}])
BUY = question("buy", [{"least": 1, "most": 20}, {"least": 6, "most": 20}, {"least": 7, "most": 20}])
CLOSE = question("close", [{"gain": 5}, {"gain": 3}, {}, {}])


@pytest.mark.parametrize(
    ("consult", "key", "by_style"),
    [
        (SOLD, "yes", {"plain": [1, 2], "generous": [0, 1, 2], "stubborn": [2]}),
        (BOUGHT, "yes", {"plain": [0, 1], "generous": [0, 1, 2], "stubborn": [0]}),
        (CLOSE, "choice", {"plain": 0, "generous": 0, "stubborn": 2}),
    ],
)
def test_it_takes_what_is_worth_it_in_its_style(consult: Consult, key: str, by_style: dict[str, Any]) -> None:
    assert {style: value_of(consult, style)[key] for style in by_style} == by_style


@pytest.mark.parametrize(
    ("consult", "by_style"),
    [
        (SELL, {"plain": [(0, 4), (1, 2)], "generous": [(0, 3), (1, 2)], "stubborn": [(0, 6), (1, 2)]}),
        (BUY, {"plain": [(0, 4), (1, 6)], "generous": [(0, 5), (1, 6)], "stubborn": [(0, 3), (1, 6)]}),
    ],
)
def test_it_offers_the_usual_price_in_its_style_and_keeps_to_the_bounds(
    consult: Consult, by_style: dict[str, Any]
) -> None:
    found = {
        style: [(each["choice"], each["price"]) for each in value_of(consult, style)["offers"]] for style in by_style
    }
    assert found == by_style


def test_prices_are_whole_steps() -> None:
    choices = [{"least": 4, "most": 20}]
    for style in STYLES:
        (offer,) = value_of(question("sell", choices, usual=4, step=4), style)["offers"]
        assert offer["price"] == 4


def test_where_only_closings_are_left_it_closes() -> None:
    assert value_of(question("close", [{"gain": 0}, {"gain": 1}]))["choice"] == 1


def test_it_speaks_now_and_then_and_in_the_language_of_the_question() -> None:
    said: dict[str, set[str]] = {"en": set(), "nl": set()}
    for language, words in said.items():
        for usual in range(2, 60):
            given = {"question": "sell", "language": language, "usual": usual, "step": 1, "choices": []}
            words.add(value_of(asked(given))["say"])
    assert said == {language: {"", *STYLES["plain"].words[language]} for language in said}


@pytest.mark.parametrize("style", [*STYLES, *FAILURES])
def test_the_same_request_has_the_same_answer(style: str) -> None:
    assert answered(BUY, style) == answered(BUY, style)


def test_any_schema_is_answered_by_its_plainest_value() -> None:
    value = value_of(asked(schema=SCHEMA))
    assert value == {"choice": 2, "price": 3, "more": [False, False], "share": 1, "say": "-", "other": None}
    jsonschema.validate(value, SCHEMA)
    assert plainest_value({"type": "integer", "maximum": -4}) == -4
    assert answered(asked()).text == "I have no opinion."


PROBLEMS = {
    "truncated": ConsultProblem.TRUNCATED,
    "empty": ConsultProblem.EMPTY,
    "prose": ConsultProblem.UNREADABLE,
    "off-schema": ConsultProblem.OFF_SCHEMA,
}
OFFERS = {"type": "object", "properties": {"offers": {}, "say": {}}, "required": ["offers", "say"]}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failing_style_fails_until_it_is_told_so(failure: str) -> None:
    first = msgspec.structs.replace(BUY, schema=OFFERS)
    told = ChatMessage("user", '{"wrong":"empty","because":"the answer is empty"}\nAgain.')
    later = msgspec.structs.replace(first, messages=(*first.messages, ChatMessage("assistant", "…"), told))
    assert judge_answer(first, answered(first, failure), 1).problem == PROBLEMS.get(failure)
    assert judge_answer(later, answered(later, failure), 1).data == value_of(BUY)
    assert answered(later, f"{failure}-always").text == answered(first, failure).text


def test_an_illegal_answer_offers_the_same_twice() -> None:
    first, second, *more = value_of(BUY, "illegal")["offers"]
    assert first == second
    assert more == []
    assert value_of(CLOSE, "illegal") == value_of(CLOSE)


def test_tokens_are_characters_by_four_and_bound_the_answer() -> None:
    consult = asked(max_tokens=3)
    found = answered(consult)
    asked_characters = sum(len(message.content) for message in consult.messages)
    assert (found.text, found.finish) == ("I have no op", "length")
    assert found.tokens == (-(-asked_characters // 4), 3)


def test_a_style_that_is_none_is_out_of_reach_for_good() -> None:
    with pytest.raises(ModelUnreachable, match=r"no scripted model 'generos'.*'generous'") as raised:
        answered(asked(), "generos")
    assert raised.value.lasting
