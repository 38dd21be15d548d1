"""Lines typed at a terminal, and lines out of a pipe."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from arena.commands.play.human_match import history_file
from arena.human.terminals.line_editor import TerminalLines
from arena.human.terminals.pipes import PipedLines


def test_a_terminal_reads_lines_keeps_them_and_hears_ctrl_c_and_ctrl_d(tmp_path: Path) -> None:
    history = tmp_path / "history"
    with create_pipe_input() as typed:
        lines = TerminalLines(str(history), input=typed, output=DummyOutput())
        assert lines.is_terminal
        typed.send_text("offer bluee\x7f 5\r")
        assert lines.read("> ", ["offer", "blue"]) == "offer blue 5"
        typed.send_text("\x1b[A\r")  # up: what was typed before
        assert lines.read("> ", ["offer", "blue"]) == "offer blue 5"
        typed.send_text("\x03")
        with pytest.raises(KeyboardInterrupt):
            lines.read("> ", [])
        typed.send_text("\x04")
        with pytest.raises(EOFError):
            lines.read("> ", [])
    assert "offer blue 5" in history.read_text()


def test_a_pipe_shows_what_it_read() -> None:
    shown: list[str] = []
    lines = PipedLines(io.StringIO("table\r\n\x1b[2J\nlast"), shown.append)
    assert [lines.read("> ", []) for _ in range(3)] == ["table", "\x1b[2J", "last"]
    assert shown == ["> table", "> �[2J", "> last"]
    with pytest.raises(EOFError):
        lines.read("> ", [])


def test_history_is_kept_in_the_folder_of_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert history_file() == str(tmp_path / "state" / "arena" / "play-history")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert history_file() == ""
