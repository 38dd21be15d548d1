"""The shipped fake of pipes and processes: bots that say given lines at given times of a fake clock.

They test the players of isolated bots without processes and without waiting.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from math import inf

from arena.clock import FakeClock
from arena.core_wait import ProcessTimes
from arena.finding.reference import BotRef
from arena.isolation.worker.bot_pipe import IncomingLines, Pipe
from arena.isolation.worker.fork_server import ProcessExit
from arena.isolation.worker.transport import WAIT_SECONDS, SpawnedProcess
from arena.sandbox.policy import Amounts

Says = tuple[float, bytes]
"""Seconds after a line was sent, and the bytes that come then; none: the bot's end is closed."""
KILLED_EXIT = ProcessExit(9, 0, 0.0, 0)


def unknown_reading(now: float) -> None:
    """The reading of a system that does not tell."""


class ScriptedPipe:
    """Implements :class:`arena.isolation.worker.bot_pipe.Pipe` from a script: for each line that is sent, in order,
    what the bot says to it and when. ``sent`` keeps these lines.

    ``reading`` tells what its process has waited and computed at a time, ``exit`` how it will have ended.
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
        """Keep the line, and have the bot say what the script has for it."""
        self.sent.append(line)
        now = self._clock.now()
        for seconds, data in next(self._script, ()):
            insort(self._coming, (now + seconds, data), key=lambda says: says[0])

    def next_time(self) -> float:
        """When the bot says something next; ``inf`` where it does not."""
        return self._coming[0][0] if self._coming and self.incoming.open and self.running else inf

    def receive(self) -> bool:
        """Take in what the bot has said by now; whether there was anything."""
        said = False
        while self.next_time() <= self._clock.now():
            self.incoming.add(self._coming.pop(0)[1], self._clock.now())
            said = True
        return said

    def read_log(self) -> bool:
        """Nothing: scripted bots do not print."""
        return False

    def close(self) -> None:
        """Say nothing more."""
        self._coming.clear()
        self.incoming.at_end = True


class ScriptedTransport:
    """Implements :class:`arena.isolation.worker.transport.Transport` for scripted pipes, one for each bot. Waiting lets
    the clock's time pass. ``ended`` keeps when each process was ended, by the place of its bot.

    ``jumps`` are moments in the middle of which the referee is away, in order, and for how many seconds;
    ``referee_waited`` tells what it has waited for a core at a time; ``ending`` is how long ending processes takes."""

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
        """Let time pass until a bot says something, but not more than :data:`WAIT_SECONDS`."""
        return self._pass(self.pipes, WAIT_SECONDS)

    def wait(self, pipes: Sequence[Pipe], seconds: float) -> None:
        """Let time pass until one of the bots says something."""
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

    def reading(self, pid: int) -> ProcessTimes | None:
        """What the script says that the process has waited and computed."""
        return self.pipes[pid].reading(self.clock.now())

    def computed(self, pid: int) -> float | None:
        """What the script says that the process has computed."""
        reading = self.reading(pid)
        return None if reading is None else reading.computed

    def waited(self) -> float:
        """What the script says that the referee has waited."""
        return self.referee_waited(self.clock.now())

    def end(self, pids: Sequence[int]) -> list[ProcessExit]:
        """Note it."""
        for pid in pids:
            self.pipes[pid].running = False
            self.ended.setdefault(pid, self.clock.now())
        self.clock.advance(self.ending)
        return [self.pipes[pid].exit for pid in pids]
