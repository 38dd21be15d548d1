"""Plays matches on the workers of a Dask scheduler, on any number of machines, which may come and go.

Dask carries batches of matches to its workers and their results back. This module decides which worker gets which
batch, like the pool, because each machine must first be checked, and must be sent every bot's files once. Beside each
Dask worker a station (:mod:`arena.executors.dask.cluster_worker`) plays the matches; its pool handles bots that crash
or hang.

A batch whose worker is lost is played by another worker. Its matches are then handed out one by one, so that a match
that takes machines down takes no others with it, and :func:`arena.executors.retry.decide_retry` decides when it has
been tried often enough.
"""

from __future__ import annotations

import logging
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable
from time import monotonic
from typing import Any
from uuid import uuid4

from arena.errors import ArenaError, MachinesLost, one_line_message
from arena.executors.dask.cluster_connection import SchedulerConnection, mismatch_text, version_differs
from arena.executors.dask.cluster_task import (
    Answer,
    BatchResults,
    MachineRefusal,
    MissingFiles,
    attend,
    play_batch,
    presence_key,
    program,
)
from arena.executors.dask.cluster_worker import packed_off
from arena.executors.dask.pool_member import BATCHES_AHEAD, Member
from arena.executors.executor import Look, UnplayedMatch, no_look
from arena.executors.interrupt import defer_stop
from arena.executors.retry import Attempt, GiveUpMatch, ProcessLost, RetryMatch, StopPlaying, decide_retry
from arena.match.work import Work, WorkResult

log = logging.getLogger(__name__)

WORKERS_LOOK_SECONDS, RESULT_WAIT_SECONDS = 1.0, 0.2
"""Seconds between two looks at which workers are there, and the seconds to wait for results before other tasks are
due."""
BATCH_SECONDS, MOST_BATCH_MATCHES = 1.0, 200
"""The duration of a batch in seconds of play, and the maximum number of its matches: the loss of a worker costs so much
work, and is noticed after that time."""
SCHEDULER_SECONDS = 60.0
"""Seconds after which a scheduler that does not answer is given up."""


class _Sent:
    """A batch that was sent: the worker, and the matches in it."""

    def __init__(self, member: Member, attempts: list[Attempt], future: Any) -> None:
        self.member, self.attempts, self.future = member, attempts, future


class Cluster:
    """Implements :class:`arena.executors.executor.Executor` with the workers of the Dask ``scheduler`` at this address,
    or without one with a local cluster that plays ``jobs`` matches at once. It passes messages about its machines to
    ``tell``. Raises ArenaError where the scheduler does not answer, and UserError where one of its workers has another
    version of arena, or of the code that plays; workers that join later with another version are refused."""

    def __init__(self, scheduler: str | None, jobs: int, tell: Callable[[str], None] = log.info) -> None:
        self._tell = tell
        self._run = uuid4().hex
        self._connection = SchedulerConnection(scheduler, jobs)
        from distributed import as_completed  # which is known to be installed now

        self._members: dict[str, Member] = {}
        self._waiting: deque[Attempt] = deque()
        self._sent: dict[str, _Sent] = {}
        self._ready: deque[WorkResult | UnplayedMatch] = deque()
        self._held, self._depth, self._count = 0, 1, 0
        self._looked = -WORKERS_LOOK_SECONDS
        self._answered = monotonic()
        self._waits = self._winding_up = False
        try:
            self._arriving = as_completed(loop=self._connection.client.loop, with_results=True, raise_errors=False)
            self._greet()
        except BaseException:
            self.close()
            raise

    @property
    def jobs(self) -> int:
        """The number of threads of all usable workers; at least 1."""
        return max(1, sum(member.threads for member in self._members.values() if not member.refused))

    @property
    def room(self) -> int:
        """As many matches as the workers hold, and half as many again to choose from."""
        if self._winding_up:
            return 0
        return max(0, (BATCHES_AHEAD + 1) * self.jobs * self._depth - self._held)

    def submit(self, work: Work) -> None:
        """Accept a piece of work. Its bots never run in a process that is watched here."""
        self._waiting.append(Attempt(work, apart=True))
        self._held += 1

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        """Each result as it comes in."""
        with defer_stop() as interrupted:
            while True:
                while self._ready:
                    self._held -= 1
                    yield self._ready.popleft()
                interrupted.stop()
                look()
                if not self._held:
                    return
                if self._connection.is_reachable:
                    self._look()
                    self._hand_out()
                self._wait()

    def wind_up(self) -> None:
        """Begin no more matches: workers also forget those that they hold in advance."""
        self._winding_up = True
        self._again([])
        self._connection.wind_up(self._run)

    def close(self) -> None:
        """Cancel all batches, end the stations, and disconnect from the scheduler."""
        self._waiting.clear()
        self._ready.clear()
        for sent in self._sent.values():
            sent.future.cancel()
        self._sent.clear()
        self._connection.close(self._run)

    def _greet(self) -> None:
        """Check the workers that are there at the beginning."""
        greetings = self._connection.greetings()
        self._look({address: host for address, (host, *_) in greetings.items()})
        if self._members:
            hosts = len({member.host for member in self._members.values()})
            there = f"{_count_text(len(self._members), 'worker')} on {_count_text(hosts, 'host')}"
            self._tell(f"{self._connection.shown}: {there}, {_count_text(self.jobs, 'match')} at once")

    def _look(self, hosts: dict[str, str] | None = None) -> None:
        """From time to time, check which workers have come and gone."""
        if monotonic() < self._looked + WORKERS_LOOK_SECONDS:
            return
        self._looked = monotonic()
        threads = self._connection.threads()
        if threads is None:
            if monotonic() > self._answered + SCHEDULER_SECONDS:
                raise MachinesLost(
                    f"the Dask scheduler at {self._connection.shown} has not answered for {SCHEDULER_SECONDS:g} s"
                )
            return
        self._answered = monotonic()
        for address in [address for address in self._members if address not in threads]:
            self._lose(self._members.pop(address))
        for address in threads:
            if address not in self._members:
                log.info("worker %s joined with %s threads", address, threads[address])
                self._members[address] = Member(address, threads[address], (hosts or {}).get(address, ""))
        if not self._members and not self._waits:
            self._tell(f"no worker is at {self._connection.shown}; waiting for some")
        self._waits = not self._members

    def _hand_out(self) -> None:
        """Give waiting matches to the workers that have the least to do."""
        while self._waiting:
            free = [member for member in self._members.values() if member.free_batches > 0]
            if not free:
                return
            member = min(free, key=lambda each: each.batches / each.threads)
            self._send(member, self._next(member))

    def _next(self, member: Member) -> list[Attempt]:
        """The matches of the next batch: about a second of them, fewer when they run out; a match that was lost with a
        worker gets a batch of its own."""
        size = max(1, min(self._depth, len(self._waiting) // self.jobs)) if member.tried else 1
        batch = [self._waiting.popleft()]
        while len(batch) < size and self._waiting and not (batch[0].lost or self._waiting[0].lost):
            batch.append(self._waiting.popleft())
        return batch

    def _send(self, member: Member, attempts: list[Attempt]) -> None:
        """Send a batch to a worker."""
        batch = packed_off([attempt.work for attempt in attempts], member.known)
        data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
        self._attend(member)
        self._count += 1
        key = f"arena-{self._run}-{self._count}"
        future = self._connection.client.submit(
            play_batch, program(), self._run, data, key=key, pure=False, workers=[member.address], retries=0
        )
        member.known |= batch.need
        member.batches += 1
        self._sent[key] = _Sent(member, attempts, future)
        self._arriving.add(future)

    def _attend(self, member: Member) -> None:
        """Show a worker that this run is alive: a task's result is held here for as long."""
        if member.presence is None or member.presence.status in ("cancelled", "lost", "error"):
            key = presence_key(self._run, member.address)
            member.presence = self._connection.client.submit(
                attend, key=key, pure=False, workers=[member.address], retries=0
            )

    def _wait(self) -> None:
        """Wait briefly for answers, and process those that are there."""
        with self._arriving.thread_condition:
            if not self._arriving.has_ready():
                self._arriving.thread_condition.wait(RESULT_WAIT_SECONDS)
        for future, result in self._arriving.next_batch(block=False):
            if sent := self._sent.pop(future.key, None):
                sent.member.batches -= 1
                self._take(sent, future.status, result)

    def _take(self, sent: _Sent, status: str, result: Any) -> None:
        """Process a batch that has come back, with its results or without."""
        member = sent.member
        if status == "cancelled":  # with the connection to the scheduler, which knows nothing of it any more
            self._again(reversed(sent.attempts))
        elif status == "error":
            self._take_error(sent, result[1])
        elif not isinstance(result, bytes):
            self._refuse(
                sent, mismatch_text(member.address, result) if version_differs(result) else "its answer is no answer"
            )
        else:
            self._take_answer(sent, pickle.loads(result))

    def _take_error(self, sent: _Sent, problem: BaseException) -> None:
        """Process a task that raised an exception, or that Dask gave up together with its worker."""
        from distributed.scheduler import KilledWorker

        if isinstance(problem, KilledWorker):
            self._lost(sent.attempts, f"its worker {sent.member.display_name} ended")
        else:
            self._refuse(sent, f"{type(problem).__name__}: {one_line_message(problem)}")

    def _take_answer(self, sent: _Sent, answer: Answer) -> None:
        sent.member.host = answer.host
        match answer:
            case BatchResults(_, results, ended):
                sent.member.tried = True
                self._note(results)
                finished = {result.record.id if isinstance(result, WorkResult) else result.id for result in results}
                self._lost([each for each in sent.attempts if each.work.spec.id not in finished], ended)
            case MissingFiles():
                sent.member.tried, sent.member.known = False, set()
                self._again(reversed(sent.attempts))
            case MachineRefusal(_, why):
                self._refuse(sent, why)

    def _note(self, results: Iterable[WorkResult | UnplayedMatch]) -> None:
        """Queue results for the caller, and adjust the number of matches in a batch."""
        self._ready.extend(results)
        seconds = [result.timing.seconds for result in results if isinstance(result, WorkResult)]
        if seconds:
            wanted = BATCH_SECONDS * len(seconds) / max(sum(seconds), 1e-6)
            self._depth = max(1, min(MOST_BATCH_MATCHES, round((self._depth + wanted) / 2)))

    def _again(self, attempts: Iterable[Attempt]) -> None:
        """Queue matches that were never begun, or were interrupted, to be played again."""
        self._waiting.extendleft(attempts)
        if self._winding_up:
            self._held -= len(self._waiting)
            self._waiting.clear()

    def _lost(self, attempts: list[Attempt], how: str) -> None:
        """Queue matches that may have been begun to be played again. Once no more matches are begun, they count as
        returned instead."""
        if self._winding_up:
            self._again(attempts)
            return
        for attempt in reversed(attempts):
            match decide_retry(ProcessLost(how), attempt):
                case RetryMatch(again):
                    self._again([again])
                case GiveUpMatch(reason) | StopPlaying(reason):
                    log.error("match %s could not be played: %s", attempt.work.spec.id, reason)
                    self._ready.append(UnplayedMatch(attempt.work.spec.id, reason))

    def _lose(self, member: Member) -> None:
        """Remove a lost worker: its matches are played by others."""
        keys = [key for key, sent in self._sent.items() if sent.member is member]
        log.warning("worker %s is gone, with %s batches", member.display_name, len(keys))
        for key in keys:
            sent = self._sent.pop(key)
            sent.future.cancel()
            self._lost(sent.attempts, f"its worker {member.display_name} is gone")

    def _refuse(self, sent: _Sent, why: str) -> None:
        """Give a worker no more work. Raises ArenaError where no other worker is left."""
        self._again(reversed(sent.attempts))
        member = sent.member
        if not member.refused:
            member.refused = why
            log.warning("worker %s is refused: %s", member.display_name, why)
            self._tell(f"{member.display_name} is refused: {why}")
        if all(each.refused for each in self._members.values()):
            raise ArenaError(f"no worker is left that can play: {member.display_name}: {why}")


def _count_text(count: int, what: str) -> str:
    """A count with its noun, in words."""
    plural = "es" if what.endswith("ch") else "s"
    return f"{count} {what}" if count == 1 else f"{count} {what}{plural}"
