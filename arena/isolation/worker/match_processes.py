"""The processes of one match: started together, listened to together, ended together.

While waiting for one bot, arena listens to all, so each is timed separately and killed when its own time is up.

Two things are nobody's fault: that the referee's clock jumps, because its process was not scheduled or the whole
machine was suspended; and that several bots are late in one phase while the machine is too busy, which shows in how
long their processes or the referee waited for a core. Then the time of open asks begins anew. What a process has
computed of it already is charged in any case, and bots that sleep on a machine with cores to spare have not waited.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from math import inf

from arena.finding.reference import BotRef
from arena.isolation.worker.consult_calls import ConsultCalls
from arena.isolation.worker.process import STARVED_LOOK, BotProcess
from arena.isolation.worker.transport import WAIT_SECONDS, Transport
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.protocol.reading import is_consult

log = logging.getLogger(__name__)

CLOCK_JUMP = 0.1
"""How many seconds late the referee may look at its clock before that counts as an absence."""
LONGEST_WAIT = 60.0
"""Seconds after which the processes are looked at even where none is due, as while models are asked for all."""
MOST_TIMED_AGAIN = 3
"""How often in a match the asks of a phase are timed again."""


class MatchProcesses:
    """The processes of one match, one for each bot, in the order of ``bots``. Raises ArenaError if they cannot be
    started. The caller must close it."""

    def __init__(self, transport: Transport, bots: Sequence[BotRef], desk: ConsultDesk = NO_MODELS) -> None:
        self.transport = transport
        self.consults = ConsultCalls(transport, desk)
        self._listens = desk is not NO_MODELS
        self.processes = [BotProcess(transport, pid, pipe) for pid, pipe in transport.spawn(bots)]
        self._due = inf
        """The time at which the referee meant to look at its clock again."""
        self._timed_again = 0

    def add(self, bots: Sequence[BotRef]) -> list[BotProcess]:
        """Add processes to the match, one for each bot. Raises ArenaError if they cannot be started."""
        added = [BotProcess(self.transport, pid, pipe) for pid, pipe in self.transport.spawn(bots)]
        self.processes += added
        return added

    def await_line(self, process: BotProcess) -> None:
        """Wait until the process has sent a line or can no longer send one. Other processes whose time is up meanwhile
        are ended."""
        transport, incoming = self.transport, process.pipe.incoming
        lines, now = incoming.lines, transport.clock.now
        if lines and (process.garbled_consult or not is_consult(lines[0][0])):
            return
        began = now()
        if began > self._due + CLOCK_JUMP:  # as when it took long to end another process
            self._excuse_absence(began)
        look = began + WAIT_SECONDS
        self._due = look + WAIT_SECONDS
        while not self._is_answered(process):
            if process.pipe.unsent or now() > look or not transport.wait_briefly():
                self._wait()
        if lines and lines[0][1] > self._due + CLOCK_JUMP:
            self._excuse_absence(lines[0][1])

    def _is_answered(self, process: BotProcess) -> bool:
        """Whether a line of the process is there that is no consultation, or none can come any more. Consultations are
        taken here: of this process, and in a match with models of all others too."""
        incoming = process.pipe.incoming
        if self._listens or (incoming.lines and is_consult(incoming.lines[0][0])):
            self.consults.exchange(self.processes if self._listens else [process])
        if process.consulting:
            return False
        return bool(incoming.lines) or not process.running or not incoming.open

    def _wait(self) -> None:
        """Wait until any bot sends or prints something, its pipe has room for unsent bytes, or a process must be
        checked."""
        running, now = [process for process in self.processes if process.running], self.transport.clock.now
        self._excuse_absence(now())
        until = min(now() + LONGEST_WAIT, min(process.next_look() for process in running))
        self._due = max(until, now())
        self.transport.wait([process.pipe for process in running], until - now())
        back = now()
        self._excuse_absence(back)
        flooding = [process for process in running if process.pipe.incoming.flooded]
        overdue = [process for process in running if process not in flooding and process.is_overdue(back)]
        if overdue and not self._time_again(overdue, back):
            for process in overdue:
                process.late = True
            flooding += overdue
        self.end(flooding)

    def _excuse_absence(self, now: float) -> None:
        """Time all open asks again if the referee looks at its clock much later than it meant to."""
        absent, due, self._due = now - self._due, self._due, now
        if absent <= CLOCK_JUMP:
            return
        for process in self.processes:
            lines = process.pipe.incoming.lines
            if process.consulting:
                continue
            if process.running and process.asks and process.asks[0].since < due and (not lines or lines[0][1] > due):
                log.info("the referee was away for %.2f s: the time of an ask begins anew if need be", absent)
                process.time_anew(now, at_once=False)

    def _time_again(self, overdue: Sequence[BotProcess], now: float) -> bool:
        """If several bots of a phase have used up their time and the machine was too busy, time their asks again;
        returns whether this was done. It is done at most :data:`MOST_TIMED_AGAIN` times a match."""
        waiting = [(process, ask) for process in self.processes if process.running and (ask := process.unanswered_ask)]
        used_up = now + STARVED_LOOK
        slow = [(each, ask) for each, ask in waiting if each in overdue or used_up >= ask.since + each.ask_limit]
        busy = len(slow) > 1 and any(process.is_pressed(ask) for process, ask in slow)
        if not busy or self._timed_again >= MOST_TIMED_AGAIN:
            return False
        self._timed_again += 1
        log.warning("%s bots are late in one phase, on a machine too busy: their time begins anew", len(slow))
        for process, _ in slow:
            process.time_anew(now, at_once=True)
        return True

    def end(self, processes: Sequence[BotProcess]) -> None:
        """End those of the processes that still run, and read their remaining output."""
        running = [process for process in processes if process.running]
        if not running:
            return
        exits = self.transport.end([process.pid for process in running])
        for process, exit in zip(running, exits, strict=True):
            process.running, process.exit = False, exit
            process.pipe.read_log()

    def close(self) -> None:
        """End all processes and close their pipes; their output is kept."""
        try:
            self.end(self.processes)
        finally:
            self.transport.close()
            for process in self.processes:
                process.pipe.close()
