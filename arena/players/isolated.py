"""A bot in a process of its own, of any language: what it sends is judged here, and how long it takes is measured here.

The players of one match share a :class:`Company`, so that while the referee waits for one of them all are listened to:
each is measured by itself, and ended when its own time is up.
"""

from __future__ import annotations

from collections import deque
from time import perf_counter

import msgspec
from msgspec import UNSET

from arena.bot import Finish, Start
from arena.games.contract import NO, YES, Hook, View
from arena.players.channel import LINES_LIMIT, Channel, attend
from arena.players.company import QUICK, Company, Pending
from arena.players.fairness import excused, read
from arena.players.faults import ENDED, Fault, FaultKind
from arena.players.hooks import asked
from arena.players.host import Ended
from arena.players.loading import BotRef
from arena.players.player import Answered, Usage
from arena.players.replies import tidy
from arena.protocol.changes import Sender
from arena.protocol.messages import LINE_LIMIT, NOTHING_SAID, START, VERSION, Asked, Begin, Bye, Failed, Told, line_of
from arena.protocol.reading import Garbled, read_answer, read_hello

EXCUSE, EXCUSES = 0.005, 100
"""Seconds of waiting for a core below which a bot's time is not prolonged, and how often it is at most in a match."""

ENDLESS = f"a line of more than {LINE_LIMIT} bytes, or {LINES_LIMIT} lines unasked; the process was ended"

_END_LINE = line_of(Bye())


class Isolated:
    """Implements :class:`arena.players.player.Player` over pipes to a process that the host forks."""

    def __init__(self, ref: BotRef, company: Company, hidden: tuple[str, ...] = ()) -> None:
        self.ref, self.company, self.hidden = ref, company, hidden
        self.hooks: frozenset[str] = frozenset()
        self.channel = Channel()
        self.pending: deque[Pending] = deque()
        self.running = self.closed = False
        self.process = self._visible = 0
        self.ended: Ended | None = None
        self.received = self.sent = 0
        self._asked = 0
        self._excuses = 0
        self._late = self._wants_finish = self._wants_legal = False
        self._sender: Sender | None = None
        self._game = ""
        self._rules: object = None
        self._limit = 1.0
        company.players.append(self)

    def renew(self) -> None:
        """Have other pipes than before."""
        self.channel.close()
        self.channel = Channel()

    def start(self, start: Start) -> Answered:
        """Tell the process which bot it is, and ``start``."""
        channel = self.channel
        began = perf_counter()
        self._game, self._rules, self._limit = start.game, start.rules, start.limits.ask
        begin = {name: getattr(start, name) for name in Start.__struct_fields__}
        channel.send(line_of(Begin(protocol=VERSION, options=self.ref.options, **begin)))
        self.pending.append(Pending(START, None, began, began + start.limits.start))
        line = self._line(self.pending[0])
        answered = line if isinstance(line, Answered) else self._hello(line)
        if answered is None:
            self.pending.append(Pending(START, None, began, began + start.limits.start))
            answered = self.take(start.limits.start)
        return answered

    def _hello(self, line: bytes) -> Answered | None:
        """Read the first line: None, or the fault it is."""
        try:
            hello = read_hello(line)
        except Garbled as problem:
            return _fault(FaultKind.GARBLED, str(problem))
        if isinstance(hello, Failed):
            return _fault(FaultKind(hello.kind), hello.evidence)
        self.hooks = asked(hello.hooks, self._game)
        self._wants_finish, self._wants_legal = "finish" in hello.hooks, hello.legal
        self._sender = Sender(self._game) if hello.views == "changes" else None
        return None

    def post(self, hook: Hook, view: View, limit: float) -> None:
        """Send an ask; its clock runs from now, or from the bot's answer to the one before."""
        self._asked = id = self._asked + 1
        if self._sender is not None:
            asked = Asked(id, hook.name, UNSET, self._sender.changes(view))
        else:
            asked = Asked(id, hook.name, view)
        if self._wants_legal:
            asked = msgspec.structs.replace(asked, legal=view.legal_moves(self._rules))
        line = line_of(asked)
        self.sent += len(line)
        self.channel.send(line)
        now = perf_counter()
        self.pending.append(Pending(id, hook, now, now + limit))

    def take(self, limit: float) -> Answered:
        """The answer to the oldest ask."""
        pending = self.pending[0]
        pending.until = pending.since + limit
        line = self._line(pending)
        return line if isinstance(line, Answered) else self._answer(line, pending)

    def _line(self, pending: Pending) -> bytes | Answered:
        """The bot's next line, and how long it took noted with what it answers; or the fault that there is none in
        time."""
        incoming = self.channel.incoming
        if not incoming:
            self._wait()
        self.pending.popleft()
        if not incoming or self.channel.endless:
            return self._gone(perf_counter() - pending.since)
        line, came = incoming.popleft()
        self.received += len(line)
        pending.seconds = seconds = came - pending.since
        simple = not self.pending and 0.0 <= seconds <= self._limit and came <= pending.until
        return line if simple or self._in_time(pending, came) else self._gone(pending.seconds)

    def _wait(self) -> None:
        """Until the bot has said something or cannot any more."""
        channel, company = self.channel, self.company
        look = 0.0
        while not channel.incoming and self.running and not channel.ended and not channel.endless:
            look = look or perf_counter() + QUICK
            if channel.unsent or perf_counter() > look or not company.hear():
                company.attend()

    def _in_time(self, pending: Pending, came: float) -> bool:
        """Whether the answer that ``came`` did so in time; what is excused is taken off, and the clock of the ask
        after it runs from then on."""
        free = max(came, pending.since)
        pending.seconds = free - pending.since
        if self.pending:
            following = self.pending[0]
            delay = max(0.0, free - following.since)
            following.since, following.until = following.since + delay, following.until + delay
        if pending.seconds > self._limit and self.running:
            excuse = min(excused(pending.reading, self.visible), pending.seconds)
            pending.seconds, came = pending.seconds - excuse, came - excuse
        if came > pending.until:
            self._late = True
        return came <= pending.until

    def _answer(self, line: bytes, pending: Pending) -> Answered:
        hook, seconds = pending.hook, pending.seconds
        if hook is not None and hook.idle is not None and line == NOTHING_SAID % pending.id:
            return Answered(None, None, seconds)
        try:
            found = read_answer(line, pending.id, hook)
        except Garbled as problem:
            return _fault(FaultKind.GARBLED, str(problem), seconds)
        if isinstance(found, Failed):
            return _fault(FaultKind(found.kind), found.evidence, seconds)
        if hook is None:
            return Answered(None, None, seconds)
        move = found.move
        if type(move) is bool:
            move = YES if move else NO
            if type(move) not in hook.moves:
                return _fault(FaultKind.GARBLED, f"{hook.name} is not answered by true or false", seconds)
        if move is None and hook.idle is None:
            expected = ", ".join(str(kind.__struct_config__.tag) for kind in hook.moves)
            return _fault(FaultKind.GARBLED, f"{hook.name} is answered by {expected}; got null", seconds)
        return Answered(move, None, seconds, found.say, found.note)

    def end_if_late(self, now: float) -> None:
        """End the process if its time is up and no answer is there, or if it floods us."""
        if self.channel.endless:
            self.company.end(self)
        if not self.running or not self.pending or self.channel.incoming or now < self.pending[0].until:
            return
        pending = self.pending[0]
        excuse = excused(pending.reading, self.visible)
        if excuse > EXCUSE and self._excuses < EXCUSES:
            self._excuses += 1
            pending.since, pending.until = pending.since + excuse, pending.until + excuse
            pending.reading = read(self.visible)
        else:
            self._late = True
            self.company.end(self)

    def _gone(self, seconds: float) -> Answered:
        """The fault of a bot that cannot be asked any more."""
        endless = self.channel.endless
        self.company.end(self)
        if self._late:
            fault = Fault(FaultKind.LATE, ENDED[FaultKind.LATE])
        elif endless:
            fault = Fault(FaultKind.GARBLED, ENDLESS)
        elif self.ended is not None and self.ended.greedy:
            fault = Fault(FaultKind.REFUSED, "more memory or threads than it may have; the process was ended")
        else:
            fault = Fault(FaultKind.DEAD, ENDED[FaultKind.DEAD])
        return Answered(None, fault, seconds, gone=True)

    def finish(self, finish: Finish) -> None:
        """Tell the end to a bot that wants to know; one in Python that does not just ends."""
        if self.running and self._wants_finish:
            self.channel.send(line_of(Told("finish", finish)))
        if self.running and (self._wants_finish or self.ref.command):
            self.channel.send(_END_LINE)

    def close(self) -> None:
        """Let a bot that was told the end think about it, then leave the company."""
        channel = self.channel
        if self.running and self._wants_finish and not self.closed:
            until = perf_counter() + self._limit
            while not channel.ended and not channel.endless and perf_counter() < until:
                attend([channel], until - perf_counter())
        self.closed = True
        self.company.leave()

    @property
    def visible(self) -> int:
        """The process's number for this process; looked up when it is first needed."""
        if not self._visible:
            self._visible = self.company.host.seen_from_here(self.process)
        return self._visible

    @property
    def usage(self) -> Usage:
        """What the process used."""
        return Usage(self.ended.memory if self.ended else 0, self.sent, self.received)


def _fault(kind: FaultKind, evidence: str, seconds: float = 0.0) -> Answered:
    return Answered(None, Fault(kind, tidy(evidence)), seconds)
