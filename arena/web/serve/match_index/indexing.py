"""Reads the matches of the runs that somebody looks at, in a thread of its own, some at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import Protocol


class IndexSource(Protocol):
    """What is followed: a run, or the season of a ladder. ``wanted`` says when somebody looked at it last, ``problem``
    why it cannot be read."""

    wanted: float
    problem: str

    @property
    def indexed(self) -> float:
        """How much of its matches was read, in 0…1."""

    def advance(self, seconds: float) -> bool:
        """Read on for about so many seconds; return whether there is more."""


TURN_SECONDS = 0.03
"""Seconds for which one run is read before the next one."""
GIVEN_WAY = 0.2
"""Seconds at most that are waited before each turn while pages are being made."""
PAUSE_SECONDS = 0.5
"""Seconds between two looks at files that have nothing new."""
FOLLOWED_SECONDS = 60.0
"""Seconds after which a run that nobody has looked at is not followed any more."""


class Indexing:
    """Follows the ``runs`` that are there at the moment, as long as it is open."""

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

    def want(self, run: IndexSource, seconds: float = 0.0) -> None:
        """Have a run followed, by whom a page is made of it. Where it was not followed before it is waited so long, or
        until all of it is read."""
        followed, run.wanted = monotonic() - run.wanted < FOLLOWED_SECONDS, monotonic()
        self._woken.set()
        until = monotonic() + (0 if followed else seconds)
        self._count(-1)  # whoever waits makes nothing meanwhile
        while run.indexed < 1 and not run.problem and monotonic() < until:
            self._ended.wait(0.005)
        self._count(1)

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """Inside of it a page is made: reading waits, for one thread of Python at a time can work."""
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
    """Read on in one of them; whether there is more. Whatever is wrong with it, the others are followed."""
    try:
        return run.advance(TURN_SECONDS)
    except Exception as problem:
        run.problem = f"{type(problem).__name__}: {problem}"
        return False
