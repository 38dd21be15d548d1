"""What runs in a worker process of the pool."""

from __future__ import annotations

import io
import logging
import os
import random
import signal
import socket
import sys
from collections.abc import Sequence
from typing import IO

import msgspec

from arena.executors.process_pool.affinity import keep_to_core, work_in_batches
from arena.executors.process_pool.pool_pipe import READ_BYTES, MessageBuffer, pack_message
from arena.executors.process_pool.shared_page import SharedPage
from arena.executors.process_pool.worker_evidence import tell_stack_when_asked
from arena.executors.retry import ProcessLost, UnplayableWork, WorkerException
from arena.executors.run_attempt import run_attempt
from arena.match.pulse import LifeSignDeadline
from arena.match.runner import Runner
from arena.match.work import WorkResult
from arena.players.debugging import allow_breakpoints, refuse_breakpoints
from arena.sandbox.parent import die_with

log = logging.getLogger(__name__)


class ReturnedMatch(msgspec.Struct, frozen=True):
    """The worker was told to begin no more matches, and has not begun this one."""


Answer = WorkResult | WorkerException | ProcessLost | UnplayableWork | ReturnedMatch
"""The answers of a worker, one for each attempt, in order: so the first attempt without an answer is the one it is
playing."""


def serve_attempts(
    theirs: socket.socket,
    others: Sequence[socket.socket],
    shared: SharedPage,
    stack: IO[bytes],
    index: int,
    jobs: int,
    shown: bool,
) -> None:
    """Play the attempts that come in until the parent closes its end. ``others`` are the parent's ends of all workers'
    pipes, which this process closes; ``shared`` is memory, and ``stack`` a file, that it shares with the parent."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent alone answers Ctrl-C
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    os.setpgid(0, 0)
    die_with(parent)  # a bot in a loop would never notice that it is gone
    for other in others:
        other.close()
    tell_stack_when_asked(stack)
    keep_to_core(index, jobs)
    work_in_batches()
    random.seed()  # else what bots draw from the global generator would look as if it repeated
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if not shown:
        sys.stdout = sys.stderr = PrintedLines()
    runner, incoming = Runner(shared.deadline, LifeSignDeadline(shared.due)), MessageBuffer()
    if shown:
        allow_breakpoints(runner.watch, os.getpgid(parent))
    else:
        refuse_breakpoints()
    while data := theirs.recv(READ_BYTES):
        for attempts in incoming.feed(data):
            for attempt in attempts:
                answer = ReturnedMatch() if shared.held.value else run_attempt(runner, attempt)
                theirs.sendall(pack_message(answer))
    runner.close()


class PrintedLines(io.TextIOBase):
    """Replaces standard output in a worker: lines that bots print are logged, the first 1,000 of them."""

    def __init__(self) -> None:
        self.left = 1000
        self.line = ""

    def write(self, text: str) -> int:
        """Log complete lines, up to 500 characters of each."""
        *lines, self.line = (self.line + str(text)).split("\n")
        self.line = self.line[:500]
        for line in lines[: max(0, self.left)]:
            log.info("printed: %s", line[:500])
        self.left -= len(lines)
        return len(text)

    def flush(self) -> None:
        """Do nothing: only an incomplete line is buffered."""

    def isatty(self) -> bool:
        """False."""
        return False

    def writable(self) -> bool:
        """True."""
        return True
