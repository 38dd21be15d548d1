"""Which games a bot plays, and which hooks it has there.

The games are always declared, never guessed: a class names them in ``games``, or derives from the bases of games (such
as :class:`arena.games.board.BoardBot`); a program names them in its hello. A bot has a hook where its own classes
define it: the declaration in a game's base does not count.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from arena.bot import Bot
from arena.games import load_game


def games_of_class(cls: type[Bot]) -> tuple[str, ...]:
    """The games that bots of this class play."""
    return tuple(cls.games) or tuple(game for each in cls.__mro__ if (game := base_game(each)))


def hooks_of(cls: type[Bot], game: str) -> frozenset[str]:
    """The hooks of ``game`` that bots of this class have; empty where they do not play it."""
    if game not in games_of_class(cls):
        return frozenset()
    return frozenset(hook for hook in load_game(game).hooks if defines_hook(cls, hook))


def hooks_named(games: Collection[str], hooks: Collection[str], game: str) -> frozenset[str]:
    """The hooks of ``game`` among those a hello names; none where ``game`` is not among the games it names."""
    return frozenset(load_game(game).hooks).intersection(hooks) if game in games else frozenset()


def base_game(cls: type[Any]) -> str:
    """The game of which this very class is the base; empty for every other class."""
    return str(vars(cls).get("base_of", ""))


def defines_hook(cls: type[Bot], hook: str) -> bool:
    """Whether the bot's own classes define the hook."""
    definer = next((each for each in cls.__mro__ if hook in vars(each)), None)
    return definer is not None and not base_game(definer)
