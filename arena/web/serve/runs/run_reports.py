"""Reports of runs, made in the background, one at a time, each in a process of its own, and cached until the run
changes."""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

import msgspec

from arena.errors import ArenaError
from arena.games import import_game
from arena.storage.layout import MATCHES_FILE
from arena.web.serve.answers import page_address
from arena.web.serve.runs.served_run import ServedRun

CACHED_REPORTS = 8
"""How many reports are cached at most."""
FRESH_SECONDS = 300.0
"""Seconds for which the report of an unfinished run is reused although the run has changed."""
Make = Callable[..., str]
"""Makes the report of the run in a folder, with this many processes; reports how many more matches it has read.
``served`` is the address of the run on this server."""
Key = tuple[int, int, int]


class StoredReport(msgspec.Struct):
    """A report that is being made or is finished: when that began, the state of the run then, how many matches have
    been read (``done`` of about this total), the path of the page, and the error, if any."""

    began: float
    key: Key
    done: int = 0
    of: int = 0
    page: Path | None = None
    problem: str = ""


class ReportStore:
    """Makes reports by ``make`` with ``jobs`` processes, and caches them in ``folder``; ``games`` are the external
    games of the runs."""

    def __init__(self, folder: Path, make: Make, jobs: int = 1, games: Sequence[str] = ()) -> None:
        self._folder, self._make, self._jobs, self._games = folder, make, jobs, games
        self._lock, self._turn = Lock(), Lock()
        self._reports: dict[str, StoredReport] = {}
        self._process: int | None = None

    def close(self) -> None:
        """End the process that makes a report, and all processes that it started."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process, signal.SIGKILL)

    def get(self, run: ServedRun, again: bool = False) -> StoredReport:
        """Return the report of a run: a cached one, or one whose making begins now; with ``again``, a failed one is
        made anew at once."""
        key = _matches_key(run.folder)
        with self._lock:
            kept = self._reports.get(run.name)
            if kept is not None and (kept.page is None and not kept.problem):
                return kept
            fresh = kept is not None and (kept.key == key or monotonic() - kept.began < FRESH_SECONDS)
            if kept is not None and fresh and not (again and kept.problem):
                return kept
            self._reports.pop(run.name, None)
            self._drop()
            report = self._reports[run.name] = StoredReport(monotonic(), key, of=len(run.matches_tail.columns))
            Thread(target=self._work, args=(run, report), name="report", daemon=True).start()
            return report

    def _drop(self) -> None:
        """Drop the oldest finished report, if there are too many."""
        whole = [name for name, each in self._reports.items() if each.page is not None or each.problem]
        for name in whole[: max(0, len(self._reports) - CACHED_REPORTS + 1)]:
            page = self._reports.pop(name).page
            if page is not None:
                page.unlink(missing_ok=True)

    def _work(self, run: ServedRun, report: StoredReport) -> None:
        """Make the report in a process of its own, as soon as no other is being made."""
        with self._turn:
            try:
                report.page = self._made(run, report)
            except Exception as problem:  # whatever it is: somebody waits for the page, and must be told
                report.problem = _problem_text(problem)

    def _made(self, run: ServedRun, report: StoredReport) -> Path:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe(duplex=False)
        path = self._folder / f"report-{len(list(self._folder.iterdir()))}-{report.began:.6f}.html"
        make = functools.partial(self._make, served=page_address("run", run.name))
        order = (make, run.folder, self._jobs, self._games, path, there)
        process = context.Process(target=_make_report, args=order, daemon=False)
        process.start()
        self._process = process.pid
        there.close()
        problem: str | None = None
        with suppress(EOFError), here:
            while problem is None:
                told = here.recv()
                if isinstance(told, str):
                    problem = told
                else:
                    report.done += told
        process.join()
        self._process = None
        if problem is None:
            problem = _exit_sentence(process.exitcode)
        if problem:
            raise ArenaError(f"the report could not be made: {problem}")
        return path


def _exit_sentence(code: int | None) -> str:
    """Describe the end of a process that reported nothing."""
    if code is not None and code < 0:
        return f"its process was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"its process has ended with code {code}"


def _problem_text(problem: Exception) -> str:
    """Describe an error in words; with its type unless it is a user's error."""
    known = isinstance(problem, ArenaError | OSError) and str(problem)
    return str(problem) if known else f"{type(problem).__name__}: {problem}"


def _make_report(make: Make, folder: Path, jobs: int, games: Sequence[str], path: Path, there: Connection) -> None:
    """Write the page and report the progress; runs in a process of its own."""

    os.setpgid(0, 0)  # Ctrl-C is for whoever serves, who ends this with all that it has started
    with suppress(BrokenPipeError):
        try:
            for game in games:
                import_game(game)
            path.write_text(make(folder, jobs, there.send), encoding="utf-8")
            there.send("")
        except Exception as problem:
            there.send(_problem_text(problem))
            if not isinstance(problem, ArenaError | OSError):
                raise  # a bug: where it happened stands in the server's terminal


def _matches_key(folder: Path) -> Key:
    """Return a key that changes when matches are added."""
    try:
        found = (folder / MATCHES_FILE).stat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns
