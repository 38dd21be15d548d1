"""A terminal that is closed during a match: the seat is left, and what was played is kept."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Sequence

import pytest

from arena.commands.play import human_match as app
from arena.commands.play.hang_up import HangUpLines, hear_hang_up
from arena.human.answer import Leaving, TerminalClosed
from arena.match.walk.verify import verify_replay
from arena.runs.single_match import MatchSetup
from tests.human.scripted import Script, scripted


@pytest.fixture(autouse=True)
def thrown(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """How often output was thrown away; that of the tests stays."""
    found: list[bool] = []
    monkeypatch.setattr("arena.commands.play.hang_up.throw_away_output", lambda: not found.append(True))
    return found


class Closing(Script):
    """A terminal that is closed while its third line is awaited."""

    def read(self, prompt: str, words: Sequence[str]) -> str:
        if len(self.prompts) == 2:
            os.kill(os.getpid(), signal.SIGHUP)
        return super().read(prompt, words)


def test_a_match_whose_terminal_is_closed_is_played_to_its_end_and_kept() -> None:
    table = app.set_up_human_match(["silent", "silent"], MatchSetup(settings=["max_turns=4"], seed="5"), seat=1)
    screen, shown = scripted([])
    screen.lines = lines = HangUpLines(Closing(["table", "hand", "never read"]))
    before = signal.getsignal(signal.SIGHUP)
    with hear_hang_up(lines):
        played = app.play_human_match(table, screen)
    assert signal.getsignal(signal.SIGHUP) is before
    assert played.left is Leaving.HUNG_UP
    assert not any("You leave" in line for line in shown)
    verify_replay(played.replay)


def test_a_terminal_that_was_closed_before_is_not_read() -> None:
    lines = HangUpLines(Script(["roll"]))
    with hear_hang_up(lines):
        os.kill(os.getpid(), signal.SIGHUP)  # while no line is awaited: nothing is raised
    with pytest.raises(TerminalClosed):
        lines.read("> ", [])


def test_where_hanging_up_is_ignored_it_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        lines = HangUpLines(Script(["roll"]))
        with hear_hang_up(lines):
            os.kill(os.getpid(), signal.SIGHUP)
        assert lines.read("> ", []) == "roll"
    finally:
        signal.signal(signal.SIGHUP, before)


class Broken(Script):
    """A closed terminal whose signal has not come yet."""

    def read(self, prompt: str, words: Sequence[str]) -> str:
        raise OSError(errno.EIO, "Input/output error")


def test_a_terminal_that_fails_before_the_signal_comes_is_taken_for_closed(thrown: list[bool]) -> None:
    lines = HangUpLines(Broken([]))
    with pytest.raises(TerminalClosed):
        lines.read("> ", [])
    assert lines.gone
    assert thrown == [True]


def test_other_troubles_of_reading_stay_what_they_are() -> None:
    with pytest.raises(EOFError):
        HangUpLines(Script([])).read("> ", [])
