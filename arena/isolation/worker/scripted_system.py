"""The shipped fake of pipes and processes: bots that send given lines at given times of a fake clock.

They test the players of isolated bots without processes and without waiting.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from math import inf

from arena.clock import FakeClock
from arena.finding.reference import BotRef
from arena.isolation.worker.bot_pipe import IncomingLines, Pipe
from arena.isolation.worker.fork_server import ProcessExit
from arena.isolation.worker.transport import WAIT_SECONDS, SpawnedProcess
from arena.sandbox.policy import Amounts
from arena.system.core_wait import ProcessTimes

Says = tuple[float, bytes]
"""A scripted answer: seconds after a line was sent, and the bytes that come then; empty: the bot's end is closed."""
KILLED_EXIT = ProcessExit(9, 0, 0.0, 0)


def unknown_reading(now: float) -> None:
    """No reading, as on a system that does not measure waiting."""


class ScriptedPipe:
    """Implements :class:`arena.isolation.worker.bot_pipe.Pipe` from a script, which has, for each line sent, in order,
    what the bot answers and when. ``sent`` keeps these lines.

    ``reading`` gives the waiting and CPU time of its process at a time, ``exit`` how the process will have ended.
    """

    def __init__(
        self,
        clock: FakeClock,
        script: Iterable[Sequence[Says]],
        reading: Callable[[float], ProcessTimes | None] = unknown_reading,
        exit: ProcessExit = KILLED_EXIT,
    ) -> None:
        self.incoming = IncomingLines()
        self.unsent = b""
        self.log = bytearray()
        self.log_lost = 0
        self.sent: list[bytes] = []
        self.reading, self.exit = reading, exit
        self.running = True
        self._clock, self._script = clock, iter(script)
        self._coming: list[Says] = []

    def send(self, line: bytes) -> None:
        """Record the line, and schedule the script's answer to it."""
        self.sent.append(line)
        now = self._clock.now()
        for seconds, data in next(self._script, ()):
            insort(self._coming, (now + seconds, data), key=lambda says: says[0])

    def next_time(self) -> float:
        """When the bot sends something next; ``inf`` where it does not."""
        return self._coming[0][0] if self._coming and self.incoming.open and self.running else inf

    def receive(self) -> bool:
        """Receive what the bot has sent by now; returns whether there was anything."""
        said = False
        while self.next_time() <= self._clock.now():
            self.incoming.add(self._coming.pop(0)[1], self._clock.now())
            said = True
        return said

    def read_log(self) -> bool:
        """Return False: scripted bots do not print."""
        return False

    def close(self) -> None:
        """Send nothing more."""
        self._coming.clear()
        self.incoming.at_end = True


class ScriptedTransport:
    """Implements :class:`arena.isolation.worker.transport.Transport` for scripted pipes, one for each bot. Waiting
    advances the clock. ``ended`` records when each process was ended, by the place of its bot.

    ``jumps`` are moments at which the referee is absent, in order, and for how many seconds; ``referee_waited`` gives
    its waiting time for a core at a time; ``ending`` is how long ending processes takes.
    """

    def __init__(
        self,
        clock: FakeClock,
        pipes: Sequence[ScriptedPipe],
        jumps: Sequence[tuple[float, float]] = (),
        referee_waited: Callable[[float], float] = lambda now: 0.0,
        ending: float = 0.0,
    ) -> None:
        self.clock, self.pipes, self.referee_waited, self.ending = clock, pipes, referee_waited, ending
        self.amounts = Amounts()
        self._jumps = deque(jumps)
        self.ended: dict[int, float] = {}

    def spawn(self, bots: Sequence[BotRef]) -> list[SpawnedProcess]:
        """The scripted pipes; pids are places."""
        return [SpawnedProcess(place, pipe) for place, pipe in enumerate(self.pipes)]

    def wait_briefly(self) -> bool:
        """Advance the clock until a bot sends something, but by no more than :data:`WAIT_SECONDS`."""
        return self._pass(self.pipes, WAIT_SECONDS)

    def wait(self, pipes: Sequence[Pipe], seconds: float) -> None:
        """Advance the clock until one of the bots sends something."""
        self._pass([pipe for pipe in self.pipes if pipe in pipes], seconds)

    def _pass(self, pipes: Sequence[ScriptedPipe], seconds: float) -> bool:
        until = min(self.clock.now() + seconds, min(pipe.next_time() for pipe in pipes))
        assert until < inf, "the script has nothing more to say, and nobody would be late"
        if self._jumps and until >= self._jumps[0][0]:
            moment, seconds = self._jumps.popleft()
            until = max(until, moment + seconds)
        self.clock.advance_to(until)
        heard = [pipe.receive() for pipe in pipes]
        return any(heard)

    def wake(self) -> None:
        """Nothing waits: scripted desks answer at once."""

    def close(self) -> None:
        """Nothing is open."""

    def process_times(self, pid: int) -> ProcessTimes | None:
        """The scripted waiting and CPU time of the process."""
        return self.pipes[pid].reading(self.clock.now())

    def cpu_seconds(self, pid: int) -> float | None:
        """The scripted CPU time of the process."""
        reading = self.process_times(pid)
        return None if reading is None else reading.computed

    def referee_wait(self) -> float:
        """The scripted waiting time of the referee."""
        return self.referee_waited(self.clock.now())

    def end(self, pids: Sequence[int]) -> list[ProcessExit]:
        """Record the end of the processes."""
        for pid in pids:
            self.pipes[pid].running = False
            self.ended.setdefault(pid, self.clock.now())
        self.clock.advance(self.ending)
        return [self.pipes[pid].exit for pid in pids]
