"""What a terminal is given and a pipe is not: colours, lines of its width, pages."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.cli.output import terminal
from arena.cli.output.match_layout import deals_text
from arena.recorded.deal_stories import DealStories
from tests.conftest import run_arena, warm_start, write_player

STYLED = re.compile(r"\x1b\[[0-9;]*m")
OnTerminal = Callable[..., "Shown"]


class Shown(NamedTuple):
    """What a command wrote to a terminal, and how it ended."""

    code: int
    text: str

    @property
    def plain(self) -> list[str]:
        """Its lines without styles."""
        return STYLED.sub("", self.text).replace("\r", "").splitlines()


@pytest.fixture
def on_terminal(tmp_path: Path) -> OnTerminal:
    """Runs ``python -m arena``, forked from a process that has imported it, on a terminal of so many columns and lines;
    ``keys`` are pressed once it is silent."""

    def run(*words: object, columns: int = 80, lines: int = 5000, keys: str = "", **environment: str) -> Shown:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        wanted = {"TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[2]), **environment}
        left_out = ("NO_COLOR", "COLUMNS", "LINES", "LESS")
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        process = warm_start().start(tmp_path, [*map(str, words)], {**kept, **wanted}, [theirs, theirs, theirs])
        os.close(theirs)
        try:
            code, text = _gather(ours, keys.encode())
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)  # its pager too
            os.close(ours)
        return Shown(warm_start().wait() if code is None else code, text)

    return run


def _gather(screen: int, keys: bytes) -> tuple[int | None, str]:
    """The exit code, None where it has to be waited for, and what is written until the process ends."""
    written, code, until = b"", None, time.monotonic() + 60
    while time.monotonic() < until:
        if select.select([screen], [], [], 0.5)[0]:
            try:
                piece = os.read(screen, 65536)
            except OSError:  # nobody holds the other end any more
                break
            written += piece
        elif keys and written:
            os.write(screen, keys)
            keys = b""
        elif (code := warm_start().wait(0)) is not None:
            break
    return warm_start().wait(20) if code is None else code, written.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay of a match with a bot that breaks."""
    folder = tmp_path_factory.mktemp("played")
    write_player(folder, "def turn(self, view):\n    if view.turn > 9: 1 / 0\n    return self.play_on(view)")
    words = ("./player.py", "greedy", "fair", "--seed", "7", "--set", "max_turns=24", "-o", "m.jsonl")
    assert run_arena(folder, "match", *words).code == 0
    return folder / "m.jsonl"


@pytest.fixture
def replay(arena: Any, played: Path, tmp_path: Path) -> Path:
    """A copy of it in the current folder."""
    shutil.copy(played, tmp_path)
    return Path("m.jsonl")


@pytest.mark.slow
def test_on_a_terminal_seats_faults_and_money_have_colours(replay: Path, on_terminal: OnTerminal) -> None:
    shown = on_terminal("show", "m.jsonl")
    assert shown.code == 0
    seats = {name: set(re.findall(rf"\x1b\[([\d;]+)m{name} \(", shown.text)) for name in ("player", "greedy", "fair")}
    assert all(len(colors) == 1 for colors in seats.values())
    assert len(set.union(*seats.values())) == 3
    assert re.search(r"\x1b\[31m +player \(0\) turn: broken: ", shown.text)
    assert re.search(r"\x1b\[1m\$\d+M\x1b\[0m", shown.text)


@pytest.mark.parametrize("words", [("--deals",), ("--at", "ask12")])
def test_deals_and_single_asks_have_the_same_colours(replay: Path, on_terminal: OnTerminal, words: Any) -> None:
    assert STYLED.search(on_terminal("show", "m.jsonl", *words).text)


@pytest.mark.parametrize(
    ("words", "environment"), [((), {"NO_COLOR": "1"}), (("--no-color",), {}), ((), {"TERM": "dumb"})]
)
def test_colours_can_be_turned_off(replay: Path, on_terminal: OnTerminal, words: Any, environment: Any) -> None:
    shown = on_terminal("show", "m.jsonl", *words, **environment)
    assert shown.code == 0
    assert "player (0)" in shown.text
    assert not STYLED.search(shown.text)


def test_an_empty_no_color_turns_nothing_off(replay: Path, on_terminal: OnTerminal) -> None:
    assert STYLED.search(on_terminal("show", "m.jsonl", NO_COLOR="").text)


def test_in_a_pipe_there_are_colours_only_where_they_are_asked_for(arena: Any, replay: Path) -> None:
    plain = arena("show", "m.jsonl").out
    assert "\x1b" not in plain
    colored = arena("show", "m.jsonl", "--color").out
    assert STYLED.search(colored)
    assert STYLED.sub("", colored) == plain


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        *((40, ()), (40, ("--at", "ask12")), (40, ("--deals",))),
        *((60, ("--deals",)), (80, ()), (100, ("--at", "ask12"))),
    ],
)
def test_what_is_told_fits_the_terminal_and_keeps_all_its_words(
    arena: Any, replay: Path, on_terminal: OnTerminal, columns: int, words: Any
) -> None:
    lines = on_terminal("show", "m.jsonl", *words, columns=columns).plain
    assert max(map(len, lines)) <= columns
    if "--deals" not in words:  # where cells are wrapped their words do not follow each other
        between = "" if columns == 40 else " "  # some words are longer than so narrow a line
        whole = arena("show", "m.jsonl", *words).out
        assert between.join(" ".join(lines).split()) == between.join(whole.split())


@pytest.mark.parametrize("columns", [60, 80, 89, 100])
def test_amounts_are_never_broken_in_the_table_of_deals(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    headers = ("round", "Boss", "colour", "offers", "Cousins", "centre", "times", "share", "who got what")
    who = "dealmaker (0)"
    row = ("8", who, "blue", "2", who, "6", "4", "$1050", f"{who} $1050, fair (2) -$210")
    found = DealStories(
        "cards", "card-game", None, ["dealmaker", "greedy", "fair"], "rounds", [], headers, [row], (8, 4, 1)
    )
    told = STYLED.sub("", deals_text(found)).split()
    assert told.count("dealmaker") == 3
    assert [word.rstrip(",") for word in told if "$" in word] == ["$1050", "$1050", "-$210"]


def test_a_name_stays_with_its_seat_where_lines_are_broken(replay: Path, on_terminal: OnTerminal) -> None:
    for columns in (50, 57, 64):
        lines = on_terminal("show", "m.jsonl", columns=columns).plain
        assert not any(re.search(r"(player|greedy|fair)$", line) for line in lines)


@pytest.mark.parametrize("command", ["rules list", "rules diff outline card-game", "bots list", "doctor"])
def test_tables_fit_a_narrow_terminal(arena: Any, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = arena(*command.split())
    assert ran.code == 0
    assert max(map(len, ran.out.partition("\n\n")[0].splitlines())) <= 80


def test_standings_leave_out_measures_on_a_narrow_terminal_and_say_which(
    arena: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "t.yaml").write_text(
        "{name: t, seed: 5, entrants: [greedy, fair], editions: [{rules: eagle-gryphon, set: {max_turns: 6}}],"
        " blocks: 3, isolation: none}\n"
    )
    assert arena("run", "t.yaml", "-q", "-o", "out").code == 0
    monkeypatch.setenv("COLUMNS", "130")
    wide = arena("standings", "out").out
    assert "mean money" in wide
    assert "Too wide" not in wide
    monkeypatch.setenv("COLUMNS", "60")
    narrow = arena("standings", "out").out
    *lines, digest = narrow.splitlines()
    assert len(digest.strip()) == 64  # cut, it would be none
    assert max(map(len, lines)) <= 60
    heading = next(line for line in narrow.splitlines() if "entrant" in line)
    assert "win rate" in heading
    assert "mean money" not in heading
    below = " ".join(narrow.split())
    left_out = re.search(r"Too wide for this terminal: ([\w ,]+); standings\.csv and --json have all columns\.", below)
    assert left_out
    assert all(name in wide and name not in heading for name in left_out[1].split(", "))


def test_words_are_broken_only_where_nothing_else_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("one", "a sentence of several words", "antidisestablishmentarianism")]
    monkeypatch.setenv("COLUMNS", "50")
    assert "antidisestablishmentarianism" in terminal.format_table(rows, ["a", "b", "c"], wrap=[1, 2])
    monkeypatch.setenv("COLUMNS", "35")
    narrow = terminal.format_table(rows, ["a", "b", "c"], wrap=[1, 2])
    assert max(map(len, narrow.splitlines())) <= 35
    assert "".join(line[-16:].strip() for line in narrow.splitlines()[2:]) != ""


def test_a_table_without_rows_has_its_heading() -> None:
    assert terminal.format_table([], ["hook", "asks"]).split() == ["hook", "asks", "------", "------"]


PAGER = "sed s/^/PAGED/"


@pytest.mark.parametrize("words", [("show", "m.jsonl"), ("docs", "rules"), ("docs", "bots", "hooks")])
def test_what_is_longer_than_the_terminal_goes_through_the_pager(
    replay: Path, on_terminal: OnTerminal, words: Any
) -> None:
    paged = on_terminal(*words, lines=10, PAGER=PAGER)
    assert paged.code == 0
    assert all(line.startswith("PAGED") for line in paged.plain)


@pytest.mark.parametrize(("more", "lines"), [(("--no-pager",), 10), ((), 9000)])
def test_what_fits_the_terminal_and_what_is_not_to_be_paged_goes_straight_to_it(
    replay: Path, on_terminal: OnTerminal, more: Any, lines: int
) -> None:
    assert "PAGED" not in on_terminal("show", "m.jsonl", *more, lines=lines, PAGER=PAGER).text


def test_in_a_pipe_nothing_is_paged(real_arena: Any, replay: Path) -> None:
    assert "PAGED" not in real_arena("show", "m.jsonl", PAGER=PAGER).out


def test_where_the_pager_cannot_be_read_all_is_shown_without_one(on_terminal: OnTerminal) -> None:
    shown = on_terminal("docs", "rules", lines=10, PAGER='less "')
    assert shown.code == 0
    assert shown.plain[0] == "arena: output is not paged: PAGER cannot be read: No closing quotation"
    assert shown.plain[1:] == on_terminal("docs", "rules", "--no-pager").plain


@pytest.mark.parametrize("pager", ["head -n 3", "true"])
def test_a_pager_that_is_left_early_is_not_complained_to(on_terminal: OnTerminal, pager: str) -> None:
    shown = on_terminal("docs", "rules", lines=10, PAGER=pager)
    assert shown.code == 0
    assert "Traceback" not in shown.text
    assert "arena:" not in shown.text


@pytest.mark.slow
def test_less_is_left_with_q(on_terminal: OnTerminal, replay: Path) -> None:
    shown = on_terminal("show", "m.jsonl", lines=12, keys="q", PAGER="less")
    assert shown.code == 0
    assert "Traceback" not in shown.text
    assert STYLED.search(shown.text)
