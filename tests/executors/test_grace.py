"""A worker whose bot has overrun is ended in time, but not for waiting for a core: exactly, with a fake clock."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.clock import FakeClock
from arena.executors.process_pool.grace_period import GracePeriod
from arena.system.core_wait import STARVED_LIMIT, ProcessTimes

pytestmark = pytest.mark.slow

LOOK, GRACE, DEADLINE = 0.25, 2.0, 10.0


def ended(
    read: Callable[[float], ProcessTimes | None], deadline: Callable[[float], float] = lambda now: DEADLINE
) -> float:
    """Seconds from the deadline until the worker is ended, that is looked at now and then."""
    clock = FakeClock()
    period = GracePeriod(clock, lambda: read(clock.now()))
    while not period.is_over(deadline(clock.now()), GRACE):
        clock.advance(LOOK)
        assert clock.now() < 1000
    return clock.now() - DEADLINE


WORKERS: dict[str, tuple[Callable[[float], ProcessTimes | None], float]] = {
    "a loop in C": (lambda now: ProcessTimes(now, 0.0, now, True), GRACE),
    "a sleep that no signal ends": (lambda now: ProcessTimes(now, 0.0, 0.0, False), GRACE),
    "a system that does not tell": (lambda now: None, GRACE),
    "a loop in C that has an eighth of a core": (lambda now: ProcessTimes(now, now * 7 / 8, now / 8, True), GRACE * 8),
    "a loop in C that has three quarters of a core": (
        lambda now: ProcessTimes(now, now / 4, now * 3 / 4, True),
        GRACE / 0.75,
    ),
    "no core at all": (lambda now: ProcessTimes(now, 0.0, 0.0, True), STARVED_LIMIT),
}


@pytest.mark.parametrize("what", WORKERS)
def test_a_worker_is_ended_when_it_has_had_its_grace(what: str) -> None:
    read, seconds = WORKERS[what]
    assert seconds < ended(read) <= seconds + 3 * LOOK


def test_a_worker_that_had_no_core_for_a_while_has_its_grace_from_then_on() -> None:
    def read(now: float) -> ProcessTimes:
        computed = max(0.0, now - DEADLINE - 30.0)
        return ProcessTimes(now, 30.0 if computed else 0.0, computed, True)

    assert 30.0 + GRACE < ended(read) <= 30.0 + GRACE + 3 * LOOK


def test_a_deadline_that_is_moved_begins_a_new_grace() -> None:
    moved = ended(WORKERS["a loop in C"][0], lambda now: DEADLINE if now < DEADLINE + 1.5 else DEADLINE + 1.4)
    assert 1.5 + GRACE < moved <= 1.5 + GRACE + 3 * LOOK


def test_a_parent_that_was_away_itself_waits_from_when_it_looks_again() -> None:
    clock = FakeClock(DEADLINE + 500.0)
    period = GracePeriod(clock, lambda: ProcessTimes(clock.now(), 0.0, clock.now(), True))
    assert not period.is_over(DEADLINE, GRACE)
    clock.advance(GRACE)
    assert not period.is_over(DEADLINE, GRACE)
    clock.advance(LOOK)
    assert period.is_over(DEADLINE, GRACE)


def test_no_worker_is_looked_at_whose_bot_is_in_time() -> None:
    clock = FakeClock(DEADLINE)
    period = GracePeriod(clock, lambda: pytest.fail("a look at the process costs"))
    assert not period.is_over(DEADLINE, GRACE)
