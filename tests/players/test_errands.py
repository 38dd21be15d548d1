"""What a host's children are sent for besides playing, and what the worker keeps of it."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import pytest

from arena.bot import Limits
from arena.errors import ArenaError
from arena.match.work import play
from arena.players.channel import LINES_LIMIT, Channel
from arena.players.errands import code_of, try_isolated
from arena.players.host import Host
from arena.players.loading import find_file, refer_file
from arena.sandbox.policy import Policy
from arena.sandbox.probe import policy_here
from tests.conftest import spec_of

POLICY = policy_here(Policy())


@pytest.fixture
def host() -> Any:
    found = Host(POLICY)
    yield found
    found.close()


def test_a_bots_file_is_compiled_once_and_nothing_of_it_is_executed(host: Host, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("1 / 0")
    ref = refer_file(str(bot), None)
    code = code_of(ref, host, ())
    assert code
    assert code_of(ref, host, ()) is code
    assert code_of(find_file("fair"), host, ()) == b""


def test_what_cannot_be_compiled_is_left_to_the_match(host: Host, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def turn(:")
    ref = refer_file(str(bot), None)
    assert code_of(ref, host, ()) == b""
    assert "SyntaxError" in str(try_isolated(ref, host, (), 5.0))


def test_a_file_of_warnings_does_not_hold_the_compiler_up(host: Host, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("x = 1\n" + 'assert (x is 1, "no")\n' * 1500)
    began = monotonic()
    assert code_of(refer_file(str(bot), None), host, ())
    assert monotonic() - began < 3


def test_a_host_that_is_gone_costs_no_descriptors(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("pass")
    host, ref = Host(POLICY), refer_file(str(bot), None)
    host.close()
    before = os.listdir("/proc/self/fd")
    with pytest.raises(ArenaError, match="the host of isolated bots failed"):
        code_of(ref, host, ())
    with pytest.raises(ArenaError, match="the host of isolated bots failed"):
        try_isolated(ref, host, (), 5.0)
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("flood", [b"x" * 65_535 + b"x\n", b"\n" * LINES_LIMIT])
def test_a_flood_stays_a_flood_whatever_comes_after_it(flood: bytes) -> None:
    channel = Channel()
    received, sent, _ = channel.theirs
    for part in (flood[:60_000], flood[60_000:], b"{}\n"):
        os.write(sent, part)
        channel.receive()
    assert channel.endless
    channel.close()
    assert received != sent


def test_waiting_for_a_slow_bot_takes_no_processor_time(write_bot: Any) -> None:
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
    spec = spec_of(refs, limits=Limits(5.0, 0.2, 2.0))
    play(spec, refs, policy=POLICY)  # the host is warm afterwards
    began, computed = monotonic(), process_time()
    result = play(spec, refs, policy=POLICY)
    assert [seat.faults for seat in result.seats] == [{}, {}]
    assert monotonic() - began > 3.5
    assert process_time() - computed < 0.8
