"""The bundled bot whose answers are played where no model is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import arena.bundled
from arena.bot import Bot, Finish, Start, View
from arena.errors import nearest_hint
from arena.finding.hooks import games_of_class, hooks_of
from arena.games.contract import hook_of

V = TypeVar("V", bound=View)
A = TypeVar("A")


class RuleBot:
    """A bundled bot in the seat of another: it gets the same rules, random numbers and events, and answers views as it
    would in its place. Raises ValueError where no bundled bot of the game has the ``name``."""

    def __init__(self, name: str, owner: Bot, start: Start) -> None:
        cls = bundled_bot_class(name)
        self.hooks = hooks_of(cls, start.game)
        if start.game not in (games_of_class(cls) or (start.game,)):
            raise ValueError(f"the bot {name} does not play {start.game}")
        self.bot = cls()
        self.bot.seat, self.bot.players, self.bot.rules = owner.seat, owner.players, owner.rules
        self.bot.limits, self.bot.random, self.bot.seen_events = owner.limits, owner.random, owner.seen_events
        self.bot.start(start)

    def answer(self, method: Callable[[V], A], view: V) -> A:
        """Its reply in place of ``method``, the owner's hook; the default where it has no such hook."""
        hook = hook_of(type(view))
        if hook.name in self.hooks:
            reply: A = getattr(self.bot, method.__name__)(view)
            return reply
        return cast(A, hook.silence(hook.question(view, self.bot.rules)))

    def finish(self, finish: Finish) -> None:
        """Tell it the end."""
        self.bot.finish(finish)


def bundled_bot_class(name: str) -> type[Bot]:
    """The class of the bundled bot ``name``. Raises ValueError, naming the nearest, where there is none."""
    known = {file.stem.replace("_", "-"): cls for cls, file in arena.bundled.bundled_classes().items()}
    wanted = name.replace("_", "-")
    if wanted not in known:
        raise ValueError(f"no bundled bot {name!r}{nearest_hint(wanted, known)}; there are {', '.join(known)}")
    found: type[Bot] = getattr(arena.bundled, known[wanted])
    return found
