"""The player of a Python bot in its own process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from errno import EROFS
from math import inf

from arena.games.contract import Hook, View
from arena.penalties import FaultKind
from arena.players.inprocess import LOWERED_LIMIT, RECURSION_LIMIT, InProcessPlayer
from arena.players.player import TimedAnswer
from arena.players.reply_checks import exception_fault, read_reply


class SandboxedPlayer(InProcessPlayer):
    """Plays the bot in its own process: what the sandbox forbids is a separate fault, ``refused``.

    No time is measured here, because the referee does that at the other end of the pipe, by its own clock and by the
    kernel's data about this process: so the fault ``late`` does not occur here, neither at the start nor at an ask.
    """

    def ask(self, hook: Hook, view: View) -> TimedAnswer:
        """The bot's answer."""
        self.seen_events += view.news
        return self._call(lambda: read_reply(hook, getattr(self.bot, hook.name)(view)), inf)

    def _call(self, function: Callable[[], TimedAnswer], limit: float) -> TimedAnswer:
        """The result of ``function()``, or the fault that it caused, however long it took."""
        try:
            answered = function()
        except BaseException as problem:
            answered = self._fault(problem, 0.0)
        if sys.getrecursionlimit() < RECURSION_LIMIT:
            sys.setrecursionlimit(RECURSION_LIMIT)
            return TimedAnswer(None, LOWERED_LIMIT, 0.0)
        return answered

    def _fault(self, problem: BaseException, seconds: float) -> TimedAnswer:
        answered = super()._fault(problem, seconds)
        refused = type(problem) is PermissionError or (type(problem) is OSError and problem.errno == EROFS)
        if refused and answered.fault is not None:
            return exception_fault(problem, seconds, self.ref.path, FaultKind.REFUSED)
        return answered
