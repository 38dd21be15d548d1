"""Reads the matches of runs and ladders that somebody looks at, in batches, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import Protocol


class IndexSource(Protocol):
    """A source of matches: a run, or the season of a ladder. ``wanted`` is the time when somebody last looked at it,
    ``problem`` says why it cannot be read."""

    wanted: float
    problem: str

    @property
    def indexed_share(self) -> float:
        """The share of its matches that has been read, in 0…1."""

    def advance(self, seconds: float) -> bool:
        """Read on for about this many seconds; return whether there is more."""


TURN_SECONDS = 0.03
"""Seconds for which one source is read before the next one."""
GIVEN_WAY = 0.2
"""The longest wait before each turn while pages are being made, in seconds."""
PAUSE_SECONDS = 0.5
"""Seconds between two checks of files that have nothing new."""
FOLLOWED_SECONDS = 60.0
"""Seconds after which a source is no longer followed if nobody looks at it."""


class Indexing:
    """Follows the sources that ``runs`` returns, as long as it is open."""

    def __init__(self, runs: Callable[[], Sequence[IndexSource]]) -> None:
        self._runs, self._ended, self._woken = runs, Event(), Event()
        self._making, self._lock = 0, Lock()
        self._thread = Thread(target=self._work, name="indexing", daemon=True)

    def __enter__(self) -> Indexing:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._ended.set()
        self._woken.set()
        self._thread.join(timeout=5)

    def follow_run(self, run: IndexSource, seconds: float = 0.0) -> None:
        """Follow a run, because a page is made of it. If it was not followed before, wait up to this many ``seconds``
        until all of it is read."""
        followed, run.wanted = monotonic() - run.wanted < FOLLOWED_SECONDS, monotonic()
        self._woken.set()
        until = monotonic() + (0 if followed else seconds)
        self._count(-1)  # whoever waits makes nothing meanwhile
        while run.indexed_share < 1 and not run.problem and monotonic() < until:
            self._ended.wait(0.005)
        self._count(1)

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """Make reading wait while a page is made inside, because only one Python thread can run at a time."""
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)

    def _count(self, more: int) -> None:
        with self._lock:
            self._making += more

    def _give_way(self) -> None:
        until = monotonic() + GIVEN_WAY
        while self._making and monotonic() < until:
            self._ended.wait(0.005)

    def _work(self) -> None:
        while not self._ended.is_set():
            wanted = [run for run in self._runs() if monotonic() - run.wanted < FOLLOWED_SECONDS]
            self._give_way()
            behind = [run for run in wanted if _advance_run(run)]
            if not behind:
                self._woken.wait(PAUSE_SECONDS if wanted else None)
                self._woken.clear()


def _advance_run(run: IndexSource) -> bool:
    """Read on in a source; return whether there is more. An error becomes its problem; other sources go on."""
    try:
        return run.advance(TURN_SECONDS)
    except Exception as problem:
        run.problem = f"{type(problem).__name__}: {problem}"
        return False
