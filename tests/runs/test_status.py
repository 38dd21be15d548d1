"""A run is seen from another process: how it stands, how far it is, what is wrong; nothing of it is changed."""

from __future__ import annotations

import errno
import json
import logging
import os
import signal
import socket
import time
from contextlib import closing
from pathlib import Path
from queue import Empty
from typing import Any

import pytest

from arena.executors.executor import UnplayedMatch
from arena.runs import play_run
from arena.runs.run_status import RunStanding, WatchedRun
from arena.storage.files.append_file import AppendFile
from arena.storage.folder_lock import FolderLock
from arena.storage.logs.job_log import RecordPipe
from arena.storage.run_folder import FolderStore
from tests.executors.fixtures import wait_until

TOURNAMENT = """
name: tiny
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, ./slow.py, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 5}}]
seats: 2
blocks: 2
tables: all
isolation: none
"""
MATCHES = 2 * 3 * 2
SLOW = """
def turn(self, view):
    time.sleep(float(os.environ.get("TEST_SLOWNESS", 0)))
    if os.environ.get("TEST_FAULTS"):
        raise ValueError
    return self.play_on(view)
"""


@pytest.fixture
def out(tmp_path: Path, write_bot: Any) -> Path:
    write_bot(SLOW, "slow")
    (tmp_path / "tiny.yaml").write_text(TOURNAMENT)
    return tmp_path / "out"


@pytest.fixture
def running(out: Path, launch: Any) -> Any:
    """A run that has finished some matches, and goes on slowly."""
    run = launch("run", "tiny.yaml", "-o", "out", "-j", 2, "-q", TEST_SLOWNESS="0.2")
    wait_until(lambda: (out / "matches.jsonl").is_file() and lines(out) >= 2)
    return run


def lines(out: Path) -> int:
    return (out / "matches.jsonl").read_bytes().count(b"\n")


def as_json(arena: Any, *more: str) -> Any:
    ran = arena("status", "out", "--json", *more)
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


@pytest.mark.slow
def test_a_run_that_is_played_is_seen_running_and_is_not_disturbed(arena: Any, out: Path, running: Any) -> None:
    seen = as_json(arena)
    assert (seen["state"], seen["process"], seen["tournament"]) == ("running", running.pid, "tiny")
    assert 2 <= seen["finished"] <= lines(out) < MATCHES == seen["matches"]
    assert seen["rate"] > 0
    assert seen["left"] > 0
    text = arena("status", "out").out
    assert text.startswith(f"run       tiny in out: running in process {running.pid} on ")
    assert f" of {MATCHES} (" in text
    assert " a second, about " in text
    assert "resume" not in text
    assert running.poll() is None
    os.kill(running.pid, signal.SIGINT)
    running.communicate(timeout=60)
    assert "in out: stopped (by Ctrl-C), " in arena("status", "out").out
    assert as_json(arena)["why"] == "by Ctrl-C"


@pytest.mark.slow
def test_a_killed_run_is_told_from_one_that_was_stopped_and_its_table_says_what_it_is_of(
    arena: Any, out: Path, running: Any
) -> None:
    running.kill()
    running.communicate()
    seen = as_json(arena)
    assert (seen["state"], seen["process"], seen["left"]) == ("killed", None, None)
    assert seen["why"] == f"process {running.pid} on {socket.gethostname()} ended without a message"
    check_table(arena, lines(out))
    told = arena("status", "out").out.splitlines()[-1]
    assert told == "resume    arena run --resume out --trust"
    ran = arena(*told.split()[2:], "-q", "-j", 1, "--time-limit", "1h")
    assert ran.code == 0
    assert as_json(arena)["state"] == "complete"


def check_table(arena: Any, finished: int) -> None:
    """What the table says of a run with so many finished matches."""
    text = arena("status", "out", "--table").out
    assert f"\nprovisional, after {finished} of {MATCHES} matches: eagle-gryphon+set-" in text
    assert "-2p block" in text
    assert "mean money" in text
    assert max(map(len, text.splitlines())) <= 100
    data = as_json(arena, "--table")["provisional"]
    assert sum(each["matches"] for each in data.values()) == finished


@pytest.mark.slow
def test_a_stopped_run_says_why(arena: Any, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_SLOWNESS", "0.1")
    assert arena("run", "tiny.yaml", "-o", "out", "-q", "-j", 1, "--time-limit", "0.5s").code == 124
    seen = as_json(arena)
    assert (seen["state"], seen["why"]) == ("stopped", "the time limit of 0.5s is reached")
    assert "stopped (the time limit" in arena("status", "out").out


def test_a_run_that_a_full_disk_has_ended_says_where(arena: Any, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = AppendFile.add

    def full(self: AppendFile, content: bytes) -> None:
        if self.path.name == "0000.zst" and self.size > 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "out/replays/0000.zst")
        add(self, content)

    monkeypatch.setattr(AppendFile, "add", full)
    assert arena("run", "tiny.yaml", "-o", "out", "-q", "-j", 1).code == 1
    assert "in out: stopped (out/replays/0000.zst: No space left on device), " in arena("status", "out").out


def test_a_run_with_matches_that_could_not_be_played_says_so(
    arena: Any, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        play_run, "play_all", lambda executor, works, look: (UnplayedMatch(work.spec.id, "lost") for work in works)
    )
    assert arena("run", "tiny.yaml", "-o", "out", "-q", "-j", 1).code == 1
    assert f"in out: incomplete ({MATCHES} matches could not be played), " in arena("status", "out").out


def test_a_complete_run_tells_its_faults_and_what_the_log_has_of_them(
    arena: Any, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_FAULTS", "yes")
    assert arena("run", "tiny.yaml", "-o", "out", "-q").code == 0
    seen = as_json(arena)
    assert (seen["state"], seen["finished"], seen["matches"]) == ("complete", MATCHES, MATCHES)
    every = [seat for line in (out / "matches.jsonl").read_bytes().splitlines() for seat in json.loads(line)["seats"]]
    assert seen["faults"] == {"slow": {"broken": sum(seat["faults"].get("broken", 0) for seat in every)}}
    assert len(seen["log"]) == 5
    assert all(" WARNING " in line and "slow.py broke" in line for line in seen["log"])
    assert "faults    slow " in arena("status", "out").out


@pytest.mark.slow
def test_watching_ends_with_the_run(real_arena: Any, out: Path, launch: Any) -> None:
    run = launch("run", "tiny.yaml", "-o", "out", "-j", 2, "-q", TEST_SLOWNESS="0.03")
    wait_until(lambda: (out / "manifest.json").is_file())
    ran = real_arena("status", "out", "--watch", "--json")
    assert ran.code == 0
    seen = [json.loads(line) for line in ran.out.splitlines()]
    assert seen[-1]["state"] == "complete"
    assert all(each["state"] == "running" for each in seen[:-1])
    assert [each["finished"] for each in seen] == sorted(each["finished"] for each in seen)
    run.communicate(timeout=60)


def test_what_is_no_run_is_told_in_one_line(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert arena("status", "empty") == (2, "", "arena: empty holds no run: empty/manifest.json is missing\n")


def test_looking_counts_only_what_has_come_and_starts_again_when_the_file_is_new(arena: Any, out: Path) -> None:
    assert arena("run", "tiny.yaml", "-o", "out", "-q").code == 0
    path, whole = out / "matches.jsonl", (out / "matches.jsonl").read_bytes()
    every = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(every[:5]) + every[5][:40])
    watched = WatchedRun(out)
    assert watched.read_status().finished == 5
    with path.open("ab") as file:
        file.write(every[5][40:] + every[6])
    assert watched.read_status().finished == 7
    (out / "new").write_bytes(whole)
    (out / "new").replace(path)
    assert watched.read_status().finished == MATCHES
    path.unlink()
    assert watched.read_status().finished == 0


def test_a_look_at_the_lock_keeps_nobody_from_playing(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock, other = FolderLock(path), FolderLock(path)
    assert lock.holder() is None
    lock.take(tmp_path)
    assert other.holder() == os.getpid()
    lock.release()
    assert other.holder() is None
    import fcntl

    with path.open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        child = os.fork()
        if child == 0:
            time.sleep(0.05)
            os._exit(0)  # the look ends with its last holder
        fcntl.flock(looking, fcntl.LOCK_UN)
        os.waitpid(child, 0)
        lock.take(tmp_path)
        lock.release()


def test_a_million_matches_are_counted_in_a_moment(arena: Any, out: Path) -> None:
    assert arena("run", "tiny.yaml", "-o", "out", "-q").code == 0
    path = out / "matches.jsonl"
    path.write_bytes(path.read_bytes() * 4000)
    began = time.process_time()
    assert WatchedRun(out).read_status().finished == 4000 * MATCHES
    assert time.process_time() - began < 2.0, "some 20 ns a match, and a hundred times that allowed"


def test_the_log_names_the_match_and_the_worker_of_every_line(
    arena: Any, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_FAULTS", "yes")
    assert arena("run", "tiny.yaml", "-o", "out", "-q", "-j", 2).code == 0
    log = (out / "logs" / "run.log").read_text().splitlines()
    ids = {record.id for record in FolderStore(out).records()}
    broke = [line.split(" ") for line in log if "slow.py broke" in line]
    assert len(broke) >= 8
    for words in broke:
        assert words[2] in ("worker-0", "worker-1")
        assert words[3] in ids
        assert words[4] == "WARNING"
    assert log[0].split(" ")[2:5] == ["MainProcess", "-", "INFO"]


def test_the_log_rotates(arena: Any, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.storage.logs.job_log.LOG_FILE_BYTES", 2000)
    monkeypatch.setenv("TEST_FAULTS", "yes")
    assert arena("run", "tiny.yaml", "-o", "out", "-q").code == 0
    names = {path.name for path in (out / "logs").glob("run.log*")}
    assert names == {"run.log", "run.log.1", "run.log.2", "run.log.3"}
    assert (out / "logs" / "run.log").stat().st_size <= 4000


def test_nobody_waits_for_more_records_of_a_log_that_ends() -> None:
    with closing(RecordPipe()) as pipe:
        pipe.put_nowait(logging.makeLogRecord({"msg": "last"}))
        pipe.end()
        assert pipe.get(timeout=600).msg == "last"
        for _ in range(2):
            with pytest.raises(Empty):
                pipe.get(timeout=600)
        assert pipe.qsize() == 0


def test_every_state_of_a_manifest_has_one_here() -> None:
    from arena.storage.run_facts.facts import RunState

    assert {state.value for state in RunState} | {"killed"} == {each.value for each in RunStanding}
