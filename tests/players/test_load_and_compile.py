"""What bots' processes do besides playing: the load check, and compiling; and what the worker keeps of it."""

from __future__ import annotations

import os
import select
import socket
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import pytest

from arena.bot import Limits
from arena.errors import ArenaError
from arena.finding.reference import find_file, refer_file
from arena.isolation.wire.control import SPAWN_ORDER
from arena.isolation.worker.fork_server import ForkServer, ForkServers
from arena.isolation.worker.load_and_compile import check_load, compiled_code
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import policy_here
from tests.conftest import play, spec_of

POLICY = policy_here(SandboxPolicy())


@pytest.fixture
def server() -> Any:
    started = ForkServer(POLICY)
    yield started
    started.close()


def test_a_bots_file_is_compiled_once_and_nothing_of_it_is_executed(server: ForkServer, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("1 / 0")
    ref = refer_file(str(bot), None)
    code = compiled_code(ref, server)
    assert code
    assert compiled_code(ref, server) is code
    assert compiled_code(find_file("fair"), server) == b""


def test_what_cannot_be_compiled_is_left_to_the_match(server: ForkServer, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def turn(:")
    ref = refer_file(str(bot), None)
    assert compiled_code(ref, server) == b""
    assert "SyntaxError" in str(check_load(ref, server, 5.0))


def test_a_file_of_warnings_does_not_hold_the_compiler_up(server: ForkServer, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("x = 1\n" + 'assert (x is 1, "no")\n' * 1500)
    for _ in range(5):  # among tests that crowd the cores, one attempt may take longer than its limit
        if compiled_code(refer_file(str(bot), None), server):
            return
        server.codes.clear()
    pytest.fail("the compiler was held up each time")


def test_a_fork_server_that_is_gone_costs_no_descriptors(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("pass")
    server, ref = ForkServer(POLICY), refer_file(str(bot), None)
    server.close()
    before = os.listdir("/proc/self/fd")
    with pytest.raises(ArenaError, match="the fork server of isolated bots failed"):
        compiled_code(ref, server)
    with pytest.raises(ArenaError, match="the fork server of isolated bots failed"):
        check_load(ref, server, 5.0)
    assert os.listdir("/proc/self/fd") == before


def test_a_fork_server_says_nothing_when_its_worker_ends_without_hearing_its_answer(capfd: Any) -> None:
    started, nothing = ForkServer(POLICY), os.open(os.devnull, os.O_RDWR)
    socket.send_fds(started._socket, [SPAWN_ORDER + bytes([1])], [nothing] * 3)
    os.close(nothing)
    assert select.select([started._socket], [], [], 30)[0], "the answer is there, and stays unread"
    started.close()
    assert started._process.returncode == 0
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_waiting_for_a_slow_bot_takes_no_CPU_time(write_bot: Any) -> None:
    quick = write_bot(
        """
        def turn(self, view):
            if not hasattr(self, "spent"):
                self.spent = True
                time.sleep(2.0)
            return Open() if self.refusal(view, Open()) is None else self.play_on(view)
        def offer(self, view): return None
        """,
        "quick",
    )
    slow = write_bot(
        """
        def offer(self, view):
            if not hasattr(self, "spent"):
                self.spent = True
                time.sleep(1.8)
            return None
        """,
        "slow",
    )
    refs = (refer_file(str(slow), None), refer_file(str(quick), None))
    spec = spec_of(refs, limits=Limits(20.0, 0.2, 20.0))
    with ForkServers() as servers:
        play(spec, refs, policy=POLICY, servers=servers)  # the fork server is warm afterwards
        began, computed = monotonic(), process_time()
        result = play(spec, refs, policy=POLICY, servers=servers)
        took, computed = monotonic() - began, process_time() - computed
    assert [seat.faults for seat in result.seats] == [{}, {}]
    assert took > 3.5
    assert computed < 0.8
