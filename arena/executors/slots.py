"""Plays many slow matches at once in this process: each has a slot, a thread that mostly waits for its bots, or for
the models that these consult. Every bot has a process of its own, so that nothing of a bot runs in these threads.

Since all matches are in one process, they share the connections to models and what the run may still spend.
"""

from __future__ import annotations

import logging
import queue
import resource
import threading
from collections import deque
from collections.abc import Callable, Generator

from arena.errors import ArenaError, UserError
from arena.executors.executor import Look, UnplayedMatch, no_look
from arena.executors.interrupt import defer_stop
from arena.executors.retry import (
    Attempt,
    AttemptEvent,
    GiveUpMatch,
    RetryMatch,
    StopPlaying,
    SuspendedPlay,
    decide_retry,
)
from arena.executors.run_attempt import run_attempt
from arena.finding.depot import BotCopies
from arena.isolation.worker.fork_server import SharedForkServers
from arena.match.desk_of_work import RECORDED_ALONE, ModelAccess
from arena.match.runner import Runner
from arena.match.work import Work, WorkResult, place_work

log = logging.getLogger(__name__)

SLOT_LOOK_SECONDS = 0.25
"""Seconds between two looks while there is no result."""
DESCRIPTORS_A_MATCH, OTHER_DESCRIPTORS = 64, 256
"""How many files and pipes a match may have open, and the process besides."""
CLOSE_SECONDS = 10.0
"""How many seconds the threads may take to end."""


class Slots:
    """Implements :class:`arena.executors.executor.Executor` with ``jobs`` slots in this process. ``access`` says how
    matches reach models; ``on_close`` is called before the matches under way are ended."""

    def __init__(
        self, jobs: int, access: ModelAccess = RECORDED_ALONE, on_close: Callable[[], None] = lambda: None
    ) -> None:
        self.jobs, self.access, self._on_close = jobs, access, on_close
        self._waiting: deque[Attempt] = deque()
        self._orders: queue.SimpleQueue[Attempt | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[tuple[Attempt, WorkResult | AttemptEvent]] = queue.SimpleQueue()
        self._servers = SharedForkServers()
        self._depot = BotCopies()
        self._threads: list[threading.Thread] = []
        self._busy = 0
        self._winding_up = self._stopping = False
        _allow_descriptors(jobs * DESCRIPTORS_A_MATCH + OTHER_DESCRIPTORS)

    @property
    def room(self) -> int:
        """As many matches as there are free slots."""
        return 0 if self._winding_up else max(0, self.jobs - self._busy - len(self._waiting))

    def submit(self, work: Work) -> None:
        """Accept a piece of work."""
        self._waiting.append(Attempt(place_work(work, self._depot), apart=True))

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        """Each result as it comes in."""
        with defer_stop() as interrupted:
            while True:
                interrupted.stop()
                look()
                self._hand_out()
                if not self._busy:
                    return
                try:
                    attempt, ended = self._ended.get(timeout=SLOT_LOOK_SECONDS)
                except queue.Empty:
                    continue
                self._busy -= 1
                if isinstance(ended, SuspendedPlay) and ended.stop:
                    self.wind_up()
                result = self._judge(attempt, ended)
                if result is not None:
                    yield result

    def wind_up(self) -> None:
        """Begin no more matches."""
        self._winding_up = True
        self._waiting.clear()

    def close(self) -> None:
        """End the matches under way, and all that was started for them."""
        self._stopping = True
        self._waiting.clear()
        self._on_close()
        self._servers.close()  # ends every bot, and with that every match
        for _ in self._threads:
            self._orders.put(None)
        for thread in self._threads:
            thread.join(CLOSE_SECONDS)
        self._threads.clear()
        self._servers.close()  # what a match has started meanwhile
        self._depot.close()

    def _hand_out(self) -> None:
        """Give waiting matches to free slots."""
        while self._waiting and self._busy < self.jobs:
            if len(self._threads) <= self._busy:
                thread = threading.Thread(target=self._serve, name=f"slot-{len(self._threads)}", daemon=True)
                thread.start()
                self._threads.append(thread)
            self._busy += 1
            self._orders.put(self._waiting.popleft())

    def _serve(self) -> None:
        """What runs in the thread of a slot: one match after another."""
        runner = Runner(access=self.access, servers=self._servers)
        while (attempt := self._orders.get()) is not None and not self._stopping:
            self._ended.put((attempt, run_attempt(runner, attempt)))

    def _judge(self, attempt: Attempt, ended: WorkResult | AttemptEvent) -> WorkResult | UnplayedMatch | None:
        """The result of an attempt; None where the match is played again."""
        if isinstance(ended, WorkResult):
            return ended
        match decide_retry(ended, attempt):
            case RetryMatch(again):
                if not self._winding_up:
                    self._waiting.appendleft(again)
                return None
            case GiveUpMatch(reason, suspended):
                log.error("could not be played: %s", reason, extra={"match": attempt.work.spec.id})
                return UnplayedMatch(attempt.work.spec.id, reason, suspended)
            case StopPlaying(reason):
                raise ArenaError(reason)


def _allow_descriptors(wanted: int) -> None:
    """Raise this process's limit of open files and pipes to this number. Raises UserError where that is not allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        most = max(0, (hard - OTHER_DESCRIPTORS) // DESCRIPTORS_A_MATCH)
        raise UserError(f"this system allows {hard} open files, enough for {most} slots (ulimit -n)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
