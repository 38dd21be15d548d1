"""A pool plays on whatever a bot does to its worker, gives results in order, and leaves nothing running."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.app.plan import make_plan
from arena.errors import ArenaError
from arena.executors import pool as pools
from arena.executors.executor import Serial
from arena.executors.pool import Pool
from arena.match.work import Done, Work
from arena.replay.verify import verify

DEATHS = {
    "leaving with exit code 0": ("os._exit(0)", "dead"),
    "leaving with exit code 3": ("os._exit(3)", "dead"),
    "a crash in C": ("import ctypes, faulthandler; faulthandler.disable(); ctypes.string_at(0)", "dead"),
    "killing itself": ("os.kill(os.getpid(), signal.SIGKILL)", "dead"),
    "a loop in C": ("sum(range(10**12))", "late"),
    "a huge number": ("9**9**9", "late"),
    "a pathological regular expression": ("import re; re.match('(a*)*b', 'a' * 60)", "late"),
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
TOURNAMENT = """
name: test
seed: 1
entrants:
  - {{bot: {bot}, name: culprit}}
  - silent
  - random-legal
editions: [{{rules: eagle-gryphon, set: {{max_turns: 6}}}}]
seats: 2
isolation: none
blocks: {blocks}
limits: {{start: 5, ask: {ask}, bank: 0}}
"""


def works_of(tmp_path: Path, bot: Path | str, blocks: int = 1, ask: float = 0.2) -> list[Work]:
    config = tmp_path / "tournament.yaml"
    config.write_text(TOURNAMENT.format(bot=bot, blocks=blocks, ask=ask))
    return list(make_plan(config).works(str(tmp_path)))


def play(works: list[Work], jobs: int = 2) -> list[Done]:
    pool = Pool(jobs)
    try:
        return list(pool.run(works))
    finally:
        assert pool.close() == []
        assert not multiprocessing.active_children()


@pytest.mark.parametrize("what", DEATHS)
def test_a_bot_that_takes_its_worker_down_has_a_fault_and_all_others_their_results(
    what: str, tmp_path: Path, write_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "GRACE", 0.2)
    monkeypatch.setattr(pools, "LOOK", 0.05)
    code, kind = DEATHS[what]
    body = f"def turn(self, view):\n    if view.turn > 2:\n        {code}\n    return self.play_on(view)\n"
    bot = write_bot(body + SLEEPER)
    works = works_of(tmp_path, bot)
    done = play(works)
    assert [each.record.id for each in done] == [work.spec.id for work in works]
    alone = [work for work in works if all(seat.entrant != "culprit" for seat in work.spec.seats)]
    assert len(alone) == 2
    undisturbed = {each.record.id: each.record for each in Serial().run(alone)}
    for each in done:
        verify((tmp_path / each.record.replay).read_bytes())
        if each.record.id in undisturbed:
            assert each.record == undisturbed[each.record.id]
            continue
        for seat in each.record.seats:
            assert list(seat.faults) == ([kind] if seat.entrant == "culprit" else [])
            assert seat.ended == ("struck-out" if seat.entrant == "culprit" else "played")


@pytest.mark.parametrize("hook", ["start", "finish", "__init__", "__del__"])
def test_a_bot_may_take_its_worker_down_at_any_time(
    hook: str, tmp_path: Path, write_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "LOOK", 0.05)
    # where runs are prepared it behaves: it is loaded once to see that it can be
    bot = write_bot(f"def {hook}(self, *told): os.path.exists({str(tmp_path / 'now')!r}) and os._exit(0)")
    works = works_of(tmp_path, bot)
    (tmp_path / "now").touch()
    done = play(works)
    assert len(done) == len(works)
    faults = {str(seat.faults) for each in done for seat in each.record.seats if seat.entrant == "culprit"}
    assert faults == {"{}" if hook == "finish" else "{'dead': 1}"}
    assert all(not seat.faults for each in done for seat in each.record.seats if seat.entrant != "culprit")


def test_what_a_bot_has_started_ends_with_its_worker(tmp_path: Path, write_bot: Any) -> None:
    bot = write_bot(
        f"""
        def turn(self, view):
            child = subprocess.Popen(["sleep", "600"])
            with open({str(tmp_path / "children")!r}, "a") as file:
                print(child.pid, file=file)
            os._exit(1)
        """
    )
    play(works_of(tmp_path, bot))
    children = [int(line) for line in (tmp_path / "children").read_text().split()]
    assert len(children) == 4
    deadline = time.monotonic() + 5
    while any(runs(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(runs(child) for child in children)


def runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def test_results_come_in_the_order_of_the_work_and_are_those_of_a_serial_run(tmp_path: Path) -> None:
    works = works_of(tmp_path, "greedy", blocks=4, ask=10)
    expected = [each.record for each in Serial().run(works)]
    assert [each.record for each in play(works, jobs=1)] == expected
    assert [each.record for each in play(works, jobs=3)] == expected


def test_work_is_taken_only_as_room_comes_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOST", 2)
    works = works_of(tmp_path, "silent", blocks=20)
    taken = given = furthest = 0

    def source() -> Iterator[Work]:
        nonlocal taken
        for work in works:
            taken += 1
            yield work

    pool = Pool(1)
    try:
        for _ in pool.run(source()):
            given += 1
            furthest = max(furthest, taken - given)
    finally:
        pool.close()
    assert given == len(works) == 120
    assert furthest <= 2 * pool.window * 2


def test_closing_in_the_middle_gives_what_is_finished_and_leaves_nothing_running(tmp_path: Path) -> None:
    works = works_of(tmp_path, "random-legal", blocks=10)
    pool = Pool(2)
    run = pool.run(works)
    given = [next(run).record.id for _ in range(5)]
    rest = [done.record.id for done in pool.close()]
    ids = [work.spec.id for work in works]
    assert given == ids[:5]
    assert not set(rest) & set(given)
    assert rest == sorted(rest, key=ids.index)
    assert not multiprocessing.active_children()


def test_a_failure_of_our_own_stops_the_run_with_a_message(tmp_path: Path) -> None:
    works = works_of(tmp_path, "silent")
    (tmp_path / "replays").write_text("no folder")
    pool = Pool(1)
    with pytest.raises(ArenaError, match="a worker failed: match eagle-gryphon"):
        list(pool.run(works))
    pool.close()


def test_what_bots_print_never_reaches_standard_output(
    tmp_path: Path, write_bot: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    body = "def turn(self, view):\n    print('PRINTED'); sys.stdout.writelines(['PRINTED']); os.write(1, b'PRINTED')\n"
    body += "    return self.play_on(view)"
    done = play(works_of(tmp_path, write_bot(body)))
    assert all(not seat.faults for each in done for seat in each.record.seats)
    assert "PRINTED" not in capfd.readouterr().out


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
    (tmp_path / "t.yaml").write_text(TOURNAMENT.format(bot=bot, blocks=2, ask=60))
    code = f"""
import pathlib
from arena.app.plan import make_plan
from arena.executors.pool import Pool
list(Pool(2).run(make_plan(pathlib.Path({str(tmp_path / "t.yaml")!r})).works("")))
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


def wait_until(holds: Any, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
