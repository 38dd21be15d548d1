"""Work in a process of its own, which tells of its progress: so that the server goes on answering, and can end it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from time import monotonic
from typing import Any

from arena.errors import ArenaError
from arena.games import import_game

Work = Callable[[Callable[[Any], object]], object]
"""Does something in another process, and passes whatever is told of its progress to its argument; can be pickled."""

CONTEXT: SpawnContext | ForkServerContext = multiprocessing.get_context("spawn")
"""How the process starts: not as a fork of this one, which has threads."""


class WorkTimeoutError(ArenaError):
    """Work was ended because it took too long."""


class BackgroundProcess:
    """Runs one piece of work at a time, each in a new process; ``games`` are the external games that it needs."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        self._games = tuple(games)
        self._process: int | None = None

    def run(self, work: Work, tell: Callable[[Any], object], seconds: float | None = None) -> None:
        """Run the work to its end; pass what it tells to ``tell``. Raises ArenaError with what it raised, or where its
        process was ended; WorkTimeoutError where it took longer than so many ``seconds``."""
        here, there = CONTEXT.Pipe(duplex=False)
        process = CONTEXT.Process(target=_run_work, args=(work, self._games, there), daemon=False)
        process.start()
        self._process = process.pid
        there.close()
        until, ended, problem = monotonic() + (seconds or 0), False, ""
        with suppress(EOFError), here:
            while not ended:
                if seconds is not None and not here.poll(max(0.0, until - monotonic())):
                    self.close()
                    process.kill()  # in case it is not even the leader of its group yet
                    process.join()
                    raise WorkTimeoutError(f"it took longer than {seconds:g} s")
                ended, told = here.recv()
                if ended:
                    problem = told
                else:
                    tell(told)
        process.join()
        self._process = None
        if not ended:
            problem = _exit_sentence(process.exitcode)
        if problem:
            raise ArenaError(problem)

    def close(self) -> None:
        """End the process, and all processes that it started."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process, signal.SIGKILL)


def problem_text(problem: Exception) -> str:
    """Describe an error in words; with its type unless it is a user's error."""
    known = isinstance(problem, ArenaError | OSError) and str(problem)
    return str(problem) if known else f"{type(problem).__name__}: {problem}"


def _exit_sentence(code: int | None) -> str:
    """Describe the end of a process that reported nothing."""
    if code is not None and code < 0:
        return f"its process was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"its process has ended with code {code}"


def _run_work(work: Work, games: Sequence[str], there: Connection) -> None:
    """Do the work in this process, and report how it ended."""
    os.setpgid(0, 0)  # Ctrl-C is for whoever serves, who ends this with all that it has started
    with suppress(BrokenPipeError):
        try:
            for game in games:
                import_game(game)
            work(lambda told: there.send((False, told)))
            there.send((True, ""))
        except Exception as problem:
            there.send((True, problem_text(problem)))
            if not isinstance(problem, ArenaError | OSError):
                raise  # a bug: where it happened stands in the server's terminal
