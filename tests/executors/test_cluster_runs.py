"""A tournament on a Dask cluster gives the files that it gives anywhere, can be resumed, and says who played what."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.executors.dask import cluster_connection as connection
from arena.storage.run_folder import FolderStore
from tests.conftest import Arena

from .conftest import LaunchThere, Stations
from .fixtures import wait_until
from .machines import Machines

pytestmark = pytest.mark.slow

TOURNAMENT = """
name: wide
seed: 5f1c8e0b7a94d236
entrants: [greedy, silent, ./player.py]
editions: [{rules: eagle-gryphon, changes: {max_turns: 6}}]
seats: 2
blocks: 2
isolation: none
"""
SLOW = "def turn(self, view): return time.sleep(0.1 * os.path.exists({now!r})) or self.choose(view)"
FILES = "matches.jsonl", "standings.json", "standings.csv", "standings.md", "crosstable.csv", "seats.csv"


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """As long as this file is there, the matches of :func:`wide` are slow."""
    (tmp_path / "now").touch()
    return tmp_path / "now"


@pytest.fixture
def wide(tmp_path: Path, write_bot: Any) -> Path:
    """A tournament of short matches."""
    write_bot(SLOW.format(now=str(tmp_path / "now")))
    path = tmp_path / "wide.yaml"
    path.write_text(TOURNAMENT)
    return path


def contents(folder: Path) -> dict[str, bytes | None]:
    """All of a run's results, replays by match."""
    store = FolderStore(folder)
    found: dict[str, bytes | None] = {record.id: store.replay(record.id) for record in store.records()}
    return found | {name: (folder / name).read_bytes() for name in FILES}


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def when(holds: Callable[[], object], act: Callable[[], object]) -> threading.Thread:
    """Act in the background as soon as this holds."""

    def watch() -> None:
        wait_until(holds)
        act()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def test_a_run_on_machines_that_are_killed_gives_the_files_of_one_here(
    machines: Machines, arena: Arena, wide: Path, slow: Path, tmp_path: Path
) -> None:  # slow, so that much is left to play when both have played
    for host in ("one", "two"):
        machines.join(host)
    machines.await_workers(2)
    played = []

    def kill_one() -> None:
        machines.kill("one")
        played.append(lines_of(tmp_path / "there" / "matches.jsonl"))

    killing = when(lambda: {b"one", b"two"} <= set(hosts_in(tmp_path / "there")), kill_one)
    ran = arena("run", wide, "--scheduler", machines.file, "-o", "there", "-q")
    killing.join()
    assert ran.code == 0, ran.err
    slow.unlink()
    assert arena("run", wide, "--executor", "serial", "-o", "here", "-q").code == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert played[0] < lines_of(tmp_path / "there" / "matches.jsonl") == 2 * 6
    assert f"Dask at {machines.file}" in ran.err
    assert re.search(r"^host +matches +void +s a match +faults\n.*\none  .*\ntwo  ", ran.out, re.MULTILINE)


def hosts_in(folder: Path) -> Sequence[bytes]:
    path = folder / "timings.jsonl"
    return re.findall(rb'"host":"(\w+)"', path.read_bytes()) if path.exists() else []


def test_a_run_whose_scheduler_is_killed_says_how_to_resume_it_and_loses_nothing(
    own_machines: Machines, arena: Arena, wide: Path, slow: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = own_machines
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 1.0)
    machines.join("one")
    # the first batch is one match, the second all others, if the first is slow: kill between the two
    killing = when(lambda: lines_of(tmp_path / "there" / "matches.jsonl") > 0, machines.scheduler.kill)
    ran = arena("run", wide, "--scheduler", machines.address, "-o", "there", "-q")
    killing.join()
    assert ran.code == 1
    assert ran.err.splitlines()[-1] == (
        f"arena: the Dask scheduler at {machines.address} has gone away, and is not back after 1 s; "
        f"resume with: arena run --resume there --trust --scheduler {machines.address}"
    )
    assert json.loads((tmp_path / "there" / "manifest.json").read_text())["state"] == "stopped"
    assert 0 < lines_of(tmp_path / "there" / "matches.jsonl") < 2 * 6
    slow.unlink()
    assert arena("run", wide, "-j", "1", "-o", "here", "-q").code == 0
    assert arena("run", "--trust", "--resume", "there", "--executor", "pool", "-j", "1", "-q").code == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.usefixtures("slow")
def test_ctrl_c_keeps_what_is_finished_and_leaves_nothing_running(
    shared_machines: Machines, stations: Stations, wide: Path, tmp_path: Path, launch_there: LaunchThere
) -> None:
    run = launch_there(
        "run", wide.name, "--set", "blocks=30", "--scheduler", shared_machines.address, "-o", "out", "-q"
    )
    wait_until(lambda: lines_of(tmp_path / "out" / "matches.jsonl") > 3)
    os.kill(run.pid, signal.SIGINT)
    _, errors = run.communicate()
    assert run.returncode == 130
    assert b"resume with: arena run --resume out --trust" in errors
    assert lines_of(tmp_path / "out" / "matches.jsonl") > 3
    wait_until(lambda: not stations())


def test_a_local_cluster_needs_no_scheduler_and_ctrl_c_in_a_terminal_is_for_the_run_alone(
    wide: Path, slow: Path, tmp_path: Path, arena: Arena, launch_there: LaunchThere
) -> None:
    run = launch_there("run", wide.name, "-q", "--executor", "dask", "-j", "1", "-o", "there")
    wait_until(lambda: lines_of(tmp_path / "there" / "matches.jsonl") > 0)
    os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate()
    assert run.returncode == 130
    kept, go_on = lines_of(tmp_path / "there" / "matches.jsonl"), "arena run --resume there --trust"
    assert errors.decode().splitlines() == [
        "12 matches of 3 entrants, seed 5f1c8e0b7a94d236, Dask, 1 process, isolation none, into there",
        "this machine: 1 worker on 1 host, 1 match at once",
        "faults: none",
        f"stopped: {kept} of 12 matches are finished and kept",
        f"resume with: {go_on}",
    ]
    slow.unlink()
    assert arena("run", wide, "-o", "here", "-q").code == 0
    assert arena(*go_on.split()[1:], "--executor", "pool", "-j", "1", "-q").code == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.usefixtures("slow")
def test_a_time_limit_ends_a_run_on_a_cluster_too(
    shared_machines: Machines, stations: Stations, arena: Arena, wide: Path, tmp_path: Path
) -> None:
    options = ("--set", "blocks=30", "--scheduler", shared_machines.address, "--time-limit", "1s", "-q")
    ran = arena("run", wide, *options, "-o", "out")
    assert ran.code != 0
    assert "resume with: arena run --resume out --trust" in ran.err
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["state"] == "stopped"
    wait_until(lambda: not stations())


def test_a_scheduler_that_is_not_there_is_said_in_one_line_and_nothing_is_written(
    arena: Arena, wide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    ran = arena("run", wide, "--scheduler", "tcp://127.0.0.1:1", "-o", "out", "-q")
    assert ran.code == 1
    assert re.fullmatch(r"arena: no Dask scheduler answers at tcp://127\.0\.0\.1:1: .+", ran.err.splitlines()[-1])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["nonsense://x", "tcp://host:port", "tls://127.0.0.1:1"])
def test_an_address_that_is_none_is_said_in_one_line(
    address: str, arena: Arena, wide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    ran = arena("run", wide, "--scheduler", address, "-o", "out", "-q")
    assert ran.code == 1
    assert ran.err.splitlines()[-1].startswith(f"arena: no Dask scheduler answers at {address}: ")


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"address": 5}'])
def test_a_scheduler_file_that_is_none_is_said_in_one_line(
    content: str | None, arena: Arena, wide: Path, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "where.json").write_text(content)
    ran = arena("run", wide, "--scheduler", "where.json", "-q")
    assert ran.code == 2
    assert re.fullmatch(
        r"arena: where.json is not a scheduler file: .+; dask scheduler --scheduler-file writes one",
        ran.err.splitlines()[-1],
    )


def test_a_scheduler_without_dask_and_jobs_with_a_scheduler_are_refused(arena: Arena, wide: Path) -> None:
    ran = arena("run", wide, "--executor", "pool", "--scheduler", "tcp://host:8786")
    assert (ran.code, ran.err.splitlines()[-1]) == (
        2,
        "Error: --scheduler is for --executor dask, got --executor pool",
    )
    ran = arena("run", wide, "-j", "2", "--scheduler", "tcp://host:8786")
    assert ran.code == 2
    assert "Error: --jobs is for this machine" in ran.err


def test_a_host_whose_bots_play_otherwise_is_named_with_the_decision(
    machines: Machines, arena: Arena, tmp_path: Path, write_bot: Any
) -> None:
    slow = "def turn(self, view):\n    time.sleep(0.1 * ('ARENA_HOST' in os.environ))\n"
    odd = f"{slow}    moves = sorted(self.legal_moves(view), key=repr)\n"
    write_bot(f"{odd}    return moves[-1 if os.environ.get('ARENA_HOST') == 'odd' else 0]")
    everywhere = "{bot: ./player.py, name: one}, {bot: ./player.py, name: two}, ./player.py"
    tournament = TOURNAMENT.replace("blocks: 2", "blocks: 1").replace("greedy, silent, ./player.py", everywhere)
    (tmp_path / "wide.yaml").write_text(tournament)
    machines.join("even")
    machines.join("odd")
    machines.await_workers(2)
    assert arena("run", "wide.yaml", "--scheduler", machines.address, "-o", "out", "-q").code == 0
    assert set(hosts_in(tmp_path / "out")) == {b"even", b"odd"}
    ran = arena("audit", "out", "--sample", "1", "--each", "2", "--no-write", "--trust", "-q")
    assert ran.code == 3
    assert re.search(r"^even +\d+ +(\d) +\1$", ran.out, re.MULTILINE)
    pattern = r"\(played on odd\):\s+DIFFERS\s+from[^;]+differently\n  then ask \d+: .*\n  now  ask \d+: "
    assert re.search(pattern, ran.out)
    assert "(played on even)" not in ran.out
    assert [host["host"] for host in json.loads(arena("standings", "out", "--hosts", "--json").out)["hosts"]] == [
        "even",
        "odd",
    ]
