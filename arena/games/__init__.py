"""Pure rules. Nothing below this package touches a file, a clock, a thread, a log or global randomness."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from functools import cache

from arena.errors import UserError, cut_text, nearest_hint
from arena.games.contract import Game

DEFAULT_GAME = "board"
"""The game that is played if none is named; also the one in examples."""
ENTRY_POINTS = "arena.games"
"""The group of entry points in which an installed distribution declares its games, each by its module."""


@cache
def built_in_games() -> tuple[str, ...]:
    """The names of the games in this package, each a folder of it."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


games = built_in_games
"""The name that bots of arena 0.1.0 import: the ``random-legal`` in ladders of that time is one of them."""


@cache
def load_game(name: str) -> Game:
    """The game called ``name``: the folder ``arena/games/NAME``, or a ``package.module`` that is already imported or
    that an installed distribution declares (:func:`arena.plugins.declared_parts`). Nothing else is imported, because
    ``name`` may come from a stranger's replay, record or configuration.

    Raises UserError if there is no such game.
    """
    if name not in sys.modules and must_be_named(name):
        raise UserError(f"there is no game {cut_text(name)!r} here; if you trust it, add: --game {cut_text(name)}")
    return import_game(name)


def must_be_named(name: str) -> bool:
    """Whether whoever reads matches of the game has to name it: it is a module that no installed distribution
    declares."""
    if "." not in name:
        return False
    from arena.plugins import declared_parts  # what finds distributions is slow to import

    return name not in declared_parts(ENTRY_POINTS)


def import_game(name: str) -> Game:
    """As :func:`load_game`, but also imports any other importable ``package.module``. Only for names that come from
    whoever runs arena, or from another process of arena.

    Raises UserError if there is no such game.
    """
    path = name if "." in name else f"{__name__}.{name}"
    if not all(part.isidentifier() for part in path.split(".")):
        raise _unknown_game(name)
    try:
        module = importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name is not None and path.startswith(error.name):
            raise _unknown_game(name) from None
        raise UserError(f"the game {name!r} cannot be imported: {error}") from None
    except Exception as error:
        raise UserError(f"the game {name!r} cannot be imported: {type(error).__name__}: {error}") from None
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise UserError(f"{path} defines no GAME")
    return game


def _unknown_game(name: str) -> UserError:
    return UserError(f"there is no game {cut_text(name)!r}{nearest_hint(name, built_in_games())}")
