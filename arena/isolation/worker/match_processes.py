"""The processes of one match: started together, listened to together, ended together.

While waiting for one bot, arena listens to all, so each is timed separately and killed when its own time is up.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.finding.reference import BotRef
from arena.isolation.worker.process import BotProcess
from arena.isolation.worker.transport import BRIEFLY, Transport


class MatchProcesses:
    """A process for each bot, in the order of ``bots``. Raises ArenaError if they cannot be started. The caller must
    close it."""

    def __init__(self, transport: Transport, bots: Sequence[BotRef]) -> None:
        self.transport = transport
        self.processes = [BotProcess(transport, pid, pipe) for pid, pipe in transport.spawn(bots)]

    def await_line(self, process: BotProcess) -> None:
        """Wait until the process has sent a line or cannot any more. Processes that must end meanwhile are ended."""
        transport, incoming, look = self.transport, process.pipe.incoming, 0.0
        now = transport.clock.now
        while not incoming.lines and process.running and incoming.open:
            look = look or now() + BRIEFLY
            if process.pipe.unsent or now() > look or not transport.wait_briefly():
                self._wait()

    def _wait(self) -> None:
        """Wait until any bot sends or prints something, makes room for what was left unsent, or must be looked at."""
        running = [process for process in self.processes if process.running]
        until, clock = min(process.next_look() for process in running), self.transport.clock
        self.transport.wait([process.pipe for process in running], until - clock.now())
        now = clock.now()
        self.end([process for process in running if process.must_end(now)])

    def end(self, processes: Sequence[BotProcess]) -> None:
        """End those of the processes that still run, and take in what they have printed."""
        running = [process for process in processes if process.running]
        if not running:
            return
        exits = self.transport.end([process.pid for process in running])
        for process, exit in zip(running, exits, strict=True):
            process.running, process.exit = False, exit
            process.pipe.read_log()

    def close(self) -> None:
        """End all processes and close their pipes; what they printed is kept."""
        try:
            self.end(self.processes)
        finally:
            for process in self.processes:
                process.pipe.close()
