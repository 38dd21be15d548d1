"""What a command shows for one seat is the same to the byte in matches that differ only in what the seat did not know:
how many lines were written, which notes were taken, which faults were made, and what came to nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arena.cli.main import cli
from arena.config.editions import load_edition
from arena.finding.reference import find_file, refer_file
from arena.isolation.worker.printed_at import PrintedText
from arena.match.walk.timeline import Timeline
from arena.match.work import SeatOutput, record_of
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.read import read_replay_lines
from arena.storage.logs.bot_logs import BotLogs
from tests.conftest import HEAD, play, small, spec_of, write_player

TELLS_ONE_SEAT = {"show", "view", "picture", "refeed"}
TELLS_MORE = {
    "play": "the seat of the human who plays",
    "branch": "the seat whose decision is meant; it plays on with all hands as they were: hindsight",
}
CARDS_HEAD = (
    HEAD.replace("arena.games.board", "arena.games.cards").replace("BoardBot", "CardsBot").partition("place_m")[0]
)
QUIET = {
    "board": """
def interrupt(self, view): return self.noted(view, self.choose(view) if view.can_stop is None else None)
def accept(self, view): return self.fault(view, None)
def noted(self, view, move): return move
def fault(self, view, move): return move
""",
    "cards": """
propose = lead = play = choose
def offer(self, view): return self.noted(view, None)
def discard(self, view): return self.noted(view, None)
def accept(self, view): return self.fault(view, None)
def noted(self, view, move): return move
def fault(self, view, move): return move
""",
}
NOISY = """
def noted(self, view, move): return Reply(move, note="I hold " + " ".join(map(str, view.hand)))
def fault(self, view, move): return 7
"""
"""It takes notes wherever the other does nothing in silence, and makes a fault wherever the other lets the default be
played."""


def replay_of(game: str, folder: Path, body: str) -> bytes:
    """A match of a bot in seat 1 beside three others; with logs of what the bot in seat 0 printed."""
    folder.mkdir()
    head = HEAD if game == "board" else CARDS_HEAD
    bot = refer_file(str(write_player(folder, body, head=head)), None)
    refs = [find_file("greedy"), bot, find_file("fair"), find_file("hard")]
    spec = spec_of(
        refs,
        small(turns=12) if game == "board" else load_edition("card-game", changes={"rounds": {4: 1}}),
        seed="7",
        strikes=10_000,
    )
    result = play(spec, refs)
    (folder / "m.jsonl").write_bytes(result.replay)
    asks = seat_numbers_in(Timeline(result.replay), 0).asks
    parts = [PrintedText(number, "turn", b"thinking") for number in (0, asks[0], asks[7], asks[-1])]
    BotLogs(folder / "logs").add(
        record_of(spec, result), SeatOutput(0, (*parts, PrintedText(None, "finish", b"bye")), 0)
    )
    return result.replay


@pytest.fixture(scope="module", params=["board", "cards"])
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders with a match each, of which seat 0 knows the same."""
    base = tmp_path_factory.mktemp(request.param)
    one = replay_of(request.param, base / "quiet", QUIET[request.param])
    other = replay_of(request.param, base / "noisy", QUIET[request.param] + NOISY)
    assert len(read_replay_lines(one)[1]) + 10 < len(read_replay_lines(other)[1])
    assert b"I hold" in other
    assert b'"event":"fault"' in other
    assert b"I hold" not in one
    return base / "quiet", base / "noisy"


def words_for(content: bytes) -> Iterator[tuple[str, ...]]:
    """What is typed behind each command, with ``--seat 0``."""
    numbers = seat_numbers_in(Timeline(content), 0)
    late = str(numbers.last - 40)
    part = ("--from", "40", "--to", late)
    for place in ("ask5", f"ask{numbers.many}", "60", late, str(numbers.last), "99999"):
        yield ("show", "--at", place)
    for more in ((), part, ("--from", "99999"), ("--json",), ("--json", "--at", late), ("--jsonl",)):
        yield ("show", *more)
    yield ("show", "--jsonl", *part)
    for form in ((), ("--json",)):
        yield ("show", *form, "--deals")
        yield ("show", *form, "--logs", "logs", "--bot-log")
    yield ("show", "--logs", "logs", "--bot-log", *part)
    yield ("show", "--logs", "logs", "--bot-log", "--at", "ask1")
    for more in ((), ("--json", "--all"), ("--at", "60"), ("--json", "--at", "ask99999")):
        yield ("refeed", "--trust", "--bot", "fair", *more)
    yield ("view", "--out", "page.html", "--at", "60")
    yield ("picture", "--deal", "1")
    yield ("picture", "--deal", "2", "--out", "deal.svg")


def test_a_seat_is_shown_the_same_bytes_whatever_happened_that_it_did_not_see(
    arena: Any, twins: tuple[Path, Path], tmp_path: Path
) -> None:
    words = [*words_for((twins[0] / "m.jsonl").read_bytes())]
    assert words == [*words_for((twins[1] / "m.jsonl").read_bytes())]
    assert {each[0] for each in words} == TELLS_ONE_SEAT
    shown = []
    for twin in twins:
        shutil.copytree(twin, tmp_path, dirs_exist_ok=True)
        ran = [(each, arena(each[0], "m.jsonl", "--seat", 0, *each[1:])) for each in words]
        shown.append([*ran, *((name, (tmp_path / name).read_text()) for name in ("page.html", "deal.svg"))])
    for one, other in zip(*shown, strict=True):
        assert one == other, one[0]
    assert {each[1].code for each in shown[0][:-2]} == {0, 1, 2}


def test_every_command_that_takes_a_seat_is_in_this_law_or_tells_more_than_a_seat_knew() -> None:
    takes = {
        name
        for name, entry in cli.table.items()
        if any("--seat" in param.opts for param in getattr(import_module(entry.module), name).params)
    }
    assert takes == TELLS_ONE_SEAT | set(TELLS_MORE)
