"""What is said while a run is played: on a terminal a bar, elsewhere a line now and then, and provisional tables."""

from __future__ import annotations

import fcntl
import re
import struct
import sys
import termios
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.cli import print_message
from arena.cli.output import progress_line as progresses
from arena.cli.output.progress_line import RunProgressLine, most_faults
from arena.match.work import Timing, WorkResult
from arena.penalties import SeatEnd
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from tests.at_terminal import at_terminal

TOURNAMENT = """
name: tiny
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, ./slow.py, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 6}}]
seats: 2
blocks: 4
tables: all
isolation: none
"""


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr(progresses, "monotonic", found)
    return found


def done(**faults: int) -> WorkResult:
    seats = [
        SeatRecord(name, 0, 1, SeatEnd.PLAYED, {"late": number} if number else {}) for name, number in faults.items()
    ]
    record = MatchRecord("id", "board", "e-2p", 0, "", "end", 1, tuple(seats))
    return WorkResult(record, Timing("id", 0.1, ()))


def test_without_a_terminal_lines_come_seldomer_and_seldomer(time: Time, capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgressLine(1000, quiet=False) as shown:
        for second in range(400):
            time.now = 1000.0 + second
            shown.finished(done(good=0, slow=second % 2))
            shown.waiting()
    out, err = capsys.readouterr()
    told = err.splitlines()
    assert out == ""
    assert "\r" not in err
    assert [int(line.split()[0]) for line in told] == [31, 76, 144, 246, 398]
    assert told[0] == "31 of 1000 matches (3 %), 1.0 a second, about 15m38s left; faults: slow 15"


def test_quiet_is_quiet(time: Time, capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgressLine(10, quiet=True, table_every=1, table=lambda total: "table") as shown:
        time.now += 500
        shown.finished(done(good=1))
        shown.waiting()
    assert capsys.readouterr() == ("", "")


def test_a_table_comes_as_often_as_wanted_but_takes_a_small_share_of_the_time(
    time: Time, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow_table(total: int) -> str:
        time.now += 10
        return f"table of {total}"

    with RunProgressLine(50, quiet=False, table_every=5, table=slow_table) as shown:
        moments = []
        for _ in range(1000):
            time.now += 1
            before = time.now
            shown.waiting()
            if time.now > before:
                moments.append(before)
    assert moments[0] == 1005
    assert all(later - sooner == 200 for sooner, later in pairwise(moments))
    assert "table of 50" in capsys.readouterr().err


def test_at_the_end_of_a_process_standard_error_is_left_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = print_message.MessageStream()
    monkeypatch.delattr(print_message, "suppress")  # Python 3.13 clears modules before it closes what is left
    stream.close()
    stream.__del__()
    assert (sys.stderr.closed, capsys.readouterr().err) == (False, "")


def test_those_with_most_faults_are_named() -> None:
    assert most_faults({}) == ""
    assert most_faults({"a": 1, "b": 3}) == "b 3, a 1"
    assert most_faults({"a": 1, "b": 3, "c": 2, "d": 1, "e": 1}) == "b 3, c 2, a 1 and 2 more"


@pytest.mark.slow
def test_on_a_terminal_a_bar_has_counts_rate_time_left_and_faults(tmp_path: Path, write_bot: Any) -> None:
    write_bot("def turn(self, view):\n    time.sleep(0.01)\n    raise ValueError", "slow")
    (tmp_path / "tiny.yaml").write_text(TOURNAMENT)
    words = ("run", "tiny.yaml", "-o", "out", "-j", "1", "--table-every", "0.2s")
    with at_terminal(tmp_path, *words, more={"TERM": "xterm"}) as run:
        fcntl.ioctl(run.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        code, seen = run.end()
    assert code == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    assert re.search(r"\d+/24 \[\d\d:\d\d<[\d:?]+, .*matches.*faults: slow \d+", text)
    assert "provisional, after " in text
    shown = [line for line in re.split(r"[\r\n]+", text) if "/24 [" in line]
    assert max(map(len, shown)) <= 80
