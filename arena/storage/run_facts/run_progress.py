"""How far a run is, as it says itself now and then, for whoever watches it from another process."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic

import msgspec

from arena.executors.executor import UnplayedMatch

PROGRESS_SECONDS = 2.0
"""Seconds between two times that a run says how far it is."""
MOST_UNPLAYED = 100
"""Matches that could not be played that are named."""


class RunProgress(msgspec.Struct, frozen=True):
    """``finished`` matches of ``total`` (without those that fell away), of which a resumed run had ``kept`` some; the
    ``process`` and ``host`` that play, in so many ``jobs``; when this ``began`` (UTC), and ``seconds`` since then; what
    could not be played; and ``why`` it ended before everything was played."""

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
"""Keeps it for others to see."""


class ProgressReporter:
    """Says how far a run is, to ``tell``, as often as is useful. It begins when this is made."""

    def __init__(self, tell: ProgressListener, kept: int, jobs: int) -> None:
        self._tell, self._kept, self._jobs = tell, kept, jobs
        self._began, self._start = datetime.now(UTC).isoformat(timespec="seconds"), monotonic()
        self._told = -PROGRESS_SECONDS

    def due(self) -> bool:
        """Whether it is time to say it again."""
        return monotonic() - self._told - self._start >= PROGRESS_SECONDS

    def tell(self, finished: int, total: int, unplayed: list[UnplayedMatch], why: str = "") -> None:
        """Say it."""
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
