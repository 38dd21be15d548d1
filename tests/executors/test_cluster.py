"""On the machines of a Dask cluster matches are what they are anywhere, whatever becomes of the machines."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest

from arena import __version__
from arena.code_digest import PLAYING, code_digests, of_parts
from arena.commands.compare.comparison import ComparisonOptions, ComparisonQuestion, set_up_comparison
from arena.commands.compare.paired_run import PairedRun
from arena.errors import ArenaError, UserError
from arena.executors import retry
from arena.executors.dask import cluster as cluster_module
from arena.executors.dask.cluster import MOST_BATCH_MATCHES, Cluster
from arena.executors.dask.cluster_connection import mismatch_text, version_differs
from arena.executors.dask.cluster_task import greet_machine
from arena.executors.dask.cluster_worker import IDLE_SECONDS
from arena.executors.executor import play_all, play_each
from arena.executors.serial import Serial
from arena.match.work import Work, WorkResult
from arena.sandbox.demand import Demand
from arena.sandbox.probe import Level
from arena.storage.store import MemoryStore

from .conftest import LaunchThere, Stations
from .fixtures import by_culprit, children, faults_of_culprit, runs, serially, wait_until, works_of
from .machines import Machines
from .warm_machines import OTHER_VERSION

pytestmark = pytest.mark.slow

HELPFUL = "from help import wait\ndef turn(self, view): return self.wait() or self.choose(view)"
LATER = 'def turn(self, view): return Reply(self.play_on(view), say="late" if view.turn >= {turn} else "")'
HELP = "import time\n\ndef wait(bot):\n    time.sleep(0.01)\n"
SLOW = "def turn(self, view): return time.sleep(0.1 * ('ARENA_HOST' in os.environ)) or self.choose(view)"
"""Slow on machines of a cluster alone."""
OTHER = {OTHER_VERSION: "0.0.1"}
"""The environment of a machine with another version of arena."""
HANGS = """
def turn(self, view):
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    time.sleep(600)
"""


@pytest.fixture
def told() -> list[str]:
    """What is said of machines."""
    return []


@pytest.fixture(scope="module")
def cluster(shared_machines: Machines) -> Iterator[Cluster]:
    """An executor for all tests that do it no harm."""
    with closing(Cluster(shared_machines.address, 1)) as made:
        yield made


def played(results: Any) -> dict[str, WorkResult]:
    """The results by match, each of which came once."""
    found: dict[str, WorkResult] = {}
    for done in results:
        assert isinstance(done, WorkResult)
        assert done.record.id not in found
        found[done.record.id] = done
    return found


def same(found: dict[str, WorkResult], works: list[Work]) -> bool:
    """Whether these are all results of the works, as they are in this process; no bot has any fault."""
    assert all(not seat.faults for done in found.values() for seat in done.record.seats)
    here = {done.record.id: (done.record, done.replay) for done in serially(works)}
    return {id: (done.record, done.replay) for id, done in found.items()} == here


def some_of(found: dict[str, WorkResult], works: list[Work]) -> tuple[dict[str, WorkResult], list[Work]]:
    """A few of many results, with their works."""
    chosen = [work for work in works if work.spec.id in found][:: max(1, len(found) // 12)]
    return {work.spec.id: found[work.spec.id] for work in chosen}, chosen


def test_what_crashing_and_hanging_bots_do_harms_no_worker(
    shared_machines: Machines, cluster: Cluster, tmp_path: Path, write_bot: Any
) -> None:
    workers = [process.pid for process in shared_machines.workers.values()]
    crash = write_bot("def turn(self, view): os.kill(os.getpid(), signal.SIGKILL)", "crash")
    works = works_of(tmp_path, crash)
    alone = [work for work in works if all(seat.entrant != "culprit" for seat in work.spec.seats)]
    assert faults_of_culprit(cluster, [works[0], *alone]) == [{"dead": 1}]
    hang = write_bot(HANGS, "hang")
    works = works_of(tmp_path, hang, ask=0.3, start=5)[:1]
    for done in play_each(cluster, works):
        assert [seat.faults for seat in done.record.seats if seat.entrant == "culprit"] == [{"late": 1}]
    assert all(runs(worker) for worker in workers)


def test_bots_that_are_isolated_play_the_same_matches_there(cluster: Cluster, tmp_path: Path, write_bot: Any) -> None:
    (tmp_path / "help.py").write_text(HELP)
    works = works_of(tmp_path, write_bot(HELPFUL), isolation="process")
    assert same(played(play_all(cluster, works)), works)


def test_a_bot_travels_with_its_files_though_they_are_gone_here(
    cluster: Cluster, tmp_path: Path, write_bot: Any
) -> None:
    (tmp_path / "help.py").write_text(HELP)
    bot = write_bot(HELPFUL)
    works = works_of(tmp_path, bot)
    expected = serially(works)
    bot.unlink()
    (tmp_path / "help.py").unlink()
    assert [done.replay for done in play_each(cluster, works)] == [done.replay for done in expected]
    assert all(not seat.faults for done in expected for seat in done.record.seats)


def test_two_versions_are_compared_there_as_here_and_only_where_they_differ(
    shared_machines: Machines, write_bot: Any
) -> None:
    # here in this process, there each bot in one of its own
    old, new = (write_bot(LATER.format(turn=turn), f"v{turn}") for turn in (4, 99))
    wanted = ComparisonOptions(
        new=str(new), old=str(old), field=("greedy", "silent"), settings=("max_turns=6",), replays="all", trust=True
    )
    plan, asked = set_up_comparison(wanted, ComparisonQuestion(new="", old="", most=1), "7")
    told = []
    with closing(Serial()) as here, closing(Cluster(shared_machines.address, 1)) as there:
        for executor in (here, there):
            store = MemoryStore()
            found = PairedRun(plan, asked, store, executor, lambda run: None).start("test")
            replays = {record.id: store.replay(record.id) for record in store.records()}
            told.append((found.blocks, found.savings, found.eager, replays))
    assert told[0] == told[1]
    savings = told[0][1]
    assert savings is not None
    assert savings.pairs == 3
    assert savings.whole == {}
    assert 0 < savings.before < savings.asks
    assert len(told[0][3]) == 6


def test_machines_that_join_late_play_too_but_for_those_with_another_version_which_are_refused_by_name(
    machines: Machines, tmp_path: Path, write_bot: Any, told: list[str]
) -> None:
    works, _ = by_culprit(works_of(tmp_path, write_bot(SLOW), blocks=50))
    hosts: set[str] = set()

    def until_both_have_played() -> Iterator[Work]:
        for work in works:
            if hosts == {"first", "second"} and any("is refused" in line for line in told):
                return
            yield work

    with closing(Cluster(machines.address, 1, told.append)) as cluster:
        assert told == [f"no worker is at {machines.address}; waiting for some"]
        machines.join("first")
        found = []
        for done in play_all(cluster, until_both_have_played()):
            assert isinstance(done, WorkResult)
            found.append(done)
            hosts.add(done.timing.host)
            if len(found) == 1:
                machines.join("old", **OTHER)
                machines.join("second")
    (refused,) = (line for line in told if "is refused" in line)
    assert "on old has arena 0.0.1" in refused
    assert hosts == {"first", "second"}
    assert same(*some_of(played(found), works[: len(found)]))


def test_another_version_of_arena_stops_a_run_before_it_begins(machines: Machines) -> None:
    machines.join("old", **OTHER)
    machines.await_workers(1)
    with pytest.raises(UserError) as raised:
        Cluster(machines.address, 1)
    assert re.fullmatch(
        r"the worker tcp://127\.0\.0\.1:\d+ on old has arena 0\.0\.1 \(Python 3\.\d+\.\d+\), "
        rf"here it is {re.escape(__version__)}; install the same version",
        str(raised.value),
    )


def test_other_code_of_a_machine_matters_where_it_plays_and_other_statistics_do_not(machines: Machines) -> None:
    host, version, python, here = greet_machine()
    for source, differ in (("match/referee.py", ["referee"]), ("tournament/measures/measures.py", [])):
        environment = machines.other_code(source)
        code = "import json; from arena.code_digest import code_digests; print(json.dumps(code_digests()))"
        command, env = [sys.executable, "-c", code], {**os.environ, **environment}
        ran = subprocess.run(command, cwd=machines.folder, env=env, capture_output=True, check=True)
        digests = json.loads(ran.stdout)
        assert digests != code_digests()
        there = of_parts(digests, PLAYING)
        assert [part for part in here if there[part] != here[part]] == differ
        assert version_differs((host, version, python, there)) == bool(differ)
    other = {**here, "referee": "another"}
    assert mismatch_text("here", (host, version, python, other)) == (
        f"the worker here on {host} has other code of arena {version} (referee), on which matches depend; "
        "install the same"
    )


def test_a_machine_that_does_not_tell_its_code_is_another() -> None:
    host, version, python, code = greet_machine()
    assert not version_differs((host, version, python, code))
    assert version_differs((host, version, python))
    other = f"other code of arena {version} (it does not say which)"
    problem = f"the worker here on {host} has {other}, on which matches depend; install the same"
    assert mismatch_text("here", (host, version, python)) == problem


def test_machines_that_do_not_isolate_as_demanded_are_named(
    shared_machines: Machines, tmp_path: Path, told: list[str]
) -> None:
    from .test_contract import HERE

    other = next(level for level in Level if level not in (Level.NONE, HERE))
    works = [msgspec.structs.replace(work, demand=Demand(level=other)) for work in works_of(tmp_path)]
    with (
        closing(Cluster(shared_machines.address, 1, told.append)) as cluster,
        pytest.raises(ArenaError, match=r"no worker is left that can play: calm \(tcp.*\): this run plays"),
    ):
        list(play_all(cluster, works))
    assert re.match(r"calm \(tcp://127.0.0.1:\d+\) is refused: this run plays its bots at isolation level", told[-1])


def test_batches_grow_to_about_a_second_and_no_further_than_their_most(
    shared_machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = works_of(tmp_path, "silent", blocks=3)
    taken = given = furthest = 0

    def source() -> Iterator[Work]:
        nonlocal taken
        for work in works:
            taken += 1
            yield work

    with closing(Cluster(shared_machines.address, 1)) as cluster:
        most = 3 * 2 * cluster.jobs
        for number in (2, MOST_BATCH_MATCHES):
            monkeypatch.setattr(cluster_module, "MOST_BATCH_MATCHES", number)
            taken = given = furthest = 0
            for _ in play_all(cluster, source()):
                given += 1
                furthest = max(furthest, taken - given)
            assert given == len(works) > most
            assert (furthest <= most) == (number == 2)


def test_a_station_that_is_killed_is_begun_anew(
    shared_machines: Machines, cluster: Cluster, tmp_path: Path, write_bot: Any
) -> None:
    works = works_of(tmp_path, write_bot(SLOW), blocks=2)
    found, killed = {}, 0
    for done in play_all(cluster, works):
        assert isinstance(done, WorkResult)
        found[done.record.id] = done
        if len(found) >= 2 + 4 * killed and killed < 2:  # there is none while the next one begins
            for station in shared_machines.stations("calm"):
                os.kill(station, signal.SIGKILL)
                killed += 1
    assert killed
    assert len(found) == len(works)
    assert same(found, works)


def test_a_match_whose_station_always_ends_is_left_out_and_all_others_are_played(
    cluster: Cluster, tmp_path: Path, write_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # it kills the parent of its worker, which is the station
    bot = write_bot("def turn(self, view): os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)")
    works = works_of(tmp_path, bot)
    works = [work for work in works if all(seat.entrant != "culprit" for seat in work.spec.seats)] + works[:1]
    monkeypatch.setattr(retry, "MOST_LOST", 3)
    *others, unplayed = sorted(
        play_all(cluster, works), key=lambda result: isinstance(result, WorkResult), reverse=True
    )
    assert len(others) == 2
    assert not isinstance(unplayed, WorkResult)
    assert unplayed.id == works[-1].spec.id
    assert re.fullmatch(r"tried 3 times, the last time: the station on calm ended .*", unplayed.reason)


def test_nothing_plays_on_when_a_run_is_closed_in_the_middle(
    shared_machines: Machines, stations: Stations, tmp_path: Path, write_bot: Any
) -> None:
    works = works_of(tmp_path, write_bot("def turn(self, view): time.sleep(30)"), ask=1000)
    with closing(Cluster(shared_machines.address, 1)) as cluster:
        for work in works:
            cluster.submit(work)
        cluster._look()
        cluster._hand_out()
        wait_until(lambda: [child for station in stations() for child in children(station)])
    wait_until(lambda: not stations())


def test_nothing_plays_on_when_the_process_of_a_run_is_killed(
    shared_machines: Machines, stations: Stations, tmp_path: Path, write_bot: Any, launch_there: LaunchThere
) -> None:
    now = tmp_path / "now"
    body = f"def turn(self, view): return time.sleep(30 * os.path.exists({str(now)!r})) or self.choose(view)"
    works_of(tmp_path, write_bot(body), ask=1000)
    now.touch()
    run = launch_there("run", "tournament.yaml", "--scheduler", shared_machines.address, "-o", "out")
    wait_until(lambda: [child for station in stations() for child in children(station)])
    os.killpg(run.pid, signal.SIGKILL)
    wait_until(lambda: not stations())


def test_stations_of_a_killed_run_end_at_once_also_when_its_matches_are_short(
    shared_machines: Machines, stations: Stations, tmp_path: Path, launch_there: LaunchThere
) -> None:
    works_of(tmp_path, blocks=30)
    run = launch_there("run", "tournament.yaml", "--scheduler", shared_machines.address, "-o", "out")
    matches = tmp_path / "out" / "matches.jsonl"
    wait_until(lambda: matches.exists() and matches.read_bytes().count(b"\n") > 4)
    assert stations()
    os.killpg(run.pid, signal.SIGKILL)
    killed = monotonic()
    wait_until(lambda: not stations())
    assert monotonic() - killed < IDLE_SECONDS / 3  # seconds on a machine that does nothing else
