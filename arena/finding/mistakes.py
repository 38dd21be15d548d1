"""Finds mistakes in a bot's class that would otherwise go unnoticed, because a hook is never called.

The check runs whenever a bot is loaded, in the process that loads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from arena.bot import Bot
from arena.errors import BotError, UserError, nearest_hint
from arena.finding.hooks import base_game, defines_hook, games_of_class
from arena.games import DEFAULT_GAME, built_in_games, import_game, load_game
from arena.games.game_bot import NOTICE_METHODS

NAME_LIKENESS = 0.75
"""How similar another name must be to a hook's name to count as a misspelling of it (1: equal)."""


def check_class(cls: type[Bot], name: str, game: str = "") -> None:
    """Check the class of the bot called ``name``, which is to play ``game``, if known.

    Raises BotError, with what to write instead, where the class names a game that does not exist; where it has hooks
    but names no game; where a game's base hides a hook; and where a method that nobody calls has nearly the name of a
    hook.
    """
    _check_games(cls, name)
    said = games_of_class(cls)
    hooks = {other: tuple(load_game(other).hooks) for other in said or {*built_in_games(), *([game] if game else [])}}
    if not said:
        _check_said(cls, name, hooks)
    known = sorted({hook for each in hooks.values() for hook in each})
    for hook in known:
        _check_hidden(cls, name, hook)
    _check_spelling(cls, name, (*known, *NOTICE_METHODS))


def _check_games(cls: type[Bot], name: str) -> None:
    named: Any = cls.games
    if not isinstance(named, tuple | list) or not all(isinstance(each, str) for each in named):
        raise BotError(f'bot {name}: games is a tuple of names, as in games = ("{DEFAULT_GAME}",)')
    for game in named:
        if game not in built_in_games() and "." not in game:
            raise BotError(
                f"bot {name} plays {game!r}{nearest_hint(game, built_in_games())}; "
                f"there are {', '.join(built_in_games())}"
            )
        try:
            import_game(game)
        except UserError as problem:
            raise BotError(f"bot {name} plays {game!r}: {problem}") from None


def _check_said(cls: type[Bot], name: str, hooks: dict[str, tuple[str, ...]]) -> None:
    """Raise BotError where a bot that names no game has hooks."""
    found = {game: [hook for hook in each if defines_hook(cls, hook)] for game, each in hooks.items()}
    game = max(found, key=lambda game: len(found[game]))
    if not found[game]:
        return
    package = game if "." in game else f"arena.games.{game}"
    bases = [base.__name__ for base in Bot.__subclasses__() if base.base_of == game]
    derive = f"Write class {cls.__name__}({bases[0]}) after 'from {package} import {bases[0]}', or n" if bases else "N"
    raise BotError(
        f"bot {name} has hooks ({', '.join(found[game])}) but does not say which game it plays. {derive}ame its games "
        f'in the class, as in games = ("{game}",)'
    )


def _check_hidden(cls: type[Bot], name: str, hook: str) -> None:
    """Raise BotError where a game's base hides the bot's own definition of a hook, because it comes first among its
    bases."""
    having = [each for each in cls.__mro__ if hook in vars(each)]
    own = [each for each in having if not base_game(each)]
    if own and own[0] is not having[0]:
        raise BotError(
            f"bot {name}: {hook} of {own[0].__name__} is hidden by {having[0].__name__}; where {cls.__name__} derives "
            f"from both, name {own[0].__name__} first"
        )


def _check_spelling(cls: type[Bot], name: str, known: tuple[str, ...]) -> None:
    own = [each for each in cls.__mro__ if each not in Bot.__mro__ and not base_game(each)]
    for each in own:
        for method, value in vars(each).items():
            if method.startswith("_") or method in known or hasattr(Bot, method):
                continue
            if not _is_method(value) or (hook := _nearest_hook(method, known)) is None:
                continue
            if not _is_used(method, value, own, known):
                raise BotError(
                    f"bot {name}: {method} is not a hook and is never called; did you mean {hook!r}? If not, "
                    f"choose another name or begin the name with an underscore"
                )


def _is_method(value: Any) -> bool:
    return (callable(value) or isinstance(value, staticmethod | classmethod)) and not isinstance(value, type)


@lru_cache(maxsize=4096)
def _nearest_hook(method: str, known: tuple[str, ...]) -> str | None:
    """The known name most similar to ``method``, if it is similar enough."""
    best, found = NAME_LIKENESS, None
    for hook in known:
        both = len(method) + len(hook)
        if 4 * abs(len(method) - len(hook)) > both or 4 * len({*method.lower()} ^ {*hook}) > both:
            continue  # so that the dear comparison is rarely made
        likeness = SequenceMatcher(None, method.lower(), hook).ratio()
        if likeness >= best:
            best, found = likeness, hook
    return found


def _is_used(method: str, value: Any, own: list[type], known: Collection[str]) -> bool:
    """Whether the bot's classes, or their modules, use the method: by its name, or under a hook's name."""
    if any(vars(each).get(hook) is value for each in own for hook in known):
        return True
    return any(method in code.co_names or method in code.co_consts for code in _class_codes(own))


def _class_codes(own: list[type]) -> Iterator[CodeType]:
    """The code of all functions in these classes, and in the modules that contain them."""
    functions = [function for each in own for value in vars(each).values() if (function := _inner_function(value))]
    for content in {id(function.__globals__): function.__globals__ for function in functions}.values():
        for value in list(content.values()):
            own_class = isinstance(value, type) and value.__module__ == content.get("__name__")
            inside = list(vars(value).values()) if own_class else [value]
            found = [function for each in inside if (function := _inner_function(each))]
            functions += [function for function in found if function.__globals__ is content]
    codes = [function.__code__ for function in functions]
    while codes:
        code = codes.pop()
        yield code
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]


def _inner_function(value: Any) -> FunctionType | None:
    """The function inside a wrapper made by one of Python's own decorators."""
    if type(value).__module__ in ("builtins", "functools"):
        for inside in ("__wrapped__", "__func__", "fget", "func"):
            if (below := getattr(value, inside, None)) is not None:
                return _inner_function(below)
    return value if isinstance(value, FunctionType) else None
