"""Decides what to do about a match that was aborted: retry it, leave it out, or stop the run.

No bot is ever blamed here. A trusted bot can take its worker down; then the match is played again with every bot in
a process of its own, where the referee sees which bot it was. Replays are the same bytes either way.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from arena.match.work import Work

TRIES = 3
"""How many failures without a bot's fault a match may have before it is left out."""
MOST_LOST = 10
"""How often one of arena's processes may end during a match before the match is left out. The number is larger, because
somebody who ends processes from outside does not mean this match."""
MOST_STUCK = 2
"""How often a worker may stop answering during a match before the match is left out: each time takes long."""


class Attempt(msgspec.Struct, frozen=True):
    """A match to play; ``apart``: with every bot in a process of its own; the number of ``failures`` that are arena's
    own; and how often one of arena's processes was ``lost``, or its worker was ``stuck``."""

    work: Work
    apart: bool = False
    failures: int = 0
    lost: int = 0
    stuck: int = 0


class ProcessLost(msgspec.Struct, frozen=True):
    """One of arena's processes ended during the match, the worker or its fork server: which one, and how."""

    how: str


class Overdue(msgspec.Struct, frozen=True):
    """The worker was ended, because a bot in it had overrun its limit and no signal reached it."""


class Stuck(msgspec.Struct, frozen=True):
    """The worker was ended, because it gave no sign of life though no bot was overdue; ``seen`` has the
    observations."""

    seen: str


class SuspendedPlay(msgspec.Struct, frozen=True):
    """The match cannot go on for now (:class:`arena.errors.MatchSuspended`); ``stop``: others could not either."""

    reason: str
    stop: bool = False


class WorkerException(msgspec.Struct, frozen=True):
    """An exception of arena, or of the system, in the worker."""

    problem: str


class UnplayableWork(msgspec.Struct, frozen=True):
    """The worker can never play this work."""

    problem: str


AttemptEvent = ProcessLost | Overdue | Stuck | SuspendedPlay | WorkerException | UnplayableWork


class RetryMatch(msgspec.Struct, frozen=True):
    """Decision: play the match again as this attempt."""

    attempt: Attempt


class GiveUpMatch(msgspec.Struct, frozen=True):
    """Decision: continue without the match, which is ``suspended`` if it can go on another time."""

    reason: str
    suspended: bool = False


class StopPlaying(msgspec.Struct, frozen=True):
    """Decision: play nothing more, because it would fail in the same way."""

    reason: str


RetryOrder = RetryMatch | GiveUpMatch | StopPlaying


def decide_retry(event: AttemptEvent, attempt: Attempt) -> RetryOrder:
    """Decide what to do after ``event`` during ``attempt``."""
    match event:
        case UnplayableWork(problem):
            return StopPlaying(problem)
        case SuspendedPlay(reason, _):
            return GiveUpMatch(f"suspended: {reason}", True)
        case ProcessLost() | Overdue() if not attempt.apart:
            return RetryMatch(msgspec.structs.replace(attempt, apart=True))
        case ProcessLost(how):
            lost = attempt.lost + 1
            if lost >= MOST_LOST:
                return GiveUpMatch(f"tried {lost} times, the last time: {how}")
            return RetryMatch(msgspec.structs.replace(attempt, lost=lost))
        case Stuck(seen):
            stuck = attempt.stuck + 1
            if stuck >= MOST_STUCK:
                return GiveUpMatch(f"its worker stopped answering {stuck} times, the last time: {seen}")
            return RetryMatch(msgspec.structs.replace(attempt, apart=True, stuck=stuck))
        case Overdue():
            why = "its worker did not answer"
        case WorkerException(problem):
            why = problem
        case _:
            assert_never(event)
    failures = attempt.failures + 1
    if failures >= TRIES:
        return GiveUpMatch(f"tried {TRIES} times, the last time: {why}")
    return RetryMatch(msgspec.structs.replace(attempt, failures=failures))
