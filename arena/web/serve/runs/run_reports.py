"""Reports of runs, made in the background, one at a time, each in a process of its own, and cached until the run
changes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

import msgspec

from arena.errors import ArenaError
from arena.storage.layout import MATCHES_FILE
from arena.web.serve.answers import page_address
from arena.web.serve.background_process import BackgroundProcess, problem_text
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
        self._folder, self._make, self._jobs = folder, make, jobs
        self._process = BackgroundProcess(games)
        self._lock, self._turn = Lock(), Lock()
        self._reports: dict[str, StoredReport] = {}

    def close(self) -> None:
        """End the process that makes a report, and all processes that it started."""
        self._process.close()

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
                report.problem = problem_text(problem)

    def _made(self, run: ServedRun, report: StoredReport) -> Path:
        path = self._folder / f"report-{len(list(self._folder.iterdir()))}-{report.began:.6f}.html"
        make = functools.partial(self._make, served=page_address("run", run.name))

        def count(more: int) -> None:
            report.done += more

        try:
            self._process.run(functools.partial(_write_report, make, run.folder, self._jobs, path), count)
        except ArenaError as problem:
            raise ArenaError(f"the report could not be made: {problem}") from None
        return path


def _write_report(make: Make, folder: Path, jobs: int, path: Path, tell: Callable[[int], object]) -> None:
    """Write the page, and tell how many more matches are read; runs in a process of its own."""
    path.write_text(make(folder, jobs, tell), encoding="utf-8")


def _matches_key(folder: Path) -> Key:
    """Return a key that changes when matches are added."""
    try:
        found = (folder / MATCHES_FILE).stat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns
