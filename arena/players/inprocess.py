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

from arena.bot import Bot, Consult, Consulted, ConsultFailed, Finish, Limits, Start
from arena.errors import BotError, MatchSuspended
from arena.finding.hooks import hooks_of
from arena.finding.loading import make_bot
from arena.finding.reference import BotRef
from arena.games.contract import Event, Hook, View
from arena.penalties import FaultKind
from arena.players.consult_desk import NO_MODELS, CallDigest, ConsultDesk, checked_consult
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
        self.limits, self.seat = Limits(), 0
        self.seen_events: list[Event] = []
        """What the bot has been told of; the bot has the same list."""
        self.desk: ConsultDesk = NO_MODELS
        self.consult_host: Callable[[Consult], Consulted] = self._consult
        self._posted: deque[tuple[Hook, View, int]] = deque()
        self._number = 0
        """The number of the ask that the bot thinks about, 0 outside of asks."""
        self._calls: list[CallDigest] = []
        self._desk_fault: Fault | None = None
        self._suspended: BaseException | None = None
        self._excused = 0.0
        """The seconds of the current call of the bot that are not charged to it: a model was waited for."""

    def start(self, start: Start) -> TimedAnswer:
        """Create the bot and tell it ``start``."""
        self.limits, self.seat = start.limits, start.seat

        def begin() -> TimedAnswer:
            bot = make_bot(self.ref, start.game)
            bot.seat, bot.players, bot.rules, bot.limits = start.seat, start.players, start.rules, start.limits
            bot.random, bot.seen_events = random.Random(start.seed), self.seen_events
            bot.consult_host = self.consult_host
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
        self._posted.append((hook, view, number))

    def take(self, limit: float) -> TimedAnswer:
        """Let the bot think about the oldest ask."""
        hook, view, self._number = self._posted.popleft()
        self.seen_events += view.news
        answered = self._call(lambda: read_reply(hook, getattr(self.bot, hook.name)(view)), limit)
        self._number = 0
        return self.with_calls(answered)

    def _consult(self, consult: Consult) -> Consulted:
        """Put the bot's question to the desk of the match, and wait for the answer. As much of the bot's time is
        charged as the desk says, also where a recorded answer came at once."""
        if not self._number:
            raise RuntimeError("a model can be consulted at an ask only, not at the start")
        checked, watch = checked_consult(consult), self.watch
        began, deadline = watch.clock.now(), watch.deadline.value
        watch.deadline.value = inf
        try:
            answer = self.desk.submit(self.seat, self._number, checked).result()
        except MatchSuspended as problem:
            self._suspended = problem
            raise
        excused = watch.clock.now() - began - answer.seconds if answer.digest is not None else 0.0
        self._excused += excused
        watch.deadline.value = deadline + excused
        if answer.digest is not None:
            self._calls.append(answer.digest)
        if answer.fault is not None:
            self._desk_fault = answer.fault
            raise ConsultFailed(answer.fault.evidence)
        return answer.consulted

    def with_calls(self, answered: TimedAnswer) -> TimedAnswer:
        """The answer with the calls of models that were made for it; the fault that the desk found comes before
        whatever the bot answered. Raises MatchSuspended where the match cannot go on."""
        if self._suspended is not None:
            raise self._suspended
        if not self._calls and self._desk_fault is None:
            return answered
        calls, self._calls = tuple(self._calls), []
        fault, self._desk_fault = self._desk_fault, None
        if fault is not None and not answered.gone:
            return TimedAnswer(None, fault, answered.seconds, calls=calls)
        return answered._replace(calls=calls)

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
        self._excused = 0.0
        try:
            try:
                self.watch.deadline.value = inf if self.watch.suspended else began + limit
                answered = function()
                began += self._excused
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
            return _late_answer(self.watch.time_spent(began + self._excused, limit))
        except BaseException as problem:
            if isinstance(problem, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                raise  # the user stops the program; where SIGINT is ignored only the bot can have raised it
            if self._suspended is not None:
                return EMPTY_ANSWER  # not taken: the match stops here
            began += self._excused
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
        if type(problem) is ConsultFailed:
            return TimedAnswer(None, Fault(FaultKind.BROKEN, "ConsultFailed"), seconds)  # the desk knows why
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
