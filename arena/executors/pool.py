"""Matches in parallel processes, in a pool that survives whatever a bot does to its worker.

Work goes out in chunks, so that the cost of a task is shared by several matches. A worker that dies, or whose
bot overruns where no signal reaches it, is replaced; the matches of its chunk are played again, and the match it
died in is played with that bot put out at that very ask.

A worker leads a process group of its own, so that what bots started can be ended with it, and dies with its parent.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from time import monotonic
from typing import Any

import msgspec
from pebble import ProcessExpired, ProcessPool

from arena.errors import ArenaError
from arena.executors.crumbs import NOWHERE, Board, Note
from arena.executors.interrupt import deferred
from arena.executors.worker import begin_worker, play_chunk
from arena.match.work import Done, Work
from arena.players.faults import FaultKind
from arena.replay.conduct import FaultPolicy

log = logging.getLogger(__name__)

GRACE = 2.0
"""Seconds that a bot may overrun before its worker is ended: the signal in the worker comes first."""
LOOK = 0.25
"""Seconds between looks at what workers are doing."""
TARGET = 0.2
"""Seconds of work that a chunk aims at."""
MOST = 64
"""Matches in a chunk at most."""
TRIES = 3
"""How often a chunk may fail with no bot at work before the run stops."""
UNNOTICED = 0.5
"""Seconds after which a worker that is gone is given up, if nobody has said so: one that left with exit code 0."""


class Chunk(msgspec.Struct):
    """Work under way together: where its results belong, its slot on the board, the matches."""

    number: int
    slot: int
    works: list[Work]
    tries: int = 0


class Pool:
    """Implements :class:`arena.executors.executor.Executor` with forked worker processes. What bots print is logged, or
    with ``shown`` goes to standard error."""

    def __init__(self, jobs: int, shown: bool = False) -> None:
        self.jobs, self.shown = jobs, shown
        self.window = 3 * jobs
        self.board = Board(self.window)
        self.slots = list(range(self.window))
        self.size = 1
        self.under_way: dict[Any, Chunk] = {}
        self.finished: dict[int, list[Done]] = {}
        self.overdue: set[Any] = set()
        self.suspects: dict[Any, Note] = {}
        self.gone: dict[Any, float] = {}
        self.again: deque[Chunk] = deque()
        self.pool = self._hire()

    def _hire(self) -> ProcessPool:
        return ProcessPool(
            max_workers=self.jobs,
            context=multiprocessing.get_context("fork"),  # the log collector needs it
            initializer=begin_worker,
            initargs=(self.board, os.getpid(), self.shown, self.jobs),
        )

    def run(self, works: Iterable[Work]) -> Iterator[Done]:
        """Every result, in the order of the work. Ctrl-C raises KeyboardInterrupt here, between two results."""
        source, number, given = iter(works), 0, 0
        with deferred() as interrupted:
            while True:
                if interrupted.is_set():
                    raise KeyboardInterrupt
                while self.slots and (self.again or number - given < 2 * self.window):
                    chunk = self._next(source, number)
                    if chunk is None:
                        break
                    number = max(number, chunk.number + 1)
                    self._send(chunk)
                if not self.under_way and not self.again:
                    break
                self._collect()
                while given in self.finished:
                    yield from self.finished.pop(given)
                    given += 1

    def close(self) -> list[Done]:
        """End the workers, with all they started; results not given out yet, in order."""
        self._dismiss()
        return [done for number in sorted(self.finished) for done in self.finished[number]]

    def _dismiss(self) -> None:
        for slot in range(self.window):
            process = self.board.read(slot).process
            if process and _is_child(process):
                _end(process)
        self.pool.stop()  # type: ignore[no-untyped-call]
        self.pool.join()

    def _mend(self) -> None:
        """Hire anew where the pool has broken down: it does when a worker ends before it is known to be at work."""
        if not self.pool.active:
            for future in list(self.under_way):
                self._lose(future, "the pool broke down")
            self._dismiss()
            self.pool = self._hire()

    def _next(self, source: Iterator[Work], number: int) -> Chunk | None:
        """What to send next: a chunk that failed, in front of new work."""
        if self.again:
            chunk = self.again.popleft()
            chunk.slot = self.slots.pop()
            return chunk
        works = list(islice(source, self.size))
        return Chunk(number, self.slots.pop(), works) if works else None

    def _send(self, chunk: Chunk) -> None:
        self._mend()
        self.board.clear(chunk.slot)
        future = self.pool.schedule(play_chunk, args=(chunk.slot, chunk.works))
        self.under_way[future] = chunk

    def _collect(self) -> None:
        """Wait a little, take what is finished, and end workers whose bot has overrun."""
        self._mend()
        done, _ = wait(self.under_way, timeout=LOOK, return_when=FIRST_COMPLETED)
        for future in done:
            self._take(future)
        for future, chunk in list(self.under_way.items()):
            note = self.board.read(chunk.slot)
            if note.process and not _is_child(note.process):
                if not future.done() and monotonic() > self.gone.setdefault(future, monotonic()) + UNNOTICED:
                    future.cancel()
                    self._lose(future, "unnoticed")
            elif not note.overdue(monotonic() - GRACE) or future in self.overdue:
                self.suspects.pop(future, None)
            elif self.suspects.get(future) != note:
                self.suspects[future] = note  # a note read while it is written says anything: look twice
            else:
                log.warning("ending a worker: seat %s is overdue in %s", note.seat, chunk.works[note.place].spec.id)
                self.overdue.add(future)
                _end(note.process)

    def _take(self, future: Any) -> None:
        """A chunk has ended, well or badly."""
        try:
            results, seconds = future.result()
        except ProcessExpired as problem:
            self._lose(future, f"exit code {problem.exitcode}")
            return
        except (BrokenProcessPool, CancelledError) as problem:
            self._lose(future, f"{type(problem).__name__}: {problem}")
            return
        if isinstance(results, str):
            raise ArenaError(f"a worker failed: {results}")
        chunk = self._release(future)[0]
        self.finished[chunk.number] = results
        self._learn(seconds / len(results))

    def _lose(self, future: Any, how: str) -> None:
        """A chunk's worker has ended, or was idle when the pool broke down."""
        chunk, note, kind = self._release(future)
        if note.process and _is_child(note.process):
            _end(note.process)
            note = note._replace(ask=NOWHERE)  # it lived: nobody is to blame
        elif note.process:
            _end(note.process)  # what its bots started
        log.warning("a worker ended (%s) in match %s", how, chunk.works[note.place].spec.id)
        self._blame(chunk, note, kind)

    def _release(self, future: Any) -> tuple[Chunk, Note, FaultKind]:
        """Forget a chunk under way; also its last note, and what its bot is to blame for if the worker has ended."""
        chunk = self.under_way.pop(future)
        note = self.board.read(chunk.slot)
        self.slots.append(chunk.slot)
        kind = FaultKind.LATE if future in self.overdue else FaultKind.DEAD
        self.overdue.discard(future)
        self.suspects.pop(future, None)
        self.gone.pop(future, None)
        return chunk, note, kind

    def _learn(self, seconds: float) -> None:
        """Choose the size of the next chunks from what a match took."""
        self.size = max(1, min(MOST, int(TARGET / max(seconds, 1e-6)), 2 * self.size))

    def _blame(self, chunk: Chunk, note: Note, kind: FaultKind) -> None:
        """Play the chunk again, with the bot that was thinking put out where it was."""
        works = list(chunk.works)
        self.size = 1  # it may not be the last: little is to be lost with the next
        if note.ask == NOWHERE:
            chunk.tries += 1
            if chunk.tries == TRIES:
                ids = ", ".join(work.spec.id for work in works)
                raise ArenaError(f"workers ended {TRIES} times while no bot was thinking (is memory short?), in {ids}")
        else:
            spec = works[note.place].spec
            known = spec.dead.get(note.seat)
            # a bot that takes its worker down although it was put out before is not even loaded the next time
            ask = note.ask if known is None or 0 < note.ask < known[0] else 0
            dead, policy = {**spec.dead, note.seat: (ask, kind)}, spec.fault_policy
            if known is not None and known[0] == 0:  # it is not this bot then: the match is lost, the run is not
                dead, policy = dict.fromkeys(range(len(spec.seats)), (0, kind)), FaultPolicy.VOID
            works[note.place] = msgspec.structs.replace(
                works[note.place], spec=msgspec.structs.replace(spec, dead=dead, fault_policy=policy)
            )
        self.again.append(Chunk(chunk.number, -1, works, chunk.tries))


def _is_child(process: int) -> bool:
    """Whether this is a worker of ours that runs."""
    try:
        return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


def _end(process: int) -> None:
    """End a worker and all that its bots have started."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)
