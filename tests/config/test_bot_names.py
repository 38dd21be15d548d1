"""A bot is named by a bundled name, a file or a module's class, and may bring options."""

from __future__ import annotations

import pytest

from arena.config.botspec import BotSpec, parse_bot
from arena.errors import BotError

EXPECTED = (
    "expected a bundled name, a file (bots/mine.py or bots/mine.py:Class), a folder (bots/mine/), "
    'package.module:Class or cmd:"./bot --flag"'
)


@pytest.mark.parametrize(
    ("text", "spec", "name"),
    [
        ("greedy", BotSpec("bundled", "greedy"), "greedy"),
        ("tit-for-tat_2", BotSpec("bundled", "tit-for-tat_2"), "tit-for-tat_2"),
        ("mine.py", BotSpec("file", "mine.py"), "mine"),
        ("../bots/mine.py:Shark", BotSpec("file", "../bots/mine.py", "Shark"), "Shark"),
        ("bots/mine", BotSpec("file", "bots/mine"), "mine"),
        ("my.bots:Shark", BotSpec("module", "my.bots", "Shark"), "Shark"),
        ("bots:Shark", BotSpec("module", "bots", "Shark"), "Shark"),
    ],
)
def test_a_name_says_which_kind_of_bot_it_is(text: str, spec: BotSpec, name: str) -> None:
    assert parse_bot(text) == spec
    assert spec.text == text
    assert spec.default_name == name


def test_options_follow_a_question_mark_and_are_yaml() -> None:
    spec = parse_bot("mine.py:Shark?greed=0.4&patience=3&loud=true&title=a b&id='7'&word=x=y")
    assert (spec.target, spec.cls) == ("mine.py", "Shark")
    assert spec.options == {"greed": 0.4, "patience": 3, "loud": True, "title": "a b", "id": "7", "word": "x=y"}


MISTAKES = {
    "": f"bot '': {EXPECTED}",
    "a b": f"bot 'a b': {EXPECTED}",
    "my.bots": f"bot 'my.bots': {EXPECTED}",
    "mine.py:": "bot 'mine.py:': expected the name of a class after ':', got ''",
    "my.bots:2": "bot 'my.bots:2': expected the name of a class after ':', got '2'",
    "greedy?": "bot 'greedy?': expected option=value after '?' or '&', got ''",
    "greedy?greed": "bot 'greedy?greed': expected option=value after '?' or '&', got 'greed'",
    "greedy?a=1&a=2": "bot 'greedy?a=1&a=2': the option a occurs twice",
    "greedy?a=": "bot 'greedy?a=': option a: expected a value",
    "greedy?a=no": "bot 'greedy?a=no': option a: no is ambiguous; write false, or quote it: \"no\"",
    "greedy?a=[1]": "bot 'greedy?a=[1]': option a: expected text, a number, true or false, got [1]",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_what_names_no_bot_is_refused(text: str) -> None:
    with pytest.raises(BotError) as caught:
        parse_bot(text)
    assert str(caught.value) == MISTAKES[text]
