"""What runs in a worker process of the pool."""

from __future__ import annotations

import io
import logging
import os
import random
import signal
import sys
from contextlib import suppress
from time import monotonic

from arena.executors.crumbs import NOWHERE, Board, Note, SlotCrumbs
from arena.match.work import Done, Work, play_work
from arena.sandbox.parent import die_with

log = logging.getLogger(__name__)

_board: Board


def begin_worker(board: Board, parent: int, shown: bool, jobs: int) -> None:
    """In every worker: the parent alone answers Ctrl-C, and what bots print goes to the log, or is ``shown``. Where
    there is a worker for every core, each keeps to its own: talking to a bot on another core takes several times as
    long."""
    global _board
    _board = board
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setpgid(0, 0)
    die_with(parent)  # a bot in a loop would never notice that it is gone
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        if jobs >= len(cores) > 1:
            os.sched_setaffinity(0, {board.take_core(cores)})
    if hasattr(os, "SCHED_BATCH"):  # a bot that is asked does not interrupt who asks, there may be more to ask
        with suppress(OSError):  # a container may not allow it
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    random.seed()  # else what bots draw from the global generator would look as if it repeated
    os.dup2(2, 1)
    if shown:
        sys.stdout = sys.stderr
    else:
        sys.stdout = sys.stderr = Printed()


def play_chunk(slot: int, works: list[Work]) -> tuple[list[Done] | str, float]:
    """Play a chunk in a worker. Whatever goes wrong here is ours, and comes back as plain text."""
    began = monotonic()
    results = []
    try:
        for place, work in enumerate(works):
            _board.write(slot, Note(os.getpid(), place, NOWHERE, NOWHERE, 0.0))
            results.append(play_work(work, SlotCrumbs(_board, slot, place)))
            _board.write(slot, Note(os.getpid(), place, NOWHERE, NOWHERE, 0.0))
    except Exception as problem:
        log.exception("match %s", works[len(results)].spec.id)
        return f"match {works[len(results)].spec.id}: {type(problem).__name__}: {problem}", 0.0
    return results, monotonic() - began


class Printed(io.TextIOBase):
    """Stands in for standard output in a worker: lines that bots print become lines of the log, the first 1,000."""

    def __init__(self) -> None:
        self.left = 1000
        self.line = ""

    def write(self, text: str) -> int:
        """Keep whole lines, up to 500 characters each."""
        *lines, self.line = (self.line + str(text)).split("\n")
        self.line = self.line[:500]
        for line in lines[: max(0, self.left)]:
            log.info("printed: %s", line[:500])
        self.left -= len(lines)
        return len(text)

    def flush(self) -> None:
        """Nothing is held back but an unfinished line."""

    def isatty(self) -> bool:
        """No terminal."""
        return False

    def writable(self) -> bool:
        """Always."""
        return True
