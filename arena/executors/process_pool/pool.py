"""Plays matches in parallel processes, in a pool that survives whatever a bot does to its worker.

Each worker has a pipe of its own, over which it gets a few matches in advance and answers them one by one, replays
included. Workers share nothing, so a worker that dies cannot hold a lock. A worker that ends, or whose bot overruns
where no signal reaches it, is replaced; :mod:`arena.executors.retry` decides what to do about its match. So is a worker
that gives no sign of life (:mod:`arena.match.pulse`), whatever the cause.

A worker leads a process group of its own, so that processes started by bots can be ended with it, and dies with its
parent.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import select
import signal
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from itertools import islice
from math import inf
from time import perf_counter

from arena.clock import SYSTEM_CLOCK
from arena.errors import ArenaError
from arena.executors.executor import Look, UnplayedMatch, no_look
from arena.executors.interrupt import defer_stop
from arena.executors.process_pool.batch_size import batch_end
from arena.executors.process_pool.grace_period import GracePeriod
from arena.executors.process_pool.pool_pipe import open_pipe
from arena.executors.process_pool.shared_page import SharedPage
from arena.executors.process_pool.worker_evidence import ask_for_stack, seen_of, stack_in
from arena.executors.process_pool.worker_process import Answer, ReturnedMatch, serve_attempts
from arena.executors.retry import (
    Attempt,
    AttemptEvent,
    GiveUpMatch,
    Overdue,
    ProcessLost,
    RetryMatch,
    StopPlaying,
    Stuck,
    decide_retry,
)
from arena.finding.depot import BotCopies
from arena.match import pulse
from arena.match.runner import needs_processes
from arena.match.work import Work, WorkResult, place_work
from arena.system.core_wait import read_times
from arena.system.platform_support import memory_file

log = logging.getLogger(__name__)

OVERRUN_SECONDS = 2.0
"""Seconds that a bot may overrun before its worker is ended, not counting the time in which the worker waits for a
core: the signal in the worker must have a chance to come first."""
POOL_LOOK_SECONDS = 0.25
"""Seconds between two looks at the workers."""
SECONDS_AHEAD, MOST_AHEAD = 0.5, 8
"""How much work a worker is given besides the match that it plays, in seconds of matches, and the maximum number of
matches: so that it never waits for the next one, and no match waits behind a long one while another worker is idle."""


class Worker:
    """One worker process, as its parent sees it. ``index`` is its place in the pool, ``backlog`` the matches it has not
    answered yet, of which it is playing the first. ``deal`` is the seed of the last match that it was given."""

    def __init__(self, index: int, others: list[Worker], jobs: int, shown: bool) -> None:
        self.index = index
        self.backlog: deque[Attempt] = deque()
        self.deal = ""
        self.ended_for: AttemptEvent | None = None
        """The reason for which it was ended, if it was."""
        self.seen = ""
        """The observations when it was found not to answer."""
        self.heard = SYSTEM_CLOCK.now()
        """The time when it was last given work, or answered."""
        self.shared, self.stack = SharedPage(), memory_file("stack")
        self.pipe, theirs = open_pipe()
        ours = [worker.pipe.socket for worker in [*others, self]]
        self.process = multiprocessing.get_context("fork").Process(  # the log collector needs it
            target=serve_attempts,
            args=(theirs, ours, self.shared, self.stack, index, jobs, shown),
            name=f"worker-{index}",
        )
        with theirs:
            self.process.start()
        assert self.process.pid is not None
        self.pid = self.process.pid
        self.grace = GracePeriod(SYSTEM_CLOCK, lambda: read_times(self.pid, SYSTEM_CLOCK))
        self.patience = GracePeriod(SYSTEM_CLOCK, lambda: read_times(self.pid, SYSTEM_CLOCK))

    @property
    def is_alive(self) -> bool:
        """Whether its process runs. The process is not reaped here, so that its pid is not reused."""
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def send_attempts(self, attempts: list[Attempt]) -> None:
        """Send it matches to play after those it already has."""
        self.deal = attempts[-1].work.spec.seed
        self.heard = self.heard if self.backlog else SYSTEM_CLOCK.now()
        self.backlog += attempts
        self.pipe.send(attempts)

    @property
    def sign_deadline(self) -> float:
        """The time by which it must give the next sign of life; between two matches it has as long as a step of its
        own, without any bot, may take."""
        due = self.shared.due.value
        return self.heard + pulse.SLACK_SECONDS if due == inf else due

    def end(self) -> None:
        """End the process and everything its bots have started."""
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)

    def leave(self) -> int | None:
        """End it and clean up; return its exit code."""
        self.end()
        self.process.join()
        self.pipe.close()
        self.stack.close()
        code = self.process.exitcode
        self.process.close()
        return code


class Pool:
    """Implements :class:`arena.executors.executor.Executor` with forked worker processes, started when there is work
    for them. The output of trusted bots is logged, or with ``shown`` goes to standard error."""

    def __init__(self, jobs: int, shown: bool = False) -> None:
        self.jobs, self.shown = jobs, shown
        self.listening: dict[int, Callable[[], None]] = {}
        """Further descriptors to wait for besides the workers, each with the function to call when there is data to
        read."""
        self._workers: list[Worker] = []
        self._waiting: deque[Attempt] = deque()
        self._ready: deque[WorkResult | UnplayedMatch] = deque()
        self._depot = BotCopies()
        self._depth = 1
        self._winding_up = False
        self._looked = perf_counter()

    @property
    def room(self) -> int:
        """As many matches as the workers hold, and the same number again to choose from."""
        if self._winding_up:
            return 0
        held = len(self._waiting) + sum(len(worker.backlog) for worker in self._workers)
        return max(0, 2 * self.jobs * self._depth - held)

    def submit(self, work: Work) -> None:
        """Accept a piece of work."""
        self._waiting.append(Attempt(place_work(work, self._depot), apart=needs_processes(work)))

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        """Each result as it comes in."""
        with defer_stop() as interrupted:
            while True:
                while self._ready:
                    yield self._ready.popleft()
                interrupted.stop()
                look()
                self._hand_out()
                if not any(worker.backlog for worker in self._workers):
                    return
                self._wait()

    def wind_up(self) -> None:
        """Begin no more matches: workers also return those that they hold in advance."""
        self._winding_up = True
        self._waiting.clear()
        for worker in self._workers:
            worker.shared.held.value = True

    def close(self) -> None:
        """End the workers, with everything they started, and remove the copies of bots."""
        while self._workers:
            self._workers.pop().leave()
        self._waiting.clear()
        self._ready.clear()
        self._depot.close()

    def _hand_out(self) -> None:
        """Give waiting work to the workers that have the least; among equals, to the one that was given the same deal
        last."""
        while self._waiting:
            if len(self._workers) < self.jobs and all(worker.backlog for worker in self._workers):
                self._hire()
            deal = self._waiting[0].work.spec.seed
            worker = min(self._workers, key=lambda worker: (len(worker.backlog), worker.deal != deal))
            if len(worker.backlog) > self._depth // 2:
                return
            room = max(1, self._depth - len(worker.backlog))
            fair = max(1, min(room, len(self._waiting) // self.jobs))
            deals = [attempt.work.spec.seed for attempt in islice(self._waiting, room + 1)]
            worker.send_attempts([self._waiting.popleft() for _ in range(batch_end(deals, fair, room))])

    def _hire(self) -> Worker:
        """Start a worker at the first free place."""
        index = min(set(range(self.jobs)) - {worker.index for worker in self._workers})
        worker = Worker(index, self._workers, self.jobs, self.shown)
        self._workers.append(worker)
        return worker

    def _wait(self) -> None:
        """Wait briefly for answers, and check the workers from time to time."""
        poll, workers = select.poll(), {}
        for worker in self._workers:
            number = worker.pipe.socket.fileno()
            poll.register(number, select.POLLIN | (select.POLLOUT if worker.pipe.unsent else 0))
            workers[number] = worker
        for number in self.listening:
            poll.register(number, select.POLLIN)
        for number, _ in poll.poll(POOL_LOOK_SECONDS * 1000):
            if number in self.listening:
                self.listening[number]()
                continue
            workers[number].pipe.flush()
            self._receive(workers[number])
        now = perf_counter()
        if now > self._looked + POOL_LOOK_SECONDS:
            self._looked = now
            for worker in list(self._workers):
                self._look_after(worker)

    def _receive(self, worker: Worker) -> None:
        """Process a worker's answers, and its end."""
        for answer in worker.pipe.receive():
            worker.heard = SYSTEM_CLOCK.now()
            self._take(answer, worker.backlog.popleft())
        if worker.pipe.ended:
            self._lose(worker)

    def _take(self, answer: Answer, attempt: Attempt) -> None:
        """Process the answer to one attempt: a result or a failure."""
        if isinstance(answer, WorkResult):
            self._depth = 1 + min(MOST_AHEAD - 1, int(SECONDS_AHEAD / max(answer.timing.seconds, 1e-6)))
            self._ready.append(answer)
        elif not isinstance(answer, ReturnedMatch):
            self._obey(answer, attempt)

    def _look_after(self, worker: Worker) -> None:
        """End a worker whose bot has overrun, or that is stuck; detect one that has ended while other processes hold
        its pipe open."""
        if not worker.is_alive:
            self._receive(worker)
            if worker in self._workers:
                self._lose(worker)
        elif not worker.backlog or worker.ended_for is not None:
            return
        elif worker.grace.is_over(worker.shared.deadline.value, OVERRUN_SECONDS):
            self._end(worker, Overdue(), "a bot is overdue")
        elif worker.seen:
            where = stack_in(worker.stack)
            seen = worker.seen + (f"; it was at {where}" if where else "")
            self._end(worker, Stuck(seen), f"it has made no progress for too long: {seen}")
        elif not self.shown and worker.patience.is_over(worker.sign_deadline, OVERRUN_SECONDS):
            worker.seen = seen_of(worker.pid) or "its state is unknown"
            ask_for_stack(worker.pid, worker.stack)  # to be read at the next look

    def _end(self, worker: Worker, event: AttemptEvent, why: str) -> None:
        """End a worker for this reason."""
        match_id = worker.backlog[0].work.spec.id
        log.warning("ending worker-%s (process %s): %s", worker.index, worker.pid, why, extra={"match": match_id})
        worker.ended_for = event
        worker.end()

    def _lose(self, worker: Worker) -> None:
        """Process a worker's end: its current match was aborted, those behind it are still waiting."""
        self._workers.remove(worker)
        code = worker.leave()
        attempts = list(worker.backlog)
        if not self._winding_up:
            self._waiting.extendleft(reversed(attempts[1:]))
        if attempts:
            ended = f"its worker ended (exit code {code})"
            log.warning("worker-%s: %s", worker.index, ended, extra={"match": attempts[0].work.spec.id})
            self._obey(worker.ended_for or ProcessLost(ended), attempts[0])

    def _obey(self, event: AttemptEvent, attempt: Attempt) -> None:
        """Carry out the decision about an aborted match."""
        match decide_retry(event, attempt):
            case RetryMatch(again):
                if not self._winding_up:
                    self._waiting.appendleft(again)
            case GiveUpMatch(reason, suspended):
                log.error("could not be played: %s", reason, extra={"match": attempt.work.spec.id})
                self._ready.append(UnplayedMatch(attempt.work.spec.id, reason, suspended))
            case StopPlaying(reason):
                raise ArenaError(reason)
