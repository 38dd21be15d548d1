"""Bots' processes are fresh in every match: what they have of the system, and that nothing of a match is left."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.clock import SYSTEM_CLOCK
from arena.finding.reference import BotRef, find_file, refer_file
from arena.isolation.worker import fork_server
from arena.isolation.worker.bot_pipe import BotPipe
from arena.isolation.worker.fork_server import ForkServer, ForkServers
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import policy_here
from tests import conftest
from tests.conftest import spec_of

POLICY = policy_here(SandboxPolicy())
LOCKED = {Layer.LANDLOCK, Layer.SECCOMP} <= set(POLICY.layers)
SERVERS = ForkServers()
play = partial(conftest.play, servers=SERVERS)


@pytest.fixture(scope="module", autouse=True)
def servers() -> Iterator[None]:
    yield
    SERVERS.close()


def notes(*refs: BotRef, **more: Any) -> list[tuple[int, list[str]]]:
    """Seats and the words of what bots noted."""
    lines = map(msgspec.json.decode, play(spec_of(refs, **more), refs, policy=POLICY).replay.splitlines())
    return [(line["seat"], line["note"].split()) for line in lines if line.get("note")]


WHO = """
def turn(self, view):
    import os, random
    words = os.getpid(), os.getppid(), os.getsid(0), os.getpgrp(), random.random(), id(self)
    return Reply(self.play_on(view), note=" ".join(map(str, words)))
"""


def test_every_bot_and_match_has_a_fresh_process_of_the_fork_server_in_a_session_of_its_own(write_bot: Any) -> None:
    bot = refer_file(str(write_bot(WHO)), None)
    firsts = set[str]()
    for number in range(4):
        seen = {tuple(words) for _, words in notes(bot, find_file("silent"), bot, seed=f"{number}")}
        assert len({process for process, *_ in seen}) == 2
        assert len({parent for _, parent, *_ in seen}) == 1
        assert all(process == session == group for process, _, session, group, *_ in seen)
        firsts |= {drawn for *_, drawn, _ in seen}
    assert len(firsts) == 4 * len(seen)


COUNTS = """
def turn(self, view):
    import os, threading
    for _ in range(100):
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
    return Reply(self.play_on(view), note=f"{os.getpid()} {os.getppid()}")
"""


@pytest.mark.skipif(not POLICY.around, reason="this system has no bubblewrap")
def test_pids_tell_nothing_of_how_many_threads_a_match_before_had(write_bot: Any) -> None:
    bot = refer_file(str(write_bot(COUNTS)), None)
    found = {tuple(words) for _ in range(3) for _, words in notes(bot, find_file("silent"), bot)}
    assert found == {("2", "0"), ("4", "0")}


OPEN = """
def turn(self, view):
    import os
    found = []
    for each in range(1024):
        try:
            os.fstat(each)
            found.append(str(each))
        except OSError:
            pass
    return Reply(self.play_on(view), note=" ".join(found))
"""


def test_a_bot_has_its_pipes_and_nothing_else_open(write_bot: Any) -> None:
    bot = refer_file(str(write_bot(OPEN)), None)
    for _ in range(2):
        assert {tuple(words) for _, words in notes(bot, find_file("silent"), bot)} == {("0", "1", "2", "3", "4")}


FLAGS = """
def turn(self, view):
    import fcntl
    flags = [fcntl.fcntl(each, fcntl.F_GETFL) for each in range(5)]
    for each in range(5):
        fcntl.fcntl(each, fcntl.F_SETFL, flags[each] | 0o2000)  # to be written at the end
    self.found = getattr(self, "found", flags)
    return Reply(self.play_on(view), note=" ".join(map(str, self.found)))
"""


def test_no_flag_of_a_descriptor_outlasts_a_match(write_bot: Any) -> None:
    bot = refer_file(str(write_bot(FLAGS)), None)
    assert len({tuple(words) for _ in range(3) for _, words in notes(bot, find_file("silent"), bot)}) == 1


LEFT = """
from arena.games import board
found = getattr(board, "left", 0)
board.left = 1

class Left(BoardBot):
    def turn(self, view): return Reply(Roll() if not view.rolled else Draw(), note=f"{found}")
    def place_marker(self, view): return PlaceMarker(0)
"""


def test_nothing_that_a_bot_leaves_behind_is_there_in_the_next_match(tmp_path: Path) -> None:
    file = tmp_path / "left.py"
    file.write_text("from arena.bot import *\nfrom arena.games.board import *\n" + LEFT)
    bot = refer_file(str(file), None)
    for number in range(3):
        assert {words[0] for _, words in notes(bot, find_file("silent"), bot, seed=f"{number}")} == {"0"}


THREAD = """
def turn(self, view):
    import signal, threading, time
    main, found = threading.main_thread().ident, []
    thread = threading.Thread(target=lambda: found.append(signal.pthread_kill(main, 0)))
    thread.start()
    thread.join()
    time.clock_gettime(time.pthread_getcpuclockid(main))
    time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)
    try:
        time.clock_gettime(~(os.getppid() or 1) << 3 | 2)  # inside of bubblewrap the first of the match
        found.append("parent")
    except PermissionError:
        pass
    return Reply(self.play_on(view), note=" ".join(map(str, found)))
"""


@pytest.mark.skipif(not LOCKED, reason="this system cannot lock processes in")
def test_threads_know_each_other_and_nobody_knows_how_long_others_compute(write_bot: Any) -> None:
    bot = refer_file(str(write_bot(THREAD.replace("import signal", "import os, signal"))), None)
    for _ in range(3):
        assert {tuple(words) for _, words in notes(bot, find_file("silent"), bot)} == {("None",)}


def test_a_fork_server_warms_up_for_a_game_and_for_rules_that_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fork_server, "start_server", lambda *_: subprocess.Popen(["true"]))
    orders = list[bytes]()
    monkeypatch.setattr(ForkServer, "_ask", lambda _, order: orders.append(order))
    server, counts = ForkServer(POLICY), list[int]()
    for game, rules in (("board", 1), ("board", 2), ("board", 3), ("board", 2), ("board", 1), ("cards", 1)):
        server.warm_up(game, rules, 4)
        counts.append(len(orders))
    server.close()
    assert counts == [1, 1, 1, 2, 2, 3]


@pytest.mark.skipif(Layer.LIMITS not in POLICY.layers, reason="this system cannot limit processes")
def test_if_memory_runs_out_bots_are_killed_first_and_their_fork_server_is_not() -> None:
    server, pipe = SERVERS.server_for(POLICY), BotPipe(SYSTEM_CLOCK)
    pids = server.spawn([pipe.bots_ends])
    scores = [Path(f"/proc/{pid}/oom_score_adj").read_text() for pid in (server.local_pid(pids[0]), server.pid, "self")]
    server.end(pids)
    pipe.close()
    assert scores == ["1000\n", scores[2], scores[2]]


FORKS = """
import arena.isolation.server.thread_hook as hook
import os, threading
went = threading.Event()
def in_child(several):
    if several:
        hook.forget_threads()
    thread = threading.Thread(target=went.set)
    thread.start()
    thread.join()
    found = went.is_set(), threading.active_count(), threading.current_thread() is threading.main_thread()
    os._exit(0 if found == (True, 1, True) else 1)
def forked():
    several = hook.has_threads()
    child = os.fork()
    if child == 0:
        in_child(several)
    return several, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
alone = forked()
end = threading.Event()
threading.Thread(target=end.wait).start()
beside = forked()
end.set()
print(alone, beside)
"""


def test_a_process_has_threads_of_its_own_whatever_threads_the_fork_server_has() -> None:
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKS], capture_output=True, text=True, check=True)
    assert said.stdout == "(False, 0) (True, 0)\n"
