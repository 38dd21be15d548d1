"""The page on the wire protocol says what the messages are: every example is one, strictly read, and nothing is left
out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Union

import jsonschema
import msgspec
import pytest

from arena.bot import Finish
from arena.commands.docs.schema import protocol_schema
from arena.games import built_in_games, load_game
from arena.protocol import messages
from arena.protocol.messages import FROM_ARENA, FROM_BOT, Asked, Begin, Hello, Message, Replied, Told, line_of
from arena.protocol.reading import read_answer, read_hello

TEXT = (Path(__file__).parents[2] / "arena" / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)]
KINDS = {str(kind.__struct_config__.tag): kind for kind in (*FROM_BOT, *FROM_ARENA)}
BOARD = load_game("board")
SCHEMA = json.loads(protocol_schema())
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)


def typed(example: dict[str, Any]) -> Message:
    """The example as arena's own types, with views and rules typed too."""
    message: Message = msgspec.convert(example, Union[tuple(KINDS.values())])
    if isinstance(message, Asked):
        view_type = BOARD.hooks[message.hook].view
        if message.view is not msgspec.UNSET:
            view = msgspec.convert(message.view, view_type)
            news = msgspec.convert(message.view["news"], tuple[Union[BOARD.events], ...])
            return msgspec.structs.replace(message, view=msgspec.structs.replace(view, news=news))
        assert isinstance(message.changes, dict)
        known = {field.name: field.type for field in msgspec.structs.fields(view_type)}
        changes = {name: msgspec.convert(value, known[name]) for name, value in message.changes.items()}
        return msgspec.structs.replace(message, changes=changes)
    if isinstance(message, Begin):
        rules = msgspec.json.decode(msgspec.json.encode(message.rules), type=BOARD.rules_type)
        return msgspec.structs.replace(message, rules=rules)
    if isinstance(message, Told):
        return msgspec.structs.replace(message, view=msgspec.convert(message.view, Finish))
    return message


@pytest.mark.parametrize("example", EXAMPLES, ids=[each["type"] for each in EXAMPLES])
def test_every_example_is_what_arena_writes_and_reads(example: dict[str, Any]) -> None:
    assert json.loads(line_of(typed(example))) == example
    VALIDATOR.validate(example)


def test_the_schema_is_one() -> None:
    VALIDATOR.check_schema(SCHEMA)


def test_there_is_an_example_of_every_message() -> None:
    assert {example["type"] for example in EXAMPLES} == set(KINDS)
    assert re.findall(r"^\| `([a-z]+)` +\| (?:bot|arena)", TEXT, re.MULTILINE) == [
        "hello",
        "start",
        "ask",
        "reply",
        "fault",
        "consult",
        "consulted",
        "tell",
        "bye",
    ]


def test_a_bots_examples_pass_the_strict_reader() -> None:
    for example in EXAMPLES:
        line = json.dumps(example).encode()
        if example["type"] == "hello":
            assert isinstance(read_hello(line), Hello)
        elif example["type"] in ("reply", "fault"):
            hook = None if example["id"] == 0 else BOARD.hooks["accept"]
            assert read_answer(line, example["id"], hook).id == example["id"]


def test_the_start_of_a_message_is_its_type() -> None:
    for example in EXAMPLES:
        assert line_of(typed(example)).startswith(b'{"type":')


def test_every_field_of_every_message_is_named() -> None:
    for kind in KINDS.values():
        for field in msgspec.structs.fields(kind):
            assert f"`{field.name}`" in TEXT, f"{kind.__name__}.{field.name}"


PARTS = {"board": "The board game", "cards": "The card game"}


def part(game: str) -> str:
    """What the page says of one game."""
    return TEXT.split(f"\n## {PARTS[game]}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("game", built_in_games())
def test_every_field_of_a_games_views_is_named(game: str) -> None:
    for hook in load_game(game).hooks.values():
        for field in msgspec.structs.fields(hook.view):
            assert f"`{field.name}`" in part(game), f"{hook.view.__name__}.{field.name}"


@pytest.mark.parametrize("game", built_in_games())
def test_moves_in_the_table_are_moves(game: str) -> None:
    text = part(game).split("| answers")[1].split("\n\n")[0]
    found, hooks_of = set(), load_game(game).hooks
    for hooks, moves in re.findall(r"^\| (`.*?) +\| (.*) \|$", text, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", hooks):
            hook = hooks_of[name]
            for move in re.findall(r'`(\{"move".*?\})`', moves):
                move = move.replace("[agreement]", '[{"partner": 1, "price": 3, "placards": ["green"]}]')
                reply = read_answer(b'{"type": "reply", "id": 1, "move": %s}' % move.encode(), 1, hook)
                assert isinstance(reply, Replied)
                found.add(type(reply.move))
    assert found == {move for hook in hooks_of.values() for move in hook.moves}


def test_the_numbers_are_those_of_the_code() -> None:
    assert f"version {messages.PROTOCOL_VERSION}" in TEXT
    assert f"{messages.LINE_LIMIT:,} bytes" in TEXT
