"""A pool plays on whatever happens to its workers, blames no bot for that, and leaves nothing running."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.executors import retry
from arena.executors.executor import UnplayedMatch, play_all, play_each
from arena.executors.process_pool import pool as pools
from arena.executors.process_pool.pool import Pool
from arena.executors.retry import TRIES
from arena.isolation.worker.fork_server import ForkServer
from arena.match.runner import Runner
from arena.match.work import WorkResult
from tests.conftest import warm_starter

from .conftest import ForkServersOf
from .fixtures import (
    BOARD,
    TOURNAMENT,
    by_culprit,
    children,
    faults_of_culprit,
    runs,
    serially,
    wait_until,
    works_of,
)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """Two workers, looked after often."""
    warm_starter()
    monkeypatch.setattr(pools, "OVERRUN_SECONDS", 0.2)
    monkeypatch.setattr(pools, "POOL_LOOK_SECONDS", 0.05)
    with closing(Pool(2)) as made:
        yield made
    assert not multiprocessing.active_children()


DEATHS = {
    "leaving with exit code 0": ("os._exit(0)", "dead"),
    "a crash in C": ("import ctypes, faulthandler; faulthandler.disable(); ctypes.string_at(0)", "dead"),
    "killing itself": ("os.kill(os.getpid(), signal.SIGKILL)", "dead"),
    "killing its process group": ("os.killpg(os.getpgrp(), signal.SIGKILL)", "dead"),
    "closing every descriptor": ("os.closerange(3, 256); os._exit(0)", "dead"),
    "leaving a child that holds its pipes": ("os.fork() or time.sleep(60); os._exit(0)", "late"),
    "a loop in C": ("sum(range(10**12))", "late"),
    "catching everything for ever": ("self.sleep()", "late"),
}
SLEEPER = """
def sleep(self):
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""


@pytest.mark.slow
def test_a_bot_that_takes_its_worker_down_has_the_fault_and_all_others_their_results(
    pool: Pool, tmp_path: Path, write_bot: Any
) -> None:
    works = []
    for number, (what, (code, _)) in enumerate(DEATHS.items()):
        body = f"def turn(self, view):\n    if view.turn > 2:\n        {code}\n    return self.play_on(view)\n"
        its, others = by_culprit(works_of(tmp_path, write_bot(body + SLEEPER, f"death{number}"), ask=0.15))
        work = its[number % len(its)]
        works.append(replace(work, spec=replace(work.spec, id=what)))
    found = faults_of_culprit(pool, [*works, *others[:3]])
    kinds = {what: list(faults) for what, faults in zip(DEATHS, found, strict=True)}
    assert kinds == {what: [kind] for what, (_, kind) in DEATHS.items()}


ENDS = {"os._exit(0)": "dead", "self.sleep()": "late"}
TIMES = [*product(["start"], ENDS), ("__init__", "os._exit(0)"), ("finish", "self.sleep()"), ("__del__", "os._exit(0)")]
"""Hooks of a bot, each with what it does there."""


@pytest.mark.slow
def test_a_bot_may_take_its_worker_down_at_any_time(pool: Pool, tmp_path: Path, write_bot: Any) -> None:
    # where runs are prepared it behaves: it is loaded once to see that it can be
    now, works, expected = tmp_path / "now", [], {}
    for number, (hook, end) in enumerate(TIMES):
        body = f"def {hook}(self, *told): os.path.exists({str(now)!r}) and {end}\n{SLEEPER}"
        its, _ = by_culprit(works_of(tmp_path, write_bot(body, f"end{number}"), ask=0.5, start=0.3))
        work = its[number % len(its)]
        works.append(replace(work, spec=replace(work.spec, id=f"{hook}: {end}")))
        expected[works[-1].spec.id] = {ENDS[end]: 1} if hook in ("start", "__init__") else {}
    now.touch()
    found = {
        done.record.id: seat.faults
        for done in play_each(pool, works)
        for seat in done.record.seats
        if seat.entrant == "culprit"
    }
    assert found == expected


@pytest.mark.slow
def test_a_match_of_trusted_bots_is_the_same_bytes_when_it_was_broken_off(
    pool: Pool, tmp_path: Path, write_bot: Any
) -> None:
    once = tmp_path / "once"
    body = f"""
    def turn(self, view):
        if view.turn > 2 and os.path.exists({str(once)!r}):
            os.unlink({str(once)!r})
            os._exit(1)
        return self.choose(view)
    """
    works = works_of(tmp_path, write_bot(body))
    expected = [done.replay for done in serially(works)]
    once.touch()
    assert [done.replay for done in play_each(pool, works)] == expected
    assert not once.exists()


KILLS = {1: signal.SIGKILL, 3: signal.SIGTERM}
"""After so many results, by which signal."""


@pytest.mark.slow
@pytest.mark.parametrize(("who", "isolation"), [("a worker", "none"), ("a server", "all")])
def test_killing_from_outside_blames_no_bot_and_changes_no_result(
    who: str, isolation: str, pool: Pool, tmp_path: Path, fork_servers: ForkServersOf
) -> None:
    works = works_of(tmp_path, "greedy", isolation=isolation)
    expected = {done.record.id: done.replay for done in serially(works)}
    found: dict[str, bytes | None] = {}
    before = set(children())
    for done in play_all(pool, works):
        assert isinstance(done, WorkResult)
        found[done.record.id] = done.replay
        if number := KILLS.get(len(found)):
            worker = next(child for child in children() if child not in before)
            os.kill(worker if who == "a worker" else fork_servers(worker)[-1], number)
    assert found == expected


@pytest.fixture
def often(tmp_path: Path) -> Callable[[], bool]:
    """Whether to do it once more, to be asked in any process: so often that no failure of ours would be forgiven."""
    times = tmp_path / "times"

    def once_more() -> bool:
        with times.open("a") as file:
            file.write(".")
        return times.stat().st_size <= 2 * TRIES

    return once_more


@pytest.mark.parametrize("isolation", ["none", "all"])
def test_a_match_whose_worker_is_killed_often_has_its_result_in_the_end(
    isolation: str, pool: Pool, tmp_path: Path, often: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    works, play = works_of(tmp_path, "greedy", isolation=isolation)[:3], Runner.play
    expected = [done.replay for done in serially(works)]

    def killed(self: Any, work: Any, apart: bool = False) -> Any:
        if work.spec.id == works[1].spec.id and often():
            os.kill(os.getpid(), signal.SIGKILL)
        return play(self, work, apart)

    monkeypatch.setattr(Runner, "play", killed)
    assert [done.replay for done in play_each(pool, works)] == expected


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before it forks", "when it has forked"])
def test_a_fork_server_that_is_killed_exactly_while_it_starts_bots_costs_no_result(
    moment: str, pool: Pool, tmp_path: Path, often: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    works, spawn = works_of(tmp_path, "greedy", isolation="all")[:1], ForkServer.spawn
    expected = [done.replay for done in serially(works)]

    def kill(server: ForkServer) -> None:
        with suppress(ProcessLookupError):  # it is no child of this process, which may not have seen yet that it ended
            os.kill(server.pid, signal.SIGKILL)

    def killed(self: ForkServer, ends: Any) -> Any:
        if moment == "before it forks" and often():
            kill(self)
        spawned = spawn(self, ends)
        if moment == "when it has forked" and often():
            kill(self)
        return spawned

    monkeypatch.setattr(ForkServer, "spawn", killed)
    assert [done.replay for done in play_each(pool, works)] == expected


@pytest.mark.slow
def test_a_match_whose_worker_is_always_killed_is_given_up_and_the_others_are_played(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    works, play = works_of(tmp_path), Runner.play

    def killed(self: Any, work: Any, apart: bool = False) -> Any:
        if work.spec.id == works[1].spec.id:
            os.kill(os.getpid(), signal.SIGKILL)
        return play(self, work, apart)

    monkeypatch.setattr(Runner, "play", killed)
    monkeypatch.setattr(retry, "MOST_LOST", 4)
    found = list(play_all(pool, works))
    reason = "tried 4 times, the last time: its worker ended (exit code -9)"
    assert [each for each in found if isinstance(each, UnplayedMatch)] == [UnplayedMatch(works[1].spec.id, reason)]
    assert len(found) == len(works)


@pytest.mark.slow
def test_a_bot_that_takes_all_memory_is_out_and_the_run_goes_on(pool: Pool, tmp_path: Path, write_bot: Any) -> None:
    bot = write_bot("def turn(self, view): self.held = [bytearray(1 << 20) for _ in range(9999)]")
    its, others = by_culprit(works_of(tmp_path, bot, isolation="process"))
    greedy = replace(its[0], demand=replace(its[0].demand, memory=128))
    for faults in faults_of_culprit(pool, [greedy, *others]):
        assert faults
        assert set(faults) <= {"broken", "dead", "refused", "late"}


@pytest.mark.slow
def test_what_a_bot_has_started_ends_with_its_worker(pool: Pool, tmp_path: Path, write_bot: Any) -> None:
    bot = write_bot(
        f"""
        def turn(self, view):
            child = subprocess.Popen(["sleep", "600"])
            with open({str(tmp_path / "children")!r}, "a") as file:
                print(child.pid, file=file)
            os._exit(1)
        """
    )
    its, _ = by_culprit(works_of(tmp_path, bot))
    play_each(pool, its[:2])
    started = [int(line) for line in (tmp_path / "children").read_text().split()]
    assert len(started) >= 2
    wait_until(lambda: not any(map(runs, started)))


def test_closing_in_the_middle_leaves_nothing_running(tmp_path: Path, fork_servers: ForkServersOf) -> None:
    before = set(children())
    with closing(Pool(2)) as pool:
        results = play_all(pool, works_of(tmp_path, "random-legal", blocks=3, isolation="all"))
        next(results)
        started = set(children()) - before
        started |= {below for child in started for below in fork_servers(child)}
        assert len(started) >= 3
    results.close()  # type: ignore[attr-defined]
    wait_until(lambda: not any(map(runs, started)))


def test_a_pool_starts_no_more_workers_than_there_is_work(tmp_path: Path) -> None:
    before = len(children())
    with closing(Pool(2)) as pool:
        assert len(children()) == before
        play_each(pool, works_of(tmp_path)[:1])
        assert len(children()) == before + 1


def test_what_bots_print_never_reaches_standard_output(
    pool: Pool, tmp_path: Path, write_bot: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    body = "def turn(self, view):\n    print('PRINTED'); sys.stdout.writelines(['PRINTED']); os.write(1, b'PRINTED')\n"
    body += "    return self.play_on(view)"
    assert faults_of_culprit(pool, works_of(tmp_path, write_bot(body))) == [{}] * 4
    assert "PRINTED" not in capfd.readouterr().out


def test_large_replays_come_through_whole(pool: Pool, tmp_path: Path, write_bot: Any) -> None:
    body = "def turn(self, view): return Reply(self.play_on(view), note=chr(65 + view.turn) * 2000)"
    works = works_of(tmp_path, write_bot(body), blocks=2)
    expected = [done.replay for done in serially(works)]
    assert [done.replay for done in play_each(pool, works)] == expected


@pytest.mark.cold
def test_workers_end_with_their_parent_even_in_a_loop_in_c(tmp_path: Path, write_bot: Any) -> None:
    notes = tmp_path / "workers"
    bot = write_bot(
        f"""
        def turn(self, view):
            with open({str(notes)!r}, "a") as file:
                print(os.getpid(), file=file)
            sum(range(10**12))
        """
    )
    settings = {"bot": bot, "blocks": 2, "ask": 60, "isolation": "none", "start": 5}
    (tmp_path / "t.yaml").write_text(TOURNAMENT.format(edition=BOARD, **settings))
    code = f"""
import pathlib
from arena.runs.planning.make_plan import make_plan
from arena.executors.executor import play_each
from arena.executors.process_pool.pool import Pool
from arena.executors.retry import TRIES
from arena.isolation.worker.fork_server import ForkServer
plan = make_plan(pathlib.Path({str(tmp_path / "t.yaml")!r}))
play_each(Pool(2), plan.works(plan.schedule))
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    parent = subprocess.Popen([sys.executable, "-c", code], env=environment)
    try:
        wait_until(lambda: notes.exists() and len(notes.read_text().split()) == 2)
        workers = [int(line) for line in notes.read_text().split()]
        assert all(map(runs, workers))
    finally:
        parent.kill()
        parent.wait()
    wait_until(lambda: not any(map(runs, workers)))


def test_a_worker_for_each_core_keeps_to_a_core_of_its_own(
    tmp_path: Path, write_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cores: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    if cores is None or len(cores(0)) < 2:
        pytest.skip("there is one core, or the system does not say")
    before, jobs = set(children()), len(cores(0))
    with closing(Pool(jobs)) as pool:
        play_each(pool, works_of(tmp_path, blocks=2 * jobs))
        kept = [cores(worker) for worker in set(children()) - before]
    assert sorted(map(len, kept)) == [1] * jobs
    assert set.union(*kept) == cores(0)
