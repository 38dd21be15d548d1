"""A worker that gives no sign of life is noticed, replaced, and described; its match is played once more."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from ctypes import c_double
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Limits
from arena.clock import FakeClock
from arena.executors.executor import UnplayedMatch, play_all
from arena.executors.process_pool import pool as pools
from arena.executors.process_pool.pool import Pool
from arena.executors.process_pool.worker_evidence import (
    ask_for_stack,
    seen_of,
    stack_in,
    tell_stack_when_asked,
)
from arena.isolation.worker.fork_server import ForkServer
from arena.match import pulse as pulses
from arena.match.pulse import SLACK_SECONDS, LifeSignDeadline
from arena.match.refereeing.minutes import Minutes
from arena.match.runner import Runner
from arena.match.work import WorkResult
from arena.system.platform_support import memory_file

from .conftest import ForkServersOf
from .fixtures import children, serially, wait_until, works_of

pytestmark = pytest.mark.slow


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """Two workers, looked after often, and given up four seconds beyond the limits of their matches."""
    monkeypatch.setattr(pools, "OVERRUN_SECONDS", 0.2)
    monkeypatch.setattr(pools, "POOL_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(pulses, "SLACK_SECONDS", 4.0)  # a fork server has to start in it, however busy the machine is
    with closing(Pool(2)) as made:
        yield made


@pytest.fixture
def first(tmp_path: Path) -> Any:
    """Says once, to whichever process asks first, that this is the time."""
    mark = tmp_path / "mark"

    def claim() -> bool:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    return claim


def warnings(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if "it has made no progress" in record.getMessage()]


def enclosed(process: int) -> int:
    """The process that forks the bots, whatever encloses it: the first one from here on that runs Python."""
    below = [process]
    return next(each for each in below if "python" in comm(each) or below.extend(children(each)))


def comm(process: int) -> str:
    return Path(f"/proc/{process}/comm").read_text()


def state_of(process: int) -> str:
    """The letter with which the kernel says what a process does: T where it is stopped."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize(
    ("who", "isolation"),
    [
        ("a worker", "none"),
        pytest.param("a fork server", "all", marks=pytest.mark.cold),  # it is described because it is below its worker
    ],
)
def test_a_worker_that_is_stopped_is_replaced_and_its_match_is_the_same_bytes(
    who: str,
    isolation: str,
    pool: Pool,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    fork_servers: ForkServersOf,
) -> None:
    works = works_of(tmp_path, "greedy", isolation=isolation, ask=2, start=5)
    expected = {done.record.id: done.replay for done in serially(works)}
    stopped, found = 0, dict[str, bytes | None]()
    for done in play_all(pool, works):
        assert isinstance(done, WorkResult)
        found[done.record.id] = done.replay
        busy = [worker for worker in pool._workers if worker.backlog]
        if stopped == 0 and busy:
            worker = busy[0]
            stopped = worker.pid if who == "a worker" else enclosed(fork_servers(worker.pid)[-1])
            os.kill(stopped, signal.SIGSTOP)
            while state_of(stopped) != "T":  # until then it may still answer
                time.sleep(0.001)
            pool._receive(worker)
            if not worker.backlog:  # it had answered everything: nothing is expected of it
                os.kill(stopped, signal.SIGCONT)
                stopped = 0
    assert found == expected
    if isolation == "none" and "a bot is overdue" in caplog.text:
        return  # it was stopped while a bot in it was to answer: that is what it was ended for
    (told,) = warnings(caplog)
    assert told.__dict__["match"] in expected
    assert "state T (stopped)" in told.getMessage()
    assert told.getMessage().startswith("ending worker-")


def test_a_worker_that_sleeps_inside_arenas_own_code_is_replaced_and_the_log_says_where_it_was(
    pool: Pool, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, first: Any
) -> None:
    works = works_of(tmp_path, "greedy", ask=2, start=5)
    expected, end_phase = {done.record.id: done.replay for done in serially(works)}, Minutes.end_phase

    def drowsy_end_of_a_phase(self: Minutes) -> None:
        if first():
            while True:
                time.sleep(60)
        end_phase(self)

    monkeypatch.setattr(Minutes, "end_phase", drowsy_end_of_a_phase)
    found = {done.record.id: done.replay for done in play_all(pool, works) if isinstance(done, WorkResult)}
    assert found == expected
    (told,) = warnings(caplog)
    assert "it was at drowsy_end_of_a_phase (test_stuck_workers.py:" in told.getMessage()
    assert " < play (referee.py:" in told.getMessage()


def test_a_worker_that_waits_for_ever_before_a_match_begins_is_replaced_too(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: Any, caplog: pytest.LogCaptureFixture
) -> None:
    works, warm_up = works_of(tmp_path, "greedy", isolation="all", ask=2, start=5)[:4], ForkServer.warm_up
    expected = {done.record.id: done.replay for done in serially(works)}

    def stuck(self: ForkServer, *given: Any) -> None:
        if first():
            os.read(os.pipe()[0], 1)
        warm_up(self, *given)

    monkeypatch.setattr(ForkServer, "warm_up", stuck)
    assert {done.record.id: done.replay for done in play_all(pool, works) if isinstance(done, WorkResult)} == expected
    assert len(warnings(caplog)) == 1


def test_a_match_in_which_every_worker_gets_stuck_is_left_out_after_two_and_the_others_are_played(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    works, play = works_of(tmp_path, ask=0.1, start=0.5), Runner._play

    def stuck(self: Runner, work: Any, apart: bool) -> Any:
        if work.spec.id == works[1].spec.id:
            time.sleep(600)
        return play(self, work, apart)

    monkeypatch.setattr(Runner, "_play", stuck)
    found = list(play_all(pool, works))
    (unplayed,) = (each for each in found if isinstance(each, UnplayedMatch))
    assert unplayed.id == works[1].spec.id
    assert unplayed.reason.startswith("its worker stopped answering 2 times, the last time: state S (sleeping)")
    assert "it was at stuck (test_stuck_workers.py:" in unplayed.reason
    assert len(found) == len(works)


def test_a_bot_that_uses_all_of_its_time_at_every_ask_is_no_stuck_worker(
    pool: Pool, tmp_path: Path, write_bot: Any, caplog: pytest.LogCaptureFixture
) -> None:
    bot = write_bot("def turn(self, view):\n    time.sleep(0.25)\n    return self.play_on(view)")
    works = works_of(tmp_path, bot, ask=0.4, start=0.4)[:4]
    assert all(isinstance(result, WorkResult) for result in play_all(pool, works))
    assert not warnings(caplog)


def test_a_worker_without_work_may_be_silent_for_ever(pool: Pool, tmp_path: Path, write_bot: Any) -> None:
    works = works_of(tmp_path, ask=0.1, start=0.1)
    before = set(children())
    list(play_all(pool, works[:1]))
    (worker,) = set(children()) - before
    slow = write_bot("def turn(self, view):\n    time.sleep(0.02)\n    return self.play_on(view)", "slow")
    list(play_all(pool, works_of(tmp_path, slow, ask=0.3, start=0.3)[:6]))
    assert worker in children()


def test_signs_of_life_come_within_what_the_limits_allow_in_one_step() -> None:
    clock, due = FakeClock(100.0), c_double()
    pulse = LifeSignDeadline(due, clock)
    pulse.begin(Limits(start=10, ask=2, bank=5), seats=4)
    assert due.value == 100.0 + 4 * (2 + 5) + SLACK_SECONDS
    clock.advance(7)
    pulse.sign_life()
    assert due.value == 107.0 + 28 + SLACK_SECONDS
    pulse.end()
    assert due.value == float("inf")
    pulse.begin(Limits(start=50, ask=2, bank=5), seats=2)
    assert due.value == 107.0 + 50 + SLACK_SECONDS, "a start may take longer than all asks of a step"


def test_the_stack_of_a_process_is_told_innermost_first_and_that_of_a_stopped_one_is_not() -> None:
    room = memory_file("stack")
    child = os.fork()
    if child == 0:
        tell_stack_when_asked(room)
        while True:
            time.sleep(60)
    try:
        wait_until(lambda: "S (sleeping)" in seen_of(child))
        wait_until(lambda: ask_for_stack(child, room) or time.sleep(0.05) or stack_in(room), 10)
        assert stack_in(room).startswith("test_the_stack_of_a_process_is_told")
        os.kill(child, signal.SIGSTOP)
        wait_until(lambda: "T (stopped)" in seen_of(child))
        ask_for_stack(child, room)
        time.sleep(0.1)
        assert stack_in(room) == ""
    finally:
        room.close()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert seen_of(child) == ""


def test_winding_up_begins_no_more_matches_and_finishes_those_at_play(tmp_path: Path, write_bot: Any) -> None:
    begun = tmp_path / "begun"
    bot = write_bot(f"def start(self, start):\n    os.close(os.open({str(begun)!r}, os.O_CREAT | os.O_APPEND))")
    works = works_of(tmp_path, bot, blocks=20)
    with closing(Pool(2)) as pool:
        found = []

        def look() -> None:
            if len(found) >= 3:
                pool.wind_up()
                assert pool.room == 0

        for result in play_all(pool, works, look):
            found.append(result)
        assert 3 <= len(found) <= 3 + 2 * pools.MOST_AHEAD
        assert all(isinstance(result, WorkResult) for result in found)
        assert list(pool.completed()) == []
