"""A bot in this process that is being debugged: the debugger opens in its method at a chosen ask, and at its
exceptions."""

from __future__ import annotations

import os
from bdb import BdbQuit
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from arena.bot import Finish, Start
from arena.errors import BotError
from arena.finding.reference import BotRef
from arena.games import load_game
from arena.games.contract import Hook, View
from arena.players.debug_session import DebugSession
from arena.players.inprocess import InProcessPlayer
from arena.players.player import TimedAnswer
from arena.players.reply_checks import exception_fault, read_reply
from arena.printable import printable_text

SEEN_LENGTH = 400
"""How many characters of a seat's view are shown in the line above a debugger."""


def no_report(text: str) -> None:
    """Print nothing about a broken bot: the debugger shows the exception."""


class DebuggedPlayer(InProcessPlayer):
    """Implements :class:`arena.players.player.Player` for the bot in ``seat``, one of the match's entrants ``names``.

    The debugger opens at the ask ``stop_at`` (of the match, from 1) and at an exception there, or, if that is None, at
    every exception; ``opened`` says that it has opened. ``events`` are the lines of a replay, by the asks that they
    answer; ``own`` are the asks of the seat, given where they are numbered by the seat's own count. Raises
    KeyboardInterrupt where the user quits the debugger for good.
    """

    def __init__(
        self,
        ref: BotRef,
        session: DebugSession,
        seat: int,
        names: Sequence[str],
        stop_at: int | None = None,
        events: Mapping[int, int] | None = None,
        own: Sequence[int] = (),
    ) -> None:
        super().__init__(ref, session.watch, no_report)
        self.session, self.seat, self.names, self.stop_at = session, seat, names, stop_at
        self.events, self.own = events or {}, own
        self.opened = False
        self._numbers: deque[int] = deque()
        self._number, self._at = 0, "start"
        self._view: View | None = None
        self._begun: Start | None = None

    def start(self, start: Start) -> TimedAnswer:
        """Create the bot and tell it ``start``."""
        self._begun = start
        return super().start(start)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Keep the ask until it is taken."""
        self._numbers.append(number)
        super().post(hook, view, limit, number)

    def take(self, limit: float) -> TimedAnswer:
        """Let the bot think about the oldest ask, in the debugger if it is the chosen one."""
        hook, view, _ = self._posted.popleft()
        self._number = number = self._numbers.popleft()
        self.seen_events += view.news
        event = f" (#{self.events[number]})" if number in self.events else ""
        called = self.own.index(number) + 1 if self.own else number
        self._at, self._view = f"ask {called} {hook.name}{event}", view
        method: Callable[[View], object] = getattr(self.bot, hook.name)
        if number != self.stop_at:
            return self.with_calls(self._call(lambda: read_reply(hook, method(view)), limit))
        self.opened = True
        told = self._told(f"{self._who} is asked at {self._at}")
        return self.with_calls(self._call(lambda: read_reply(hook, self.session.stop_in(method, view, told)), limit))

    def finish(self, finish: Finish) -> None:
        """Tell the bot the end."""
        self._at, self._view = "finish", None
        super().finish(finish)

    @property
    def _who(self) -> str:
        return f"{printable_text(self.names[self.seat])} ({self.seat})"

    @property
    def _is_wanted(self) -> bool:
        """Whether the debugger should open at an exception."""
        return self.stop_at is None or self._number in (0, self.stop_at)

    def _call(self, function: Callable[[], TimedAnswer], limit: float) -> TimedAnswer:
        left = self.session.left
        self.session.printed.begin(f"{self._who}, {self._at}:")
        try:
            answered = super()._call(function, limit)
        finally:
            self.session.printed.end()
        if self.session.left and not left:
            raise KeyboardInterrupt
        return answered

    def _fault(self, problem: BaseException, seconds: float) -> TimedAnswer:
        if self._is_wanted and not isinstance(problem, BotError | BdbQuit):
            fault = exception_fault(problem, 0.0, self.ref.path).fault
            what = "" if fault is None else " ".join(fault.evidence.split())
            home = os.path.join(os.path.dirname(self.ref.path), "") if self.ref.path else ""
            told = f"{self._who} broke at {self._at}: {what}"
            again = self.opened and self._number == self.stop_at  # what it sees has been told
            self.opened = True
            self.session.look_at(problem, home, printable_text(f"arena: {told}") if again else self._told(told))
        return super()._fault(problem, seconds)

    def _told(self, what: str) -> str:
        """What happened, and on a separate line the seat's view, beginning with what the ask is about."""
        if self._view is None or self._begun is None:
            return printable_text(f"arena: {what}")
        parts = load_game(self._begun.game).tell_view(self._view, self._begun.rules, self.names)
        seen = "; ".join(" ".join(f"{name} {text}".split()) for name, text in reversed(parts))
        seen = seen if len(seen) <= SEEN_LENGTH else f"{seen[: SEEN_LENGTH - 1]}…"
        return f"{printable_text(f'arena: {what}')}\n{printable_text(f'it sees: {seen}')}"
