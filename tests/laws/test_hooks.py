"""A game's hooks are one record each: improper moves are refused before the game judges, whose own bugs stay bugs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import pytest

from arena.games import built_in_games, load_game
from arena.games.contract import Hook, Move, Question, Refusal, View, by_name, hook_of
from arena.games.field_types import field_problem


class Colour(StrEnum):
    """An enum whose members are texts."""

    RED = "red"


class Card(msgspec.Struct, frozen=True):
    """A struct within a move."""

    colour: Colour
    worth: int | None = None


class Blue(Move, frozen=True, tag="blue"):
    """A move of two words."""

    words: tuple[str, int] = ("", 0)


class Every(Move, frozen=True, tag="every"):
    """A field of every type."""

    number: Annotated[int, msgspec.Meta(ge=0)] = 0
    truth: bool = False
    text: str = ""
    colour: Colour = Colour.RED
    seat: int | None = None
    numbers: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()
    card: Card | Blue | None = None


class Text(str):
    """A text that is more than a text."""


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"number": -(10**30), "truth": True, "text": "red", "seat": 3, "numbers": (1, 2)},
        {"cards": (Card(Colour.RED), Card(Colour.RED, 1)), "card": Card(Colour.RED)},
        {"card": Blue(("", 1))},
    ],
)
def test_a_move_that_is_made_of_what_it_says_is_proper(fields: dict[str, Any]) -> None:
    move = Every(**fields)
    assert field_problem(move) == field_problem(move) == ""


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"number": True}, "Every.number is of type bool, expected int"),
        ({"number": 1.0}, "Every.number is of type float, expected int"),
        ({"truth": 1}, "Every.truth is of type int, expected bool"),
        ({"text": Text("red")}, "Every.text is of type Text, expected str"),
        ({"colour": "red"}, "Every.colour is of type str, expected Colour"),
        ({"colour": Text("red")}, "Every.colour is of type Text, expected Colour"),
        ({"seat": "1"}, "Every.seat is of type str, expected int or None"),
        ({"numbers": [1]}, "Every.numbers is of type list, expected tuple"),
        ({"numbers": (1, None)}, "an item of Every.numbers is of type None, expected int"),
        ({"cards": (Card("red"),)}, "Card.colour is of type str, expected Colour"),  # type: ignore[arg-type]
        ({"card": Every()}, "Every.card is of type Every, expected Card or Blue or None"),
        ({"card": Card(Colour.RED, True)}, "Card.worth is of type bool, expected int or None"),
        ({"card": Blue(("",))}, "Blue.words has 1 items, not 2"),  # type: ignore[arg-type]
        ({"card": Blue(())}, "Blue.words has 0 items, not 2"),  # type: ignore[arg-type]
        ({"card": Blue((1, ""))}, "item 0 of Blue.words is of type int, expected str"),  # type: ignore[arg-type]
    ],
)
def test_a_field_with_anything_else_is_told(fields: dict[str, Any], wrong: str) -> None:
    move = Every(**fields)
    assert field_problem(Every()) == ""
    assert field_problem(move) == field_problem(move) == wrong


def test_a_class_of_moves_with_a_field_that_nobody_can_check_is_a_mistake_of_the_game() -> None:
    class Loose(Move, frozen=True, tag="loose"):
        cards: list[int]

    with pytest.raises(TypeError, match=r"Loose.cards: list\[int\] is no type for a field of a move"):
        field_problem(Loose([]))


GAMES = (*built_in_games(), "tests.thirdgame.pie")
HOOKS = [hook for name in GAMES for hook in load_game(name).hooks.values()]
ANYTHING: Question[Any, Any] = Question(None, 0, None)


def test_a_bug_in_a_game_s_judge_is_no_fault_of_the_bot() -> None:
    def bug(asked: Any, move: Move) -> Refusal | None:
        raise KeyError("a bug")

    for hook in HOOKS:
        broken = replace(hook, refuse=bug, idle=None, moves=(*hook.moves, Every))
        with pytest.raises(KeyError, match="a bug"):
            broken.refusal(ANYTHING, Every())


def test_what_is_no_proper_move_is_refused_before_the_game_judges() -> None:
    def bug(asked: Any, move: Move) -> Refusal | None:
        raise AssertionError("this move must not come here")

    for hook in HOOKS:
        strict = replace(hook, refuse=bug, idle=None, moves=(*hook.moves, Every))
        wrong = "Every.number is of type str, expected int"
        assert strict.refusal(ANYTHING, Every(number="1")) == Refusal(hook.rule, wrong)  # type: ignore[arg-type]
        for move in (Blue(), None, "a word", Every):
            refused = strict.refusal(ANYTHING, move)  # type: ignore[arg-type]
            assert refused is not None
            assert refused.rule == hook.rule
            assert refused.reason.startswith(f"{hook.name} is answered by ")


def test_a_view_finds_its_hook() -> None:
    assert [hook_of(hook.view) for hook in HOOKS] == HOOKS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda hook: replace(hook, idle=None), "hook offer: expected idle or default"),
        (lambda hook: replace(hook, default=lambda asked: hook.idle), "hook offer: expected idle or default"),
        (lambda hook: replace(hook, name="other"), "hook other: its view is that of offer"),
    ],
)
def test_a_mistake_in_a_hook_is_told_when_the_game_is_loaded(change: Callable[[Hook], Hook], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        by_name(change(load_game("board").hooks["offer"]))


def test_a_view_without_a_hook_has_no_legal_moves() -> None:
    with pytest.raises(LookupError):
        View(seat=0, players=2).legal_moves(None)
