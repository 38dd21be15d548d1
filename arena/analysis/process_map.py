"""Processes the matches of a run in chunks, in several processes, and yields the results in the order of the chunks."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.context import BaseContext
from typing import TypeVar

from arena.errors import ArenaError
from arena.executors.interrupt import defer_stop
from arena.games import import_game, load_game
from arena.sandbox.parent import die_with
from arena.system.garbage import READING_THRESHOLD, collect_garbage_rarely

WorkOrder = TypeVar("WorkOrder")
WorkMatch = TypeVar("WorkMatch")
WorkPart = TypeVar("WorkPart")

PART_MATCHES = 32
"""Matches in a chunk: one task of a process."""
PARTS_AHEAD = 3
"""Chunks submitted ahead for each process before the first result is taken: so memory does not grow with the run."""
CONTEXT: BaseContext = multiprocessing.get_context("spawn")
"""How processes start: from nothing, whatever threads there are in this process."""
SERIAL_MATCHES = 100
"""Up to this number of matches, starting processes takes longer than it saves."""


class ProcessEnded(ArenaError):
    """A process that read replays was ended from outside, or by what ran in it."""


def in_parts(
    work: Callable[[WorkOrder, Sequence[WorkMatch]], WorkPart],
    order: WorkOrder,
    matches: Iterator[WorkMatch],
    jobs: int,
    games: Sequence[str],
    together: int = PART_MATCHES,
    apart: bool = False,
) -> Iterator[WorkPart]:
    """What ``work(order, some matches)`` gives of all ``matches``, so many ``together``, part after part, with so many
    ``jobs`` at once. The function, the order, the matches and the parts must be such that they can be sent to a
    process; ``games`` are those of the matches. With ``apart`` a single job has a process too. Raises UserError for a
    game that a stranger may have named (:func:`arena.games.load_game`), and ProcessEnded where a process was ended from
    outside."""
    chunks = iter(lambda: list(islice(matches, together)), [])
    if jobs == 1 and not apart:
        yield from (work(order, chunk) for chunk in chunks)
        return
    for game in games:
        load_game(game)  # what is handed to a process is imported there, whoever has named it
    pool = ProcessPoolExecutor(jobs, CONTEXT, _begin_process, (games, os.getpid()))
    ahead: deque[Future[WorkPart]] = deque()
    try:
        for chunk in chunks:
            with _spare_interrupts():
                ahead.append(pool.submit(work, order, chunk))
            if len(ahead) == PARTS_AHEAD * jobs:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    except BrokenProcessPool:
        raise ProcessEnded(
            "a process that read replays was ended from outside; try again, with fewer jobs (-j)"
        ) from None
    except KeyboardInterrupt:
        with defer_stop():  # who is stopped twice must not leave processes behind
            for process in list(pool._processes.values()):
                process.kill()
            pool.shutdown(cancel_futures=True)
        raise
    finally:
        with defer_stop():
            pool.shutdown(cancel_futures=True)


@contextmanager
def _spare_interrupts() -> Iterator[None]:
    """Context manager: processes started inside it ignore Ctrl-C. Only their parent handles it, and it is interrupted
    once it has sent them their task. The signal is blocked for the new processes; another thread of this process may
    still get it."""
    with defer_stop() as asked:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    asked.stop()


def _begin_process(games: Iterable[str], parent: int) -> None:
    """Initialize a process: it ends when its ``parent`` process ends, and it may import the ``games`` that the parent
    knows."""
    with suppress(OSError):
        die_with(parent)
    for game in games:
        import_game(game)
    collect_garbage_rarely(READING_THRESHOLD)
