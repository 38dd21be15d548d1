"""A trusted bot in the referee's own process: its hooks are called directly, under a time limit."""

from __future__ import annotations

import random
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf

from arena.bot import Bot, Finish, Limits, Start
from arena.errors import BotError
from arena.finding.hooks import hooks_of
from arena.finding.loading import make_bot
from arena.finding.reference import BotRef
from arena.games.contract import Event, Hook, View
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.players.reply_checks import EMPTY_ANSWER, exception_fault, read_reply, tidy_evidence
from arena.players.watch import Overrun, TimeSpent, Watch
from arena.system.core_wait import BRIEF_SECONDS

RECURSION_LIMIT = sys.getrecursionlimit()
LOWERED_LIMIT = Fault(FaultKind.BROKEN, "lowered the recursion limit, which is everybody's")

MESSAGE_LIMIT = 1.0
"""The maximum time in seconds for an exception to produce its message, which is bot code too."""


Report = Callable[[str], None]
"""Receives the error of a broken bot, for its author: the bot's name and a traceback."""


def print_broken(text: str) -> None:
    """Print the text to standard error, after flushing earlier output."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    print(text, file=sys.stderr)


class InProcessPlayer:
    """Implements :class:`arena.players.player.Player` by calling the bot.

    Everything that may run the bot's code (its hooks, the objects they return, the messages of their exceptions) runs
    guarded and under a time limit.
    """

    def __init__(self, ref: BotRef, watch: Watch, report: Report = print_broken) -> None:
        self.ref, self.watch, self.report = ref, watch, report
        self.bot: Bot | None = None
        self.hooks: frozenset[str] = frozenset()
        self.limits = Limits()
        self.seen_events: list[Event] = []
        """What the bot has been told of; the bot has the same list."""
        self._posted: deque[tuple[Hook, View]] = deque()

    def start(self, start: Start) -> TimedAnswer:
        """Create the bot and tell it ``start``."""
        self.limits = start.limits

        def begin() -> TimedAnswer:
            bot = make_bot(self.ref, start.game)
            bot.seat, bot.players, bot.rules, bot.limits = start.seat, start.players, start.rules, start.limits
            bot.random, bot.seen_events = random.Random(start.seed), self.seen_events
            self.hooks = hooks_of(type(bot), start.game)
            self.bot = bot
            bot.start(start)
            return EMPTY_ANSWER

        answered = self._call(begin, start.limits.start)
        if self.bot is None and answered.fault is not None and answered.fault.kind is FaultKind.BROKEN:
            return answered._replace(fault=Fault(FaultKind.MISSING, answered.fault.evidence))
        return answered

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Keep the ask until it is taken, because all bots here run in one thread."""
        self._posted.append((hook, view))

    def take(self, limit: float) -> TimedAnswer:
        """Let the bot think about the oldest ask."""
        hook, view = self._posted.popleft()
        self.seen_events += view.news
        return self._call(lambda: read_reply(hook, getattr(self.bot, hook.name)(view)), limit)

    def finish(self, finish: Finish) -> None:
        """Tell the bot the end, within the limit of one ask."""
        bot = self.bot
        if bot is not None:

            def end() -> TimedAnswer:
                bot.finish(finish)
                return EMPTY_ANSWER

            self._call(end, self.limits.ask)

    def close(self) -> None:
        """Drop the bot, within the limit of one ask, because dropping it may run its code."""

        def drop() -> TimedAnswer:
            self.bot = None
            return EMPTY_ANSWER

        if self.bot is not None:
            self._call(drop, self.limits.ask)

    def _call(self, function: Callable[[], TimedAnswer], limit: float) -> TimedAnswer:
        """The answer of ``function()``, with its time, or the fault that it caused."""
        now = self.watch.clock.now
        began, spent = now(), None
        try:
            try:
                self.watch.deadline.value = inf if self.watch.suspended else began + limit
                answered = function()
                seconds = now() - began
                waited = seconds > min(
                    limit, self.limits.ask, BRIEF_SECONDS
                )  # some of it may have been waiting for a core
                if waited and not self.watch.suspended:
                    spent = self.watch.time_spent(began, limit)
            finally:
                self.watch.deadline.value = inf
                if sys.getrecursionlimit() < RECURSION_LIMIT:
                    sys.setrecursionlimit(RECURSION_LIMIT)
                    answered = TimedAnswer(None, LOWERED_LIMIT, 0.0)
        except Overrun:
            return _late_answer(self.watch.time_spent(began, limit))
        except BaseException as problem:
            if isinstance(problem, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                raise  # the user stops the program; where SIGINT is ignored only the bot can have raised it
            seconds = now() - began
            return self._fault(
                problem,
                self.watch.time_spent(began, limit).seconds
                if seconds > min(self.limits.ask, BRIEF_SECONDS)
                else seconds,
            )
        if spent is None:
            return answered._replace(seconds=0.0 if self.watch.suspended else seconds)
        return _late_answer(spent) if spent.seconds > limit else answered._replace(seconds=spent.seconds)

    def _fault(self, problem: BaseException, seconds: float) -> TimedAnswer:
        """The fault for an exception. Its message is produced by the bot's code, so this may fail once more."""
        try:
            try:
                self.watch.deadline.value = self.watch.clock.now() + MESSAGE_LIMIT
                if isinstance(problem, BotError) and self.bot is None:
                    return TimedAnswer(None, Fault(FaultKind.MISSING, tidy_evidence(str(problem))), seconds)
                told = f"{self.ref.name} broke\n{''.join(traceback.format_exception(problem)).rstrip()}"
                self.report(self.ref.as_its_author_knows(told.encode("utf-8", "backslashreplace")).decode())
                return exception_fault(problem, seconds, self.ref.path)
            finally:
                self.watch.deadline.value = inf
        except BaseException:
            return TimedAnswer(None, Fault(FaultKind.BROKEN, "an exception that cannot be described"), seconds)


def _late_answer(spent: TimeSpent) -> TimedAnswer:
    fault = Fault(FaultKind.LATE, "no reply in time")  # how late would be a clock reading
    return TimedAnswer(None, fault, spent.seconds, computed=spent.computed)
