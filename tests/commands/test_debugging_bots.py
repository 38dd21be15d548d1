"""How an author looks into a bot: what it prints, a debugger, a match in the process of a test."""

from __future__ import annotations

import multiprocessing
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BotError
from arena.runs.single_match import SHOWN_OUTPUT_LINES
from arena.testing import play
from tests.conftest import environment_of
from tests.kept import replays_of

FLOOD = """
def start(self, start):
    for number in range(300):
        print("line", number, file=sys.stderr)
"""
STOPS = """
def turn(self, view):
    if not hasattr(self, "asked"):
        self.asked = True
        thinking = "of a turn"
        breakpoint()
    return self.choose(view)
"""


@pytest.mark.slow
def test_of_what_a_bot_prints_the_first_lines_are_shown_and_where_the_rest_is(
    arena: Any, write_bot: Any, tmp_path: Path
) -> None:
    write_bot(FLOOD, "loud")
    match = ["match", "./loud.py", "silent", "--seed", 1, "--rule", "max_turns=2"]
    ran = arena(*match)
    told = [line for line in ran.err.split("\n") if line.startswith("  line ")]
    assert told == [f"  line {number}" for number in range(SHOWN_OUTPUT_LINES)]
    assert "\n[280 lines more; write all of it to a folder with: --logs FOLDER]\n" in ran.err
    ran = arena(*match, "--logs", "logs")
    assert "line 0" not in ran.err
    assert (tmp_path / "logs" / "loud.log").read_text().count("\n  line ") == 300


def read_until(terminal: int, wanted: bytes, seconds: float = 30) -> bytes:
    """What a terminal shows, until ``wanted`` is shown."""
    shown, until = b"", time.monotonic() + seconds
    while wanted not in shown:
        assert select.select([terminal], [], [], max(0.0, until - time.monotonic()))[0], shown
        shown += os.read(terminal, 4096)
    return shown


@pytest.mark.slow
def test_breakpoint_opens_a_debugger_at_the_terminal_and_no_time_limit_holds(write_bot: Any, tmp_path: Path) -> None:
    write_bot(STOPS, "stops")
    terminal, its_side = pty.openpty()
    limits = ["--ask", "0.05", "--bank", "0"]
    match = ["match", "./stops.py", "silent", "--seed", "1", "--rule", "max_turns=2", "--trust", *limits]
    controlled = (
        "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", controlled, sys.executable, "-m", "arena", *match],
        cwd=tmp_path,
        env=environment_of(),
        stdin=its_side,
        stdout=subprocess.PIPE,
        stderr=its_side,
    ) as run:
        os.close(its_side)
        assert b"time limits are off for the rest of the match" in read_until(terminal, b"(Pdb) ")
        for _ in range(10):  # longer than the limit of an ask and the grace of the pool would allow
            assert not select.select([terminal], [], [], 0.3)[0]
        os.write(terminal, b"p 'thinking ' + thinking\n")
        assert b"'thinking of a turn'" in read_until(terminal, b"\n(Pdb) ")
        os.write(terminal, b"c\n")
        assert run.stdout is not None
        assert b"0 late" not in (table := run.stdout.read())
        assert table.count(b"played") == 2
        assert run.wait(30) == 0
    os.close(terminal)


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("trust", [[], ["--trust"]])
def test_a_breakpoint_that_nobody_can_answer_is_a_fault_that_says_where_it_works(
    trust: list[str], arena: Any, write_bot: Any, tmp_path: Path
) -> None:
    write_bot(STOPS, "stops")
    (tmp_path / "t.yaml").write_text(
        "name: t\nseed: 5\nentrants: [./stops.py, silent]\n"
        "editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]\n"
    )
    assert arena("run", "t.yaml", "-q", "-o", "out", *trust).code == 0
    replays = replays_of(tmp_path / "out").values()
    assert any(b"RuntimeError: breakpoint() works in: arena match --trust" in replay for replay in replays)


HUNGRY = """
def turn(self, view):
    self.kept = bytearray(1 << 30)
"""


def test_a_bot_out_of_memory_is_told_its_limit_and_the_key(arena: Any, write_bot: Any) -> None:
    write_bot(HUNGRY, "hungry")
    ran = arena("match", "./hungry.py", "silent", "--seed", 1, "--rule", "max_turns=2")
    assert "broken in turn: MemoryError: out of memory (its process may have 512 MB; the key sandbox.memory" in ran.err


def _played(seed: str) -> str:
    return play("greedy", "silent", seed=seed).sha256


def test_a_match_in_a_test_is_played_in_this_very_process() -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:  # its processes may not have children
        assert pool.map(_played, ["1"]) == [_played("1")]


def test_a_match_in_a_test_refuses_what_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    with pytest.raises(
        BotError, match=r"bot broken.py cannot be loaded: ZeroDivisionError: division by zero at line 1"
    ):
        play(str(tmp_path / "broken.py"), "silent")
    with pytest.raises(BotError, match="is a program and needs a process of its own"):
        play("cmd:cat", "silent")
