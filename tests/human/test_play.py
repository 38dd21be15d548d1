"""``arena play``: whole matches through pipes, their replays, leaving early, and mistakes on the command line."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from arena.bot import Limits
from arena.commands.play import command as play_command
from arena.commands.play import human_match as app
from arena.finding.reference import find_file
from arena.match.walk.verify import verify_replay
from arena.penalties import SeatEnd
from arena.replay.read import read_header, read_replay_lines, split_replay
from arena.runs.planning.isolation_level import choose_isolation
from arena.runs.single_match import MatchSetup
from tests.conftest import Arena, Ran
from tests.human.scripted import Script, scripted
from tests.match.refeeding import refeed_here

Type = Callable[..., Ran]
ANY = "1\n\n2\n\n\n3\n\n"
"""Lines that answer any ask sooner or later: a choice where there is one, nothing where that is possible."""


@pytest.fixture
def typed(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Type:
    """Runs ``arena play`` with these lines on standard input."""

    def run(lines: str, *words: object) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return arena("play", *words, "--trust")

    return run


BOARD = ("greedy", "hoarder", "--seed", "5", "--seat", "1", "--rule", "max_turns=9")
CARDS = ("--bots", "greedy,fair", "--rules", "card-game", "--seed", "5", "--seat", "0", "--rule", "rounds.3=1")


@pytest.mark.parametrize("words", [BOARD, CARDS], ids=["board", "cards"])
def test_a_whole_match_is_played_through_pipes_and_its_replay_verifies(
    words: Sequence[str], typed: Type, arena: Arena, tmp_path: Path
) -> None:
    done = typed(ANY * 200, *words, "--name", "Ida", "--out", "m.jsonl")
    assert done.code == 0, done.err
    assert "replay m.jsonl" in done.out
    content = (tmp_path / "m.jsonl").read_bytes()
    verify_replay(content)
    human = next(seat for seat in read_header(split_replay(content)[0]).seats if seat.entrant == "Ida")
    assert (human.human, human.bot, human.sha256) == (True, "human", "")
    assert arena("verify", "m.jsonl").code == 0
    again = arena("rerun", "m.jsonl")
    assert again.code == 2
    assert "Ida was a human, so the match cannot be played again" in again.err
    assert "Ida" in arena("show", "m.jsonl").out


def test_what_is_shown_tells_nothing_that_the_seat_may_not_know(typed: Type, tmp_path: Path) -> None:
    done = typed(ANY * 200, *BOARD[:2], "--seed", "a-very-secret-seed", *BOARD[4:], "--out", "m.jsonl")
    draws = re.findall(r"^(\w+) \(\d\) draws (.*?)\.?$", done.out, re.MULTILINE)
    assert {who for who, _ in draws} == {"greedy", "human", "hoarder"}
    assert all(re.fullmatch(r"\d+ cards", what) for who, what in draws if who != "human")
    assert any(not re.fullmatch(r"\d+ cards", what) for who, what in draws if who == "human")
    assert "a-very-secret-seed" not in done.out
    assert "a-very-secret-seed" in done.err  # told at the end, with the command that deals the same again


def test_the_asks_of_a_played_replay_can_be_put_to_a_bot_again(typed: Type, tmp_path: Path) -> None:
    typed(ANY * 200, *BOARD, "--out", "m.jsonl")
    content = (tmp_path / "m.jsonl").read_bytes()
    assert refeed_here(content, 0, find_file("greedy")).same
    instead = refeed_here(content, 1, find_file("hard"))
    assert instead.asks
    assert instead.differences  # the human was no such bot


def test_where_the_input_ends_the_seat_is_left_and_the_replay_says_so(
    typed: Type, arena: Arena, tmp_path: Path
) -> None:
    done = typed("table\n", *BOARD)
    assert done.code == 1
    assert "the input ended before the match did" in done.err
    assert "left the table" in done.out
    assert "struck-out" not in done.out
    assert arena("verify", "play-5.jsonl").code == 0
    assert "the human left the table" in (tmp_path / "play-5.jsonl").read_text()


@pytest.mark.slow
def test_quitting_leaves_the_seat_and_quit_now_leaves_no_replay(typed: Type, tmp_path: Path) -> None:
    assert typed("quit\n", *BOARD, "--out", "left.jsonl").code == 0
    result = read_replay_lines((tmp_path / "left.jsonl").read_bytes())[1][-1]
    assert [seat.ended for seat in result.seats] == [SeatEnd.PLAYED, SeatEnd.STRUCK_OUT, SeatEnd.PLAYED]  # type: ignore[attr-defined]
    stopped = typed("quit now\n", *BOARD, "--out", "now.jsonl")
    assert stopped.code == 130
    assert not (tmp_path / "now.jsonl").exists()


def test_nothing_is_overwritten(typed: Type, tmp_path: Path) -> None:
    (tmp_path / "play-5.jsonl").write_text("mine")
    refused = typed("", *BOARD, "--out", "play-5.jsonl")
    assert (refused.code, "is not overwritten" in refused.err) == (2, True)
    assert "replay play-5-2.jsonl" in typed("quit\n", *BOARD).out
    assert (tmp_path / "play-5.jsonl").read_text() == "mine"


@pytest.mark.slow
def test_where_the_replay_cannot_be_written_any_more_it_lies_among_temporary_files(
    typed: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, aside = tmp_path / "full" / "mine.jsonl", tmp_path / "aside"
    full.parent.mkdir()
    aside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    write = play_command.write_whole

    def no_space_there(path: Path, content: bytes) -> None:
        if path.parent == full.parent:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(path, content)

    monkeypatch.setattr(play_command, "write_whole", no_space_there)
    ran = typed("quit\nquit\n", "greedy", "fair", "--seed", 5, "--trust", "--out", full)
    assert f"No space left on device; the replay is in {aside / 'mine.jsonl'}" in ran.err
    assert verify_replay((aside / "mine.jsonl").read_bytes())


@pytest.mark.slow
def test_who_prints_into_a_pipe_that_nobody_reads_has_the_replay_all_the_same(tmp_path: Path) -> None:
    out = tmp_path / "mine.jsonl"
    command = f"{sys.executable} -m arena play greedy fair --seed 9 --seat 0 --trust --out {out} | head -n 1"
    ran = subprocess.run(command, shell=True, input="1\n" * 400, capture_output=True, text=True, check=True)
    assert "Traceback" not in ran.stderr
    assert verify_replay(out.read_bytes())


def test_a_file_that_came_during_the_match_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    assert app.free_place(path) == path
    path.write_text("another's")
    (tmp_path / "m-2.jsonl").write_text("another's")
    assert app.free_place(path) == tmp_path / "m-3.jsonl"
    assert app.free_place(Path("/dev/null")) == Path("/dev/null")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "name your opponents, as in: arena play --bots greedy,hoarder,dealmaker"),
        ("gredy fair", "no bundled bot 'gredy' (did you mean 'greedy'?)"),
        ("--bots greedy --seat 2", "--seat: expected a seat from 0 to 1, got 2"),
        ("--bots greedy --rules outline", "outline needs 2 to 5 bots beside the human, got 1"),
        ("greedy --name", "requires an argument"),
        ("greedy --out missing/m.jsonl", "--out missing/m.jsonl: there is no folder missing"),
    ],
)
def test_a_mistake_is_told_before_anything_begins(words: str, told: str, arena: Arena) -> None:
    done = arena("play", *words.split())
    assert done.code == 2
    assert told in done.err
    assert not done.out


def test_a_name_must_be_printable(arena: Arena) -> None:
    done = arena("play", "greedy", "--name", "a\x1b[31m")
    assert (done.code, "--name: expected up to 40 printable characters" in done.err) == (2, True)


class Slow(Script):
    """Thinks long about the first offer."""

    slept = False

    def read(self, prompt: str, words: Sequence[str]) -> str:
        if "goodwill" in words and not self.slept:
            self.slept = True
            time.sleep(0.7)
        return super().read(prompt, words)


@pytest.mark.slow
@pytest.mark.parametrize("isolate_all", [False, True])
def test_a_human_may_think_long_and_no_bot_is_late_for_it(isolate_all: bool) -> None:
    limits, isolation = Limits(ask=0.3, bank=0.0, match=60.0), choose_isolation(False, isolate_all=isolate_all)
    setup = MatchSetup(settings=["max_turns=6"], seed="5", limits=limits, isolation=isolation)
    table = app.set_up_human_match(["greedy", "hoarder"], setup, seat=1)
    screen, _ = scripted([])
    screen.lines = slow = Slow(ANY.split("\n") * 100)
    played = app.play_human_match(table, screen)
    assert slow.slept
    assert played.left is None
    assert not any(seat.faults for seat in played.record.seats)


@pytest.mark.slow
def test_the_seat_is_drawn_from_the_seed() -> None:
    seats = {app.set_up_human_match(["silent", "silent"], MatchSetup(seed=str(seed))).seat for seed in range(12)}
    assert seats == {0, 1, 2}
    setup = MatchSetup(seed="7")
    assert (
        app.set_up_human_match(["silent", "silent"], setup).seat
        == app.set_up_human_match(["silent", "silent"], setup).seat
    )


NOISY = """
from arena.bot import Bot


class Noisy(Bot):
    games = ("board",)

    def start(self, start):
        print("\\x1b[31mred\\n" * 30)
"""


@pytest.mark.slow
def test_what_a_bot_prints_is_shown_at_the_end_as_plain_text(typed: Type, tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY)
    done = typed("quit\n", "./noisy.py", "greedy", *BOARD[2:])
    assert done.code == 0, done.err
    assert "\x1b" not in done.err
    assert "�[31mred" in done.err
    assert "[11 lines more]" in done.err  # the last of them is empty
    assert "--logs" not in done.err  # this command has no such option
