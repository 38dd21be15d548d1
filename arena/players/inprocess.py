"""A bot in this very process: the fast way, for bots one trusts."""

from __future__ import annotations

import logging
import random
import signal
from collections import deque
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Any

from arena.bot import Bot, Finish, Start
from arena.errors import BotError
from arena.games import load_game
from arena.games.contract import Hook, View
from arena.players.faults import Fault, FaultKind
from arena.players.loading import BotRef, implemented, make_bot
from arena.players.player import Answered
from arena.players.replies import broken, read_reply, tidy
from arena.players.watch import Overrun, Watch

log = logging.getLogger(__name__)


class InProcess:
    """Implements :class:`arena.players.player.Player` by calling the bot."""

    def __init__(self, ref: BotRef, watch: Watch) -> None:
        self.ref, self.watch = ref, watch
        self.bot: Bot | None = None
        self.hooks: frozenset[str] = frozenset()
        self._posted: deque[tuple[Hook, View, float]] = deque()

    def start(self, start: Start) -> Answered:
        """Make the bot and tell it ``start``."""

        def begin(start: Start) -> None:
            bot = make_bot(self.ref)
            bot.seat, bot.players, bot.rules, bot.limits = start.seat, start.players, start.rules, start.limits
            bot.random = random.Random(start.seed)
            self.hooks = implemented(type(bot), list(load_game(start.game).hooks))
            self.bot = bot
            bot.start(start)

        _, answered = self._call(begin, start, start.limits.start)
        if answered is None or answered.fault is None:
            return answered or Answered(None, None, 0.0)
        if self.bot is None and answered.fault.kind is FaultKind.BROKEN:
            return answered._replace(fault=Fault(FaultKind.MISSING, answered.fault.evidence))
        return answered

    def post(self, hook: Hook, view: View, limit: float) -> None:
        """Keep the ask until it is taken: one thread thinks for all bots here."""
        self._posted.append((hook, view, limit))

    def take(self) -> Answered:
        """Let the bot think about the oldest ask."""
        hook, view, limit = self._posted.popleft()
        began = perf_counter()
        reply, answered = self._call(getattr(self.bot, hook.name), view, limit)
        if answered is not None:
            return answered
        seconds = perf_counter() - began
        if seconds > limit:
            return _late(seconds, limit)
        return read_reply(hook, reply, seconds)

    def finish(self, finish: Finish) -> None:
        """Tell the end, within the limit of one ask."""
        if self.bot is not None:
            self._call(self.bot.finish, finish, self.bot.limits.ask)

    def close(self) -> None:
        """Forget the bot."""
        self.bot = None

    def _call(self, function: Callable[[Any], Any], argument: Any, limit: float) -> tuple[Any, Answered | None]:
        """What ``function(argument)`` returns, or the fault it made."""
        began = perf_counter()
        try:
            try:
                self.watch.deadline = began + limit
                return function(argument), None
            finally:
                self.watch.deadline = inf
        except Overrun:
            return None, _late(perf_counter() - began, limit)
        except BotError as problem:
            return None, Answered(None, Fault(FaultKind.MISSING, tidy(str(problem))), perf_counter() - began)
        except BaseException as problem:
            if isinstance(problem, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                raise  # the user stops the program; where SIGINT is ignored only the bot can have raised it
            log.warning("%s broke", self.ref.name, exc_info=problem)
            return None, broken(problem, perf_counter() - began, self.ref.path)


def _late(seconds: float, limit: float) -> Answered:
    return Answered(None, Fault(FaultKind.LATE, f"no reply within the limit of {limit:g} s"), seconds)
