"""What the players of one match need from the system: processes, their pipes, waiting, and the clock.

:class:`Transport` is the interface, :class:`ForkServerTransport` the real one, and
:mod:`arena.isolation.worker.scripted_system` has the shipped fake.
"""

from __future__ import annotations

import select
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from arena.clock import SYSTEM_CLOCK, Clock
from arena.finding.reference import BotRef
from arena.isolation.wire.requests import encode_request, request_for
from arena.isolation.worker.bot_pipe import BotPipe, Pipe, WakeUp, wait_for_pipes
from arena.isolation.worker.fork_server import ForkServer, ProcessExit
from arena.isolation.worker.load_and_compile import compiled_code
from arena.sandbox.policy import Amounts
from arena.system.core_wait import ProcessTimes, cpu_time, read_own, read_times

WAIT_SECONDS = 0.02
"""Seconds to wait for bots without looking at the clock. A shorter wait would be more expensive: the kernel would have
to set a separate timer for each."""


class SpawnedProcess(NamedTuple):
    """A bot's process: its pid as the fork server knows it, and its pipes."""

    pid: int
    pipe: Pipe


class Transport(Protocol):
    """Starts, listens to, observes and ends the processes of one match."""

    clock: Clock
    amounts: Amounts
    """The limits of the processes."""

    def spawn(self, bots: Sequence[BotRef]) -> list[SpawnedProcess]:
        """Start a process for each bot, which then waits for the start of the match. Raises ArenaError."""

    def wait_briefly(self) -> bool:
        """Receive what bots send or print, after at most :data:`WAIT_SECONDS` seconds; returns whether there was
        anything."""

    def wait(self, pipes: Sequence[Pipe], seconds: float) -> None:
        """Wait until any of the pipes is ready, or ``seconds`` have passed, and receive everything that is there."""

    def wake(self) -> None:
        """Let the wait that is going on, or the next, end at once. Any thread may call this, also after
        :meth:`close`."""

    def close(self) -> None:
        """Release what waiting needs, at the end of the match."""

    def process_times(self, pid: int) -> ProcessTimes | None:
        """The process's waiting time and CPU time so far; None where the system does not tell."""

    def cpu_seconds(self, pid: int) -> float | None:
        """Seconds of CPU time that the process has used by now; None where the system does not tell. Raises OSError
        where it has ended."""

    def referee_wait(self) -> float:
        """Seconds that the referee's own thread has waited for a core by now; 0 where the system does not tell."""

    def end(self, pids: Sequence[int]) -> list[ProcessExit]:
        """Kill processes, and return how each ended. Raises ArenaError."""


class ForkServerTransport:
    """Implements :class:`Transport` with a fork server, for one match of ``game``."""

    def __init__(self, server: ForkServer, game: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self.server, self.game, self.clock = server, game, clock
        self.amounts: Amounts = server.policy
        self._poll = select.poll()
        self._handlers: dict[int, Callable[[], bool]] = {}
        self._local: dict[int, int] = {}
        self._alarm = WakeUp()
        self._poll.register(self._alarm.descriptor, select.POLLIN)
        self._handlers[self._alarm.descriptor] = self._alarm.silence

    def spawn(self, bots: Sequence[BotRef]) -> list[SpawnedProcess]:
        """Start a process for each bot, and send it its request."""
        codes = [compiled_code(bot, self.server) for bot in bots]
        pipes: list[BotPipe] = []
        try:
            pipes += (BotPipe(self.clock) for _ in bots)
            pids = self.server.spawn([pipe.bots_ends for pipe in pipes])
        except BaseException:
            for pipe in pipes:
                pipe.close()
            raise
        for bot, code, pipe in zip(bots, codes, pipes, strict=True):
            pipe.close_bots_ends()
            pipe.send(encode_request(request_for(bot, "play", self.game), code))
            self._handlers |= pipe.register(self._poll)
        return [SpawnedProcess(pid, pipe) for pid, pipe in zip(pids, pipes, strict=True)]

    def wait_briefly(self) -> bool:
        """Receive what bots send or print. Bytes that their pipes have no room for remain unsent."""
        ready = self._poll.poll(WAIT_SECONDS * 1000)
        for descriptor, _ in ready:
            if not self._handlers[descriptor]():
                self._poll.unregister(descriptor)
        return bool(ready)

    def wait(self, pipes: Sequence[Pipe], seconds: float) -> None:
        """Wait until any of the pipes is ready."""
        own = {self._alarm.descriptor: self._alarm.silence}
        wait_for_pipes([pipe for pipe in pipes if isinstance(pipe, BotPipe)], seconds, own)

    def wake(self) -> None:
        """End the wait that is going on, or the next."""
        self._alarm.ring()

    def close(self) -> None:
        """Close what wakes this match up."""
        self._alarm.close()

    def process_times(self, pid: int) -> ProcessTimes | None:
        """The process's waiting time and CPU time so far."""
        return read_times(self._pid_here(pid), self.clock)

    def cpu_seconds(self, pid: int) -> float | None:
        """The process's CPU time so far, in seconds."""
        return cpu_time(self._pid_here(pid))

    def _pid_here(self, pid: int) -> int:
        """The pid of a bot's process in this process's namespace."""
        if pid not in self._local:
            self._local[pid] = self.server.local_pid(pid)
        return self._local[pid]

    def referee_wait(self) -> float:
        """Seconds that the referee's own thread has waited for a core so far."""
        reading = read_own(self.clock)
        return reading.waited if reading is not None else 0.0

    def end(self, pids: Sequence[int]) -> list[ProcessExit]:
        """Kill processes with their process groups."""
        return self.server.end(pids)
