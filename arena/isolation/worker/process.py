"""One bot's process as the worker sees it: its pipe, its unanswered asks, and whether it is late.

A bot is late if its answer has not come when its time is up. What is not the bot's fault is excused: its time is
extended by the time that its process has waited for a core, that the referee has waited for one while an answer could
be read, or by which the referee's clock has jumped. A process that is ready to run but gets no core is never ended for
being late. A sleeping process is not ready to run: sleeping is not excused.

In one match a bot is excused for at most :data:`MOST_EXCUSED` seconds, so that no bot, whatever it does to the machine,
can delay a match forever.
"""

from __future__ import annotations

from collections import deque
from math import inf

import msgspec

from arena.errors import ArenaError
from arena.games.contract import Hook
from arena.isolation.worker.bot_pipe import Pipe
from arena.isolation.worker.fork_server import ProcessExit
from arena.isolation.worker.transport import Transport
from arena.players.consult_desk import CallDigest
from arena.players.faults import Fault
from arena.system.core_wait import (
    BRIEF_SECONDS,
    LEAST_EXCUSE,
    STARVED_LIMIT,
    ProcessTimes,
    excused_seconds,
    had_little,
    had_no_core,
)

MOST_EXCUSED = 600.0
"""The maximum total extension of a bot's time in one match, in seconds."""
PRESSED_SHARE = 0.1
"""The share of an ask's time spent waiting for a core from which on the machine counts as too busy."""
STARVED_LOOK = 0.02
"""Seconds between two looks at a process whose time is up; comparing them shows whether it gets a core."""


class OpenAsk(msgspec.Struct, gc=False):
    """An ask that is not answered yet: its id, its hook (None: the start), when its time began and when it is up.

    ``first`` is the reading of the process's waiting and CPU time at the first look, which is taken only if the ask
    takes long; ``reading`` the one when its time was last extended; ``glimpse`` the latest. ``look`` is when a starved
    process is checked again. ``unseen`` is how long the referee waited for a core before the first look: how long the
    process waited then is unknown, so this value is used for both. ``referee_waited`` is the referee's total waiting
    time at the first look. ``anew`` is the time from which the ask is timed again, if that makes a difference, because
    the referee was away. ``seconds`` is how long the ask took, once it is answered; ``number`` is the ask's number in
    the match.
    """

    id: int
    hook: Hook | None
    since: float
    until: float
    look: float = 0.0
    first: ProcessTimes | None = None
    reading: ProcessTimes | None = None
    glimpse: ProcessTimes | None = None
    unseen: float = 0.0
    anew: float = 0.0
    referee_waited: float = 0.0
    seconds: float = 0.0
    number: int = 0

    @property
    def cpu_seconds(self) -> float | None:
        """Seconds of CPU time between the first look and the last; None where the system does not tell."""
        if self.first is None or self.glimpse is None:
            return None
        return self.glimpse.computed - self.first.computed

    def extend_deadline(self, seconds: float) -> None:
        """Move the beginning and the end of the ask's time by ``seconds``."""
        self.since, self.until = self.since + seconds, self.until + seconds


class BotProcess:
    """A running process. ``asks`` are its unanswered asks, in the order in which they were sent; ``ask_limit`` is how
    long an ask may take before the bot's bank is charged; ``exit`` is how the process ended, once it is no longer
    ``running``.

    ``seat`` is that of the bot. While it is ``consulting`` a model, its time does not run; ``calls`` are those made for
    the current ask, ``desk_fault`` the fault that they ended in; ``garbled_consult``: its next line is a question that
    cannot be read."""

    def __init__(self, transport: Transport, pid: int, pipe: Pipe) -> None:
        self.pid, self.pipe = pid, pipe
        self.seat = 0
        self.consulting = self.garbled_consult = False
        self.calls: list[CallDigest] = []
        self.desk_fault: Fault | None = None
        self.asks: deque[OpenAsk] = deque()
        self.ask_limit = 1.0
        self.running = True
        self.late = False
        self.exit: ProcessExit | None = None
        self._transport = transport
        self._may_excuse = MOST_EXCUSED
        self._referee_waited = transport.referee_wait()

    def open_ask(self, id: int, hook: Hook | None, limit: float, number: int = 0) -> OpenAsk:
        """Start timing an ask that has just been sent."""
        now = self._transport.clock.now()
        ask = OpenAsk(id, hook, now, now + limit, number=number)
        self.asks.append(ask)
        return ask

    def is_brief(self, seconds: float) -> bool:
        """Whether an answer took so short a time that its waiting for a core is not examined."""
        return 0.0 <= seconds <= BRIEF_SECONDS and seconds <= self.ask_limit

    @property
    def unanswered_ask(self) -> OpenAsk | None:
        """The ask that the bot is working on, or None if all are answered or a model is being asked for it."""
        return self.asks[0] if self.asks and not self.pipe.incoming.lines and not self.consulting else None

    def next_look(self) -> float:
        """When this process must be checked because it has not answered; ``inf`` while no answer is expected. From now
        on its waiting time is measured."""
        ask = self.unanswered_ask
        if ask is None:
            return inf
        if ask.first is None:
            ask.first = ask.reading = ask.glimpse = self._transport.process_times(self.pid)
            ask.unseen = self._referees_wait(ask)
            ask.referee_waited = self._referee_waited
        before = ask.until - STARVED_LOOK
        if ask.glimpse is not None and ask.glimpse.time < before:
            return before
        return max(ask.until, ask.look)

    def is_overdue(self, now: float) -> bool:
        """Whether the bot's time is up and there is no answer. If waiting for a core excuses the bot, its time is
        extended instead. Raises ArenaError where the process has had no core for far too long."""
        ask = self.unanswered_ask
        if ask is None or now < self.next_look():
            return False
        reading, glimpse = self._transport.process_times(self.pid), ask.glimpse
        ask.glimpse = reading
        if now < ask.until:
            return False
        if self._excuse(ask, self._due(ask)):
            ask.reading, ask.unseen, ask.anew = reading, 0.0, 0.0
            if now < ask.until:
                return False
        if had_no_core(glimpse, reading):
            if now >= ask.until + STARVED_LIMIT:
                raise ArenaError(
                    f"a bot's process has had no core for {STARVED_LIMIT:.0f} s; the machine is overloaded"
                )
        elif not had_little(glimpse, reading) or now >= ask.until + STARVED_LOOK:
            return True
        ask.look = now + STARVED_LOOK  # its wait is not counted yet: once it gets a core, all of it is excused
        return False

    def is_pressed(self, ask: OpenAsk) -> bool:
        """Whether the machine was too busy during ``ask``: the process or the referee waited for a core for a large
        part of the time."""
        if ask.first is None or ask.glimpse is None:
            return False
        waited = max(ask.glimpse.waited - ask.first.waited, self._transport.referee_wait() - ask.referee_waited)
        return waited > PRESSED_SHARE * (ask.glimpse.time - ask.first.time)

    def time_anew(self, now: float, at_once: bool) -> None:
        """Restart the time of the bot's current ask: ``at_once``, or as soon as it is needed. The CPU time that the
        process has used for it so far is charged all the same."""
        ask, reading = self.asks[0], self._transport.process_times(self.pid)
        ask.first = ask.first or reading
        ask.reading = ask.glimpse = reading
        ask.unseen, self._referee_waited = 0.0, self._transport.referee_wait()
        ask.anew = now - (ask.cpu_seconds or 0.0)
        if at_once:
            self._excuse(ask, self._due(ask))

    def is_in_time(self, ask: OpenAsk, came: float) -> bool:
        """Whether the answer to ``ask``, which has been removed from the open asks, came in time; notes how long it
        took.

        The time that the process has waited for a core is subtracted; beyond the limit of an ask, or of the start, so
        is the time that the referee waited before it read the answer. The time of the next ask begins when this answer
        came, because a bot thinks about one ask at a time.
        """
        free = max(came, ask.since)
        ask.seconds = free - ask.since
        if self.asks:
            following = self.asks[0]
            following.extend_deadline(max(0.0, free - following.since))
        beyond = ask.seconds > self.ask_limit or came > ask.until
        if (beyond or not self.is_brief(ask.seconds)) and self.running:
            ask.glimpse = self._transport.process_times(self.pid)
            waited = excused_seconds(ask.reading, ask.glimpse)
            if beyond:
                waited = max(self._due(ask), self._referees_wait(ask))
                ask.unseen = 0.0
            self._excuse(ask, min(waited, ask.seconds))
            ask.reading = ask.glimpse  # a second line may answer the start, and no wait is excused twice
            ask.seconds = max(0.0, came - ask.since)
        if came > ask.until:
            self.late = True
        return came <= ask.until

    def _excuse(self, ask: OpenAsk, seconds: float) -> bool:
        """Extend the time of an ask, if that is worthwhile and as far as this bot may be excused; returns whether it
        was extended."""
        seconds = min(seconds, self._may_excuse)
        if seconds <= LEAST_EXCUSE:
            return False
        self._may_excuse -= seconds
        ask.extend_deadline(seconds)
        return True

    def _due(self, ask: OpenAsk) -> float:
        """Seconds by which the time of an ask is to be extended, as far as the last look shows."""
        return excused_seconds(ask.reading, ask.glimpse) + ask.unseen + max(0.0, ask.anew - ask.since)

    def _referees_wait(self, ask: OpenAsk) -> float:
        """Seconds that the referee has waited for a core since the last call of this method, but not before ``ask``."""
        waited = self._transport.referee_wait()
        since, self._referee_waited = waited - self._referee_waited, waited
        return max(0.0, min(since, self._transport.clock.now() - ask.since))
