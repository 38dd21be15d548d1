"""Matches in parallel processes, in a pool that survives whatever a bot does to its worker.

Each worker has a pipe of its own, over which it gets a few matches ahead and answers them one by one, replays included.
Workers share nothing, so a worker that dies cannot hold a lock. A worker that ends, or whose bot overruns where no
signal reaches it, is replaced; :mod:`arena.executors.retry` decides what to do about its match.

A worker leads a process group of its own, so that what bots started can be ended with it, and dies with its parent.
"""

from __future__ import annotations

import logging
import mmap
import multiprocessing
import os
import select
import signal
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from ctypes import sizeof
from math import inf
from time import perf_counter

from arena.clock import SYSTEM
from arena.errors import ArenaError
from arena.executors.executor import Unplayed
from arena.executors.grace import GracePeriod
from arena.executors.interrupt import deferred
from arena.executors.pipe import pipe
from arena.executors.retry import Attempt, Event, GiveUp, Lost, Overdue, Retry, Stop, decide
from arena.executors.worker import Answer, serve
from arena.finding.depot import Depot
from arena.match.runner import needs_processes
from arena.match.work import Done, Work, placed
from arena.players.watch import Deadline
from arena.scheduling import read

log = logging.getLogger(__name__)

GRACE = 2.0
"""Seconds that a bot may overrun before its worker is ended, not counting those in which the worker waits for a core:
the signal in the worker comes first."""
LOOK = 0.25
"""Seconds between looks at what workers are doing."""
AHEAD, MOST = 0.5, 8
"""Seconds of matches that a worker is given besides the one it plays, and their number at most: so that it never waits
for the next one, and no long match waits behind another while a worker has nothing to do."""


class Worker:
    """One worker process, as its parent sees it. ``index`` is its place in the pool, ``backlog`` what it has not
    answered yet: it is at the first of these."""

    def __init__(self, index: int, others: list[Worker], jobs: int, shown: bool) -> None:
        self.index = index
        self.backlog: deque[Attempt] = deque()
        self.overdue = False
        self.deadline = Deadline.from_buffer(mmap.mmap(-1, sizeof(Deadline)))
        self.deadline.value = inf
        self.pipe, theirs = pipe()
        ours = [worker.pipe.socket for worker in [*others, self]]
        self.process = multiprocessing.get_context("fork").Process(  # the log collector needs it
            target=serve, args=(theirs, ours, self.deadline, index, jobs, shown), name=f"worker-{index}"
        )
        with theirs:
            self.process.start()
        assert self.process.pid is not None
        self.pid = self.process.pid
        self.grace = GracePeriod(SYSTEM, lambda: read(self.pid, SYSTEM))

    @property
    def lives(self) -> bool:
        """Whether its process runs. It is not reaped here, so that its number stays its own."""
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def give(self, attempts: list[Attempt]) -> None:
        """Send it matches to play after those it has."""
        self.backlog += attempts
        self.pipe.send(attempts)

    def end(self) -> None:
        """End the process and all that its bots have started."""
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)

    def leave(self) -> int | None:
        """End it and clear up behind it; its exit code."""
        self.end()
        self.process.join()
        self.pipe.close()
        code = self.process.exitcode
        self.process.close()
        return code


class Pool:
    """Implements :class:`arena.executors.executor.Executor` with forked worker processes, started when there is work
    for them. What trusted bots print is logged, or with ``shown`` goes to standard error."""

    def __init__(self, jobs: int, shown: bool = False) -> None:
        self.jobs, self.shown = jobs, shown
        self.listening: dict[int, Callable[[], None]] = {}
        """Descriptors that it waits for besides its workers, each with what is called when there is data to read."""
        self._workers: list[Worker] = []
        self._waiting: deque[Attempt] = deque()
        self._ready: deque[Done | Unplayed] = deque()
        self._depot = Depot()
        self._depth = 1
        self._looked = perf_counter()

    @property
    def room(self) -> int:
        """As much as the workers are given, and the same again to choose from."""
        held = len(self._waiting) + sum(len(worker.backlog) for worker in self._workers)
        return max(0, 2 * self.jobs * self._depth - held)

    def submit(self, work: Work) -> None:
        """Take over a piece of work."""
        self._waiting.append(Attempt(placed(work, self._depot), apart=needs_processes(work)))

    def completed(self) -> Generator[Done | Unplayed]:
        """Each result as it comes in."""
        with deferred() as interrupted:
            while True:
                while self._ready:
                    yield self._ready.popleft()
                interrupted.stop()
                self._hand_out()
                if not any(worker.backlog for worker in self._workers):
                    return
                self._wait()

    def close(self) -> None:
        """End the workers, with all they started, and remove the copies of bots."""
        while self._workers:
            self._workers.pop().leave()
        self._waiting.clear()
        self._ready.clear()
        self._depot.close()

    def _hand_out(self) -> None:
        """Give waiting work to the workers that have least."""
        while self._waiting:
            idle = [worker for worker in self._workers if not worker.backlog]
            if not idle and len(self._workers) < self.jobs:
                idle = [self._hire()]
            worker = idle[0] if idle else min(self._workers, key=lambda worker: len(worker.backlog))
            if len(worker.backlog) > self._depth // 2:
                return
            share = max(1, min(self._depth - len(worker.backlog), len(self._waiting) // self.jobs))
            worker.give([self._waiting.popleft() for _ in range(share)])

    def _hire(self) -> Worker:
        """Start a worker in the first place that is free."""
        index = min(set(range(self.jobs)) - {worker.index for worker in self._workers})
        worker = Worker(index, self._workers, self.jobs, self.shown)
        self._workers.append(worker)
        return worker

    def _wait(self) -> None:
        """Wait a little for answers, and look after the workers from time to time."""
        poll, workers = select.poll(), {}
        for worker in self._workers:
            number = worker.pipe.socket.fileno()
            poll.register(number, select.POLLIN | (select.POLLOUT if worker.pipe.unsent else 0))
            workers[number] = worker
        for number in self.listening:
            poll.register(number, select.POLLIN)
        for number, _ in poll.poll(LOOK * 1000):
            if number in self.listening:
                self.listening[number]()
                continue
            workers[number].pipe.flush()
            self._receive(workers[number])
        now = perf_counter()
        if now > self._looked + LOOK:
            self._looked = now
            for worker in list(self._workers):
                self._look_after(worker)

    def _receive(self, worker: Worker) -> None:
        """Take in a worker's answers, and its end."""
        for answer in worker.pipe.receive():
            self._take(answer, worker.backlog.popleft())
        if worker.pipe.ended:
            self._lose(worker)

    def _take(self, answer: Answer, attempt: Attempt) -> None:
        """One match has been played, well or badly."""
        if isinstance(answer, Done):
            self._depth = 1 + min(MOST - 1, int(AHEAD / max(answer.timing.seconds, 1e-6)))
            self._ready.append(answer)
        else:
            self._obey(answer, attempt)

    def _look_after(self, worker: Worker) -> None:
        """End a worker whose bot has overrun; notice one that is gone while others hold its pipe open."""
        if not worker.lives:
            self._receive(worker)
            if worker in self._workers:
                self._lose(worker)
        elif worker.backlog and not worker.overdue and worker.grace.is_over(worker.deadline.value, GRACE):
            log.warning("ending a worker: a bot is overdue in %s", worker.backlog[0].work.spec.id)
            worker.overdue = True
            worker.end()

    def _lose(self, worker: Worker) -> None:
        """A worker has ended: the match it was at is broken off, those behind it are as they were."""
        self._workers.remove(worker)
        code = worker.leave()
        attempts = list(worker.backlog)
        self._waiting.extendleft(reversed(attempts[1:]))
        if attempts:
            log.warning("a worker ended (exit code %s) in match %s", code, attempts[0].work.spec.id)
            self._obey(Overdue() if worker.overdue else Lost(f"its worker ended (exit code {code})"), attempts[0])

    def _obey(self, event: Event, attempt: Attempt) -> None:
        """Do what is to be done after a match was broken off."""
        match decide(event, attempt):
            case Retry(again):
                self._waiting.appendleft(again)
            case GiveUp(reason):
                log.error("match %s could not be played: %s", attempt.work.spec.id, reason)
                self._ready.append(Unplayed(attempt.work.spec.id, reason))
            case Stop(reason):
                raise ArenaError(reason)
