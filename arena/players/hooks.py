"""Which hooks of which game a bot is asked.

Games share names such as ``offer``. A bot that was made for one game must not be asked in another by accident: so the
hooks that it names, or defines, are looked at together (:class:`arena.bot.Bot` says how).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from arena.bot import Bot
from arena.games import games, load_game


def asked(names: Collection[str], game: str) -> frozenset[str]:
    """The hooks of ``game`` among ``names``; none where the names tell that they are for other games: they hold a hook
    that only another game has, and none that only this game has."""
    own, others = _hooks(game)
    mine = own.intersection(names)
    foreign = any(name in others - own for name in names)
    return mine if mine - others or not foreign else frozenset()


def hooks_of(cls: type[Bot], game: str) -> frozenset[str]:
    """The hooks of ``game`` that bots of this class are asked."""
    own, others = _hooks(game)
    if cls.games:
        return _defined(cls, own) if game in cls.games else frozenset()
    return asked(_defined(cls, own | others), game)


@lru_cache
def _hooks(game: str) -> tuple[frozenset[str], frozenset[str]]:
    """The hooks of the game, and those of all others."""
    hooks = {other: frozenset(load_game(other).hooks) for other in {*games(), game}}
    own = hooks.pop(game)
    return own, frozenset[str]().union(*hooks.values())


def games_of(cls: type[Bot]) -> tuple[str, ...]:
    """Those of arena's own games in which bots of this class are asked something."""
    return tuple(game for game in games() if hooks_of(cls, game))


def _defined(cls: type[Bot], hooks: Iterable[str]) -> frozenset[str]:
    return frozenset(hook for hook in hooks if hasattr(cls, hook))
