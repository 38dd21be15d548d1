"""One bot's process as the worker sees it: its pipe, what it has been asked and not answered, and whether it is late.

A bot is late if its answer has not come when its time is up. What is not the bot's fault is excused: its time is
prolonged by what its process has waited for a core, or the referee for one while an answer was there to be read, or the
referee's clock has jumped. A process that is ready to run and gets no core is not ended for being late at all. One that
sleeps is not ready to run: for sleeping there is no excuse.

In one match a bot is excused for :data:`MOST_EXCUSED` seconds at most, so that no bot, whatever it does to the machine,
can hold a match up for ever.
"""

from __future__ import annotations

from collections import deque
from math import inf

import msgspec

from arena.core_wait import (
    BRIEF_SECONDS,
    LEAST_EXCUSE,
    STARVED_LIMIT,
    ProcessTimes,
    excused_seconds,
    had_little,
    had_no_core,
)
from arena.errors import ArenaError
from arena.games.contract import Hook
from arena.isolation.worker.bot_pipe import Pipe
from arena.isolation.worker.fork_server import ProcessExit
from arena.isolation.worker.transport import Transport

MOST_EXCUSED = 600.0
"""Seconds that a bot's time is prolonged by in one match, at most."""
PRESSED_SHARE = 0.1
"""The part of an ask's time, spent waiting for a core, from which on the machine counts as too busy."""
STARVED_LOOK = 0.02
"""Seconds between two looks at a process whose time is up, from which it is told whether it gets a core."""


class OpenAsk(msgspec.Struct, gc=False):
    """An ask that is not answered yet: its id, its hook (None: the start), when its time began and when it is up.

    ``first`` is what the process had waited and computed when it was first looked at, because it took long, and
    ``reading`` what it had when its time was last prolonged; ``glimpse`` is the last look of all. ``look`` is when a
    starved process is looked at again. ``unseen`` is how long the referee waited for a core before the first look: what
    the process waited then is not known, so it counts for both. ``referee_waited`` is all that the referee had waited
    until then. ``anew`` is when the ask's time shall have begun, should that make a difference, because the referee was
    away. ``seconds`` is how long the ask took, once it is answered; ``number`` is the ask's in the match.
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
    def computed(self) -> float | None:
        """Seconds of CPU time between the first look and the last; None where the system does not tell."""
        if self.first is None or self.glimpse is None:
            return None
        return self.glimpse.computed - self.first.computed

    def prolong(self, seconds: float) -> None:
        """Put off when its time began, and when it is up."""
        self.since, self.until = self.since + seconds, self.until + seconds


class BotProcess:
    """A running process. ``asks`` are open, in the order in which they were sent; ``ask_limit`` is how long an ask may
    take before the bot's bank is charged; ``exit`` is how the process ended, once it is not ``running`` any more."""

    def __init__(self, transport: Transport, pid: int, pipe: Pipe) -> None:
        self.pid, self.pipe = pid, pipe
        self.asks: deque[OpenAsk] = deque()
        self.ask_limit = 1.0
        self.running = True
        self.late = False
        self.exit: ProcessExit | None = None
        self._transport = transport
        self._may_excuse = MOST_EXCUSED
        self._referee_waited = transport.waited()

    def open_ask(self, id: int, hook: Hook | None, limit: float, number: int = 0) -> OpenAsk:
        """Begin to measure an ask that has just been sent."""
        now = self._transport.clock.now()
        ask = OpenAsk(id, hook, now, now + limit, number=number)
        self.asks.append(ask)
        return ask

    def is_brief(self, seconds: float) -> bool:
        """Whether an answer took so short a time that nobody looks how much of it was waiting for a core."""
        return 0.0 <= seconds <= BRIEF_SECONDS and seconds <= self.ask_limit

    @property
    def awaited(self) -> OpenAsk | None:
        """The ask that the bot is at, if it has not answered it."""
        return self.asks[0] if self.asks and not self.pipe.incoming.lines else None

    def next_look(self) -> float:
        """When this process must be looked at because it has not answered; ``inf`` while nothing is waited for. From
        now on its waiting is measured."""
        ask = self.awaited
        if ask is None:
            return inf
        if ask.first is None:
            ask.first = ask.reading = ask.glimpse = self._transport.reading(self.pid)
            ask.unseen = self._referees_wait(ask)
            ask.referee_waited = self._referee_waited
        before = ask.until - STARVED_LOOK
        if ask.glimpse is not None and ask.glimpse.time < before:
            return before
        return max(ask.until, ask.look)

    def is_overdue(self, now: float) -> bool:
        """Whether the bot's time is up and no answer is there. Where waiting for a core is an excuse it is given more
        time. Raises ArenaError where it has had no core for far too long."""
        ask = self.awaited
        if ask is None or now < self.next_look():
            return False
        reading, glimpse = self._transport.reading(self.pid), ask.glimpse
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
        """Whether the machine was too busy while the bot was at ``ask``: its process or the referee has waited for a
        core for a good part of the time."""
        if ask.first is None or ask.glimpse is None:
            return False
        waited = max(ask.glimpse.waited - ask.first.waited, self._transport.waited() - ask.referee_waited)
        return waited > PRESSED_SHARE * (ask.glimpse.time - ask.first.time)

    def time_anew(self, now: float, at_once: bool) -> None:
        """Have the time of the ask that the bot is at begin anew: ``at_once``, or as soon as it is needed. What the
        process has computed of it so far is charged all the same."""
        ask, reading = self.asks[0], self._transport.reading(self.pid)
        ask.first = ask.first or reading
        ask.reading = ask.glimpse = reading
        ask.unseen, self._referee_waited = 0.0, self._transport.waited()
        ask.anew = now - (ask.computed or 0.0)
        if at_once:
            self._excuse(ask, self._due(ask))

    def is_in_time(self, ask: OpenAsk, came: float) -> bool:
        """Whether the answer to ``ask``, which is not open any more, came in time; notes how long it took.

        What the process has waited for a core is taken off; beyond the limit of an ask, or of the start, also what the
        referee has, before it read the answer. The time of the ask after it begins when this answer came, because a bot
        thinks about one ask at a time."""
        free = max(came, ask.since)
        ask.seconds = free - ask.since
        if self.asks:
            following = self.asks[0]
            following.prolong(max(0.0, free - following.since))
        beyond = ask.seconds > self.ask_limit or came > ask.until
        if (beyond or not self.is_brief(ask.seconds)) and self.running:
            ask.glimpse = self._transport.reading(self.pid)
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
        """Prolong the time of an ask, if it is worth while and as far as this bot may be excused; whether it was."""
        seconds = min(seconds, self._may_excuse)
        if seconds <= LEAST_EXCUSE:
            return False
        self._may_excuse -= seconds
        ask.prolong(seconds)
        return True

    def _due(self, ask: OpenAsk) -> float:
        """Seconds by which the time of an ask is to be prolonged, as far as is known from the last look."""
        return excused_seconds(ask.reading, ask.glimpse) + ask.unseen + max(0.0, ask.anew - ask.since)

    def _referees_wait(self, ask: OpenAsk) -> float:
        """Seconds that the referee has waited for a core since this was asked last, but not before ``ask``."""
        waited = self._transport.waited()
        since, self._referee_waited = waited - self._referee_waited, waited
        return max(0.0, min(since, self._transport.clock.now() - ask.since))
