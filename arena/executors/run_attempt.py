"""Plays one attempt at a match, and turns whatever goes wrong into an event, of which nothing is a bot's fault."""

from __future__ import annotations

import logging

from arena.errors import ForkServerLost, MatchSuspended, ReplayError, UserError, one_line_message
from arena.executors.retry import (
    Attempt,
    AttemptEvent,
    ProcessLost,
    SuspendedPlay,
    UnplayableWork,
    WorkerException,
)
from arena.match.runner import Runner
from arena.match.work import WorkResult

log = logging.getLogger(__name__)


def run_attempt(runner: Runner, attempt: Attempt) -> WorkResult | AttemptEvent:
    """The result of the match, or the event that ended the attempt. An exception of arena's own is logged, and becomes
    plain text."""
    try:
        return runner.play(attempt.work, attempt.apart)
    except UserError as problem:
        return UnplayableWork(str(problem))
    except MatchSuspended as problem:
        return SuspendedPlay(one_line_message(problem), problem.stop)
    except ReplayError as problem:  # of what models have answered in this match: it goes on once that is mended
        return SuspendedPlay(one_line_message(problem))
    except ForkServerLost as problem:
        return ProcessLost(str(problem))
    except Exception as problem:
        log.exception("failed", extra={"match": attempt.work.spec.id})
        return WorkerException(f"{type(problem).__name__}: {problem}")
