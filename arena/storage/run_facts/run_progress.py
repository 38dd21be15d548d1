"""The progress of a run, which it reports now and then for whoever watches it from another process."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic

import msgspec

from arena.executors.executor import UnplayedMatch

PROGRESS_SECONDS = 2.0
"""Seconds between two progress reports."""
MOST_UNPLAYED = 100
"""How many matches that could not be played are named at most."""


class RunProgress(msgspec.Struct, frozen=True):
    """The progress of a run: ``finished`` matches of ``total`` (without those that fell away), of which a resumed run
    had ``kept`` some; the ``process`` and ``host`` that play, with how many ``jobs``; when this ``began`` (UTC), and
    the ``seconds`` since then; the ``unplayed`` matches, which could not be played; and ``why`` it ended early."""

    finished: int
    total: int
    kept: int
    jobs: int
    began: str
    seconds: float
    process: int
    host: str
    unplayed: tuple[UnplayedMatch, ...] = ()
    why: str = ""


ProgressListener = Callable[[RunProgress], None]
"""Receives progress reports."""


class ProgressReporter:
    """Reports a run's progress to the listener ``tell`` from time to time. Time is measured from its creation."""

    def __init__(self, tell: ProgressListener, kept: int, jobs: int) -> None:
        self._tell, self._kept, self._jobs = tell, kept, jobs
        self._began, self._start = datetime.now(UTC).isoformat(timespec="seconds"), monotonic()
        self._told = -PROGRESS_SECONDS

    def is_due(self) -> bool:
        """Whether it is time for the next report."""
        return monotonic() - self._told - self._start >= PROGRESS_SECONDS

    def tell(self, finished: int, total: int, unplayed: list[UnplayedMatch], why: str = "") -> None:
        """Report the progress."""
        self._told = seconds = monotonic() - self._start
        self._tell(
            RunProgress(
                finished=finished,
                total=total,
                kept=self._kept,
                jobs=self._jobs,
                began=self._began,
                seconds=round(seconds, 1),
                process=os.getpid(),
                host=socket.gethostname(),
                unplayed=tuple(unplayed[:MOST_UNPLAYED]),
                why=why,
            )
        )
