"""What becomes of a match that was interrupted: a table, with no process."""

from __future__ import annotations

from typing import Any

import pytest

from arena.executors.retry import (
    MOST_LOST,
    MOST_STUCK,
    TRIES,
    Attempt,
    AttemptEvent,
    GiveUpMatch,
    Overdue,
    ProcessLost,
    RetryMatch,
    RetryOrder,
    StopPlaying,
    Stuck,
    UnplayableWork,
    WorkerException,
    decide_retry,
)

WORK: Any = "a match"
TRUSTED, APART = Attempt(WORK), Attempt(WORK, apart=True)
LAST = TRIES - 1
KILLED = ProcessLost("its worker ended (exit code -9)")

TABLE: dict[str, tuple[AttemptEvent, Attempt, RetryOrder]] = {
    "a trusted match that lost its worker is played with processes, and nothing counts": (
        KILLED,
        TRUSTED,
        RetryMatch(Attempt(WORK, apart=True)),
    ),
    "so is one with a bot that was overdue": (Overdue(), TRUSTED, RetryMatch(Attempt(WORK, apart=True))),
    "failures so far stay counted": (
        KILLED,
        Attempt(WORK, failures=LAST),
        RetryMatch(Attempt(WORK, apart=True, failures=LAST)),
    ),
    "one with processes can only have lost its worker to us": (KILLED, APART, RetryMatch(Attempt(WORK, True, lost=1))),
    "what was lost and what failed is counted for itself": (
        KILLED,
        Attempt(WORK, True, LAST, 1),
        RetryMatch(Attempt(WORK, True, LAST, 2)),
    ),
    "nor can it be overdue by a bot": (Overdue(), APART, RetryMatch(Attempt(WORK, True, 1))),
    "a failure of ours is tried again in the same way": (
        WorkerException("no memory"),
        TRUSTED,
        RetryMatch(Attempt(WORK, False, 1)),
    ),
    "and with processes": (WorkerException("no fork server"), APART, RetryMatch(Attempt(WORK, True, 1))),
    "in the end it is given up, with what failed": (
        WorkerException("no fork server"),
        Attempt(WORK, True, LAST),
        GiveUpMatch("tried 3 times, the last time: no fork server"),
    ),
    "a worker lost too often is given up": (
        KILLED,
        Attempt(WORK, True, lost=MOST_LOST - 1),
        GiveUpMatch("tried 10 times, the last time: its worker ended (exit code -9)"),
    ),
    "a match whose worker is stuck is played once more, with processes": (
        Stuck("state T"),
        TRUSTED,
        RetryMatch(Attempt(WORK, apart=True, stuck=1)),
    ),
    "and then given up, with what was seen": (
        Stuck("state T (stopped)"),
        Attempt(WORK, True, stuck=MOST_STUCK - 1),
        GiveUpMatch("its worker stopped answering 2 times, the last time: state T (stopped)"),
    ),
    "a worker that cannot do it ends the run": (UnplayableWork("another level"), APART, StopPlaying("another level")),
}


@pytest.mark.parametrize("what", TABLE)
def test_what_is_done_about_it(what: str) -> None:
    event, attempt, order = TABLE[what]
    assert decide_retry(event, attempt) == order


@pytest.mark.parametrize("event", [KILLED, Overdue(), Stuck("state D"), WorkerException("no memory")])
@pytest.mark.parametrize("attempt", [TRUSTED, APART])
def test_no_match_is_tried_for_ever(event: AttemptEvent, attempt: Attempt) -> None:
    order: RetryOrder = RetryMatch(attempt)
    for _ in range(MOST_LOST + 1):
        if isinstance(order, RetryMatch):
            order = decide_retry(event, order.attempt)
    assert isinstance(order, GiveUpMatch)
