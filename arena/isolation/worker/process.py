"""One bot's process as the worker sees it: its pipe, what it has been asked and not answered, and whether it is late.

A bot is late if its answer has not come when its time is up. Time that the process waited for a core does not count. A
process that has had no core since it was last looked at is not killed for being late until it has waited for
:data:`STARVED_LIMIT`.
"""

from __future__ import annotations

from collections import deque
from math import inf

import msgspec

from arena.games.contract import Hook
from arena.isolation.worker.fork_server import Exit
from arena.isolation.worker.pipe import Pipe
from arena.isolation.worker.scheduling import Reading, excused, is_starved
from arena.isolation.worker.transport import Transport

LEAST_EXCUSE, MOST_EXCUSES = 0.005, 100
"""Seconds of waiting for a core below which a bot's time is not prolonged, and how often it is at most in a match."""
STARVED_LIMIT = 60.0
"""Seconds beyond its time after which a process is ended that has had no core at all."""
STARVED_LOOK = 0.02
"""Seconds until such a process is looked at again."""


class OpenAsk(msgspec.Struct, gc=False):
    """An ask that is not answered yet: its id, its hook (None: the start), when its time began and when it is up.

    ``reading`` is what the process had waited and computed when it was first looked at, because it took long: a wait
    before that is not excused. ``look`` is when a starved process is looked at again. ``seconds`` is how long the ask
    took, once it is answered.
    """

    id: int
    hook: Hook | None
    since: float
    until: float
    look: float = 0.0
    reading: Reading | None = None
    seconds: float = 0.0


class BotProcess:
    """A running process. ``asks`` are open, in the order in which they were sent; ``ask_limit`` is how long an ask may
    take before the bot's bank is charged; ``exit`` is how the process ended, once it is not ``running`` any more."""

    def __init__(self, transport: Transport, pid: int, pipe: Pipe) -> None:
        self.pid, self.pipe = pid, pipe
        self.asks: deque[OpenAsk] = deque()
        self.ask_limit = 1.0
        self.running = True
        self.late = False
        self.exit: Exit | None = None
        self._transport = transport
        self._excuses = 0

    def open_ask(self, id: int, hook: Hook | None, limit: float) -> OpenAsk:
        """Begin to measure an ask that has just been sent."""
        now = self._transport.clock.now()
        ask = OpenAsk(id, hook, now, now + limit)
        self.asks.append(ask)
        return ask

    def next_look(self) -> float:
        """When this process must be looked at because it has not answered; ``inf`` while nothing is waited for. From
        now on its waiting is measured."""
        if not self.asks or self.pipe.incoming.lines:
            return inf
        ask = self.asks[0]
        ask.reading = ask.reading or self._transport.reading(self.pid)
        return max(ask.until, ask.look)

    def must_end(self, now: float) -> bool:
        """Whether the process is to be ended, because it floods us or because its time is up and no answer is there.
        Where waiting for a core is an excuse it is given more time."""
        if self.pipe.incoming.flooded:
            return True
        if not self.asks or self.pipe.incoming.lines:
            return False
        ask = self.asks[0]
        if now < ask.until or now < ask.look:
            return False
        reading = self._transport.reading(self.pid)
        excuse = excused(ask.reading, reading)
        if excuse > LEAST_EXCUSE and self._excuses < MOST_EXCUSES:
            self._excuses += 1
            ask.since, ask.until, ask.reading = ask.since + excuse, ask.until + excuse, reading
            return False
        if is_starved(ask.reading, reading) and now < ask.until + STARVED_LIMIT:
            ask.look = now + STARVED_LOOK  # the reading stays: once it gets a core, all it has waited is excused
            return False
        self.late = True
        return True

    def is_in_time(self, ask: OpenAsk, came: float) -> bool:
        """Whether the answer to ``ask``, which is not open any more, came in time; notes how long it took.

        What the process has waited for a core is taken off. The time of the ask after it begins when this answer came,
        because a bot thinks about one ask at a time."""
        free = max(came, ask.since)
        ask.seconds = free - ask.since
        if self.asks:
            following = self.asks[0]
            delay = max(0.0, free - following.since)
            following.since, following.until = following.since + delay, following.until + delay
        if ask.seconds > self.ask_limit and self.running:
            excuse = min(excused(ask.reading, self._transport.reading(self.pid)), ask.seconds)
            ask.seconds, came = ask.seconds - excuse, came - excuse
        if came > ask.until:
            self.late = True
        return came <= ask.until
