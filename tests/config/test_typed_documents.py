"""A document becomes a typed value, or one message says where, what was expected and what was found."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from arena.config.documents.typed_yaml import convert_document
from arena.config.documents.yamlfile import parse_yaml
from arena.errors import ConfigError


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(Struct, forbid_unknown_fields=True):
    size: int
    names: dict[Colour, str] = {}


class Whole(Struct, forbid_unknown_fields=True):
    title: str = ""
    mode: Literal["slow", "fast"] | None = None
    parts: list[Part] = []
    deals: dict[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1, le=5)]] = {}
    players: tuple[int, int] = (2, 6)
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    word: Annotated[str, Meta(min_length=1, max_length=3)] = "x"
    ready: bool = False
    options: dict[str, str | int | float | bool] = {}

    def __post_init__(self) -> None:
        if self.title == "forbidden":
            raise ValueError("this title is taken")


def test_a_sound_document_becomes_its_type() -> None:
    document = parse_yaml(
        "parts: [{size: 1, names: {red: R}}]\ndeals: {1: 2, 13: 5}\nshare: 0.25\nmode: fast", "f.yaml"
    )
    assert convert_document(document, Whole) == Whole(
        mode="fast", parts=[Part(1, {Colour.RED: "R"})], deals={1: 2, 13: 5}, share=0.25
    )


MISTAKES = {
    "titel: x": "f.yaml:1:1: titel: unknown key (did you mean 'title'?); "
    "expected one of title, mode, parts, deals, players, share, word, ready, options",
    "5: x": "f.yaml:1:1: 5: unknown key; "
    "expected one of title, mode, parts, deals, players, share, word, ready, options",
    "parts:\n- size: 1\n  nmes: {}": "f.yaml:3:3: parts[0].nmes: unknown key (did you mean 'names'?); "
    "expected one of size, names",
    "parts:\n- size: 1\n- names: {}": "f.yaml:3:3: parts[1].size: the key is missing; expected a whole number",
    "parts:\n- size: '1'": "f.yaml:2:9: parts[0].size: "
    "expected a whole number, got '1'; write the number without quotes",
    "parts: [{size: 1.5}]": "f.yaml:1:16: parts[0].size: expected a whole number, got 1.5",
    "parts: {}": "f.yaml:1:8: parts: expected a list, got an empty mapping",
    "parts: [[]]": "f.yaml:1:9: parts[0]: expected a mapping, got an empty list",
    "parts: [{size: 1, names: {rad: R}}]": "f.yaml:1:27: parts[0].names.rad: "
    "expected a key that is red or blue, got 'rad' (did you mean 'red'?)",
    "parts: [{size: 1, names: {red: R, blue: 3}}]": "f.yaml:1:41: parts[0].names.blue: "
    "expected text, got 3; put text in quotes",
    "title: 12": "f.yaml:1:8: title: expected text, got 12; put text in quotes",
    "title: forbidden": "f.yaml:1:1: this title is taken",
    "mode: fats": "f.yaml:1:7: mode: expected fast, slow or null, got 'fats' (did you mean 'fast'?)",
    "mode: 3": "f.yaml:1:7: mode: expected fast, slow or null, got 3",
    "deals: {1: 2, 2: 9}": "f.yaml:1:18: deals.2: expected a whole number from 1 to 5, got 9",
    "deals: {0: 2}": "f.yaml:1:9: deals.0: expected a key that is a whole number of at least 1, got 0",
    "deals: {one: 2}": "f.yaml:1:9: deals.one: expected a key that is a whole number of at least 1, got 'one'",
    "players: [1, 2, 3]": "f.yaml:1:10: players: expected a list of 2, got a list of 3",
    "players: [1, x]": "f.yaml:1:14: players[1]: expected a whole number, got 'x'",
    "share: 1": "f.yaml:1:8: share: expected a number above 0 and below 1, got 1",
    "share: true": "f.yaml:1:8: share: expected a number above 0 and below 1, got true",
    "word: long": "f.yaml:1:7: word: expected text of 1 to 3 characters, got 'long'",
    "ready: 1": "f.yaml:1:8: ready: expected true or false, got 1",
    "ready:": "f.yaml:1:7: ready: expected true or false, got nothing (null)",
    "options: {a: 1, b: [1]}": "f.yaml:1:20: options.b: expected text, a number, true or false, got a list of 1",
    "[1, 2]": "f.yaml:1:1: expected a mapping, got a list of 2",
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_a_value_that_does_not_fit_is_told_in_one_message(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        convert_document(parse_yaml(text, "f.yaml"), Whole)
    assert str(caught.value) == MISTAKES[text]
