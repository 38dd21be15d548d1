"""Reports of runs, made in the background, one at a time, each in a process of its own, and kept while nothing of the
run changes."""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

import msgspec

from arena.app.runfiles import MATCHES
from arena.app.serve.answers import address
from arena.app.serve.served_run import ServedRun
from arena.errors import ArenaError

KEPT = 8
"""Reports that are kept at most."""
FRESH = 300.0
"""Seconds for which the report of a run that is played is told again."""
Make = Callable[..., str]
"""Makes the report of the run in a folder, in so many processes; says how many more matches it has read. ``served`` is
the address of the run here."""
Key = tuple[int, int, int]


class Report(msgspec.Struct):
    """A report that is made, or was made: when that began, of which state of the run, how many of its matches were read
    (``done`` of about so many), where the page lies, and what went wrong."""

    began: float
    key: Key
    done: int = 0
    of: int = 0
    page: Path | None = None
    problem: str = ""


class Reports:
    """Keeps reports in ``folder``, made by ``make`` in so many ``jobs``."""

    def __init__(self, folder: Path, make: Make, jobs: int = 1) -> None:
        self._folder, self._make, self._jobs = folder, make, jobs
        self._lock, self._turn = Lock(), Lock()
        self._reports: dict[str, Report] = {}
        self._process: int | None = None

    def close(self) -> None:
        """End whatever makes a report, with all that it has started."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process, signal.SIGKILL)

    def get(self, run: ServedRun) -> Report:
        """The report of a run: one that is there, or one that is being made from now on."""
        key = _key(run.folder)
        with self._lock:
            kept = self._reports.get(run.name)
            if kept is not None and (kept.page is None and not kept.problem):
                return kept
            if kept is not None and (kept.key == key or monotonic() - kept.began < FRESH):
                return kept
            self._reports.pop(run.name, None)
            self._drop()
            report = self._reports[run.name] = Report(monotonic(), key, of=len(run.tail.columns))
            Thread(target=self._work, args=(run, report), name="report", daemon=True).start()
            return report

    def _drop(self) -> None:
        """Forget the oldest that is there, if there are too many."""
        whole = [name for name, each in self._reports.items() if each.page is not None or each.problem]
        for name in whole[: max(0, len(self._reports) - KEPT + 1)]:
            page = self._reports.pop(name).page
            if page is not None:
                page.unlink(missing_ok=True)

    def _work(self, run: ServedRun, report: Report) -> None:
        """Have it made, once no other is being made."""
        with self._turn:
            try:
                report.page = self._made(run, report)
            except (ArenaError, OSError) as problem:
                report.problem = str(problem)

    def _made(self, run: ServedRun, report: Report) -> Path:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe(duplex=False)
        path = self._folder / f"report-{len(list(self._folder.iterdir()))}-{report.began:.6f}.html"
        make = functools.partial(self._make, served=address("run", run.name))
        process = context.Process(target=_make, args=(make, run.folder, self._jobs, path, there), daemon=False)
        process.start()
        self._process = process.pid
        there.close()
        problem = "its process has ended"
        with suppress(EOFError), here:
            while True:
                told = here.recv()
                if isinstance(told, str):
                    problem = told
                    break
                report.done += told
        process.join()
        self._process = None
        if problem:
            raise ArenaError(f"the report could not be made: {problem}")
        return path


def _make(make: Make, folder: Path, jobs: int, path: Path, there: Connection) -> None:
    """In a process of its own: write the page, and say how it goes."""

    os.setpgid(0, 0)  # Ctrl-C is for whoever serves, who ends this with all that it has started
    with suppress(BrokenPipeError):
        try:
            path.write_text(make(folder, jobs, there.send), encoding="utf-8")
            there.send("")
        except (ArenaError, OSError) as problem:
            there.send(str(problem) or type(problem).__name__)


def _key(folder: Path) -> Key:
    """What changes when matches are added."""
    try:
        found = (folder / MATCHES).stat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns
