"""Where matches are run: one interface, and helpers for its callers.

An executor calls its ``look`` wherever it waits, begins no match after ``wind_up``, and calls ``decide_retry`` in
:mod:`arena.executors.retry` whenever a match was aborted. Results may come in any order; the caller that submits
matches decides after each result what is played next.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from inspect import isclass
from itertools import islice
from typing import Protocol

import msgspec

from arena.errors import ArenaError, MatchSuspended, cut_text
from arena.match.work import Work, WorkResult
from arena.plugins import PluginKind


class UnplayedMatch(msgspec.Struct, frozen=True):
    """A match that could not be played, through no fault of a bot. ``suspended``: it goes on where it stopped once what
    it needs is there again, such as a language model."""

    id: str
    reason: str
    suspended: bool = False


Look = Callable[[], None]
"""A callback that checks the clock, or anything else that may end the wait for results."""


def no_look() -> None:
    """Check nothing."""


class Executor(Protocol):
    """Plays submitted work and gives results in whatever order they are finished."""

    @property
    def jobs(self) -> int:
        """How many matches it plays at once; this may change where machines come and go."""

    @property
    def room(self) -> int:
        """How much more work it needs to stay busy. To keep memory use constant, submit no more than that."""

    def submit(self, work: Work) -> None:
        """Accept a piece of work; it is begun when results are waited for. Raises UserError where its bots cannot be
        prepared."""

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        """Each result as it is finished, until no submitted work is left; more may be submitted meanwhile. Waits until
        there is a result.

        It calls ``look`` between two results, and, as far as it can, several times a second while there is none, so
        that the caller can check the clock. An exception from ``look`` is passed on.

        Ctrl-C and the signals of :mod:`arena.executors.interrupt` raise Stopped here, between two results. Raises
        ArenaError where no result can come, as on a machine that does not reach the isolation that the work demands,
        and MachinesLost where other machines play and are out of reach.
        """

    def wind_up(self) -> None:
        """Begin no more matches. Those being played are finished and their results returned; all other work is
        forgotten, and no more may be submitted."""

    def close(self) -> None:
        """Stop at once, and end everything that was started; work without a result is forgotten."""


def _lacking(part: object) -> str:
    """What an object lacks to be an executor class; empty if nothing."""
    if not isclass(part):
        return f"expected a class that takes a number of jobs, got {cut_text(repr(part))}"
    missing = [name for name in vars(Executor) if not name.startswith("_") and not hasattr(part, name)]
    return f"the class has no {', '.join(missing)} (arena/executors/executor.py)" if missing else ""


EXECUTORS = PluginKind[Callable[[int], Executor]]("executor", "arena.executors", _lacking)
"""Executors from outside arena: classes that are created with the number of matches to play at once."""


def play_all(executor: Executor, works: Iterable[Work], look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
    """The results of all works as they are finished. Works are taken from the iterable as there is room for them, and
    the executor calls ``look`` while it waits."""
    source = iter(works)

    def fill() -> None:
        for work in islice(source, executor.room):
            executor.submit(work)

    fill()
    with closing(executor.completed(look)) as results:
        for result in results:
            yield result
            fill()


def results_of_all(executor: Executor, works: Iterable[Work], look: Look = no_look) -> Generator[WorkResult]:
    """The results of :func:`play_all`, where every work must have one. Raises ArenaError where one could not be
    played, MatchSuspended where it could go on another time."""
    for result in play_all(executor, works, look):
        if isinstance(result, UnplayedMatch):
            of = MatchSuspended if result.suspended else ArenaError
            raise of(f"match {result.id} could not be played: {result.reason}")
        yield result


def play_each(executor: Executor, works: Iterable[Work], look: Look = no_look) -> list[WorkResult]:
    """The results of :func:`results_of_all` in the order of the works."""
    order: list[str] = []
    found: dict[str, WorkResult] = {}

    def noted() -> Iterator[Work]:
        for work in works:
            order.append(work.spec.id)
            yield work

    for result in results_of_all(executor, noted(), look):
        found[result.record.id] = result
    return [found[id] for id in order]
