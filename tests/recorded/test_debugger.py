"""``--pdb``: the debugger opens in the bot at the terminal, at an exception in a match and at a recorded ask."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.match.walk.timeline import Timeline
from arena.recorded.seat_numbers import seat_numbers_in
from tests.at_terminal import at_terminal
from tests.conftest import write_player

BREAKS = """
def start(self, start):
    self.turns = 0
    print("ready")
def turn(self, view):
    self.turns += 1
    logging.warning("turn %d", self.turns)
    if self.turns == 2:
        secret = "of the second turn"
        raise ValueError("no idea")
    return self.play_on(view)
"""
STOPS = """
def turn(self, view):
    thinking = "of a turn"
    breakpoint()
    return self.play_on(view)
"""
MATCH = ("greedy", "--seed", "1", "--rule", "max_turns=8", "--ask", "0.2", "--bank", "0")
PDB = "(Pdb) "


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bots."""
    folder = tmp_path_factory.mktemp("debugger")
    write_player(folder, BREAKS, "breaks")
    (folder / "breaks.py").write_text((folder / "breaks.py").read_text().replace("import os,", "import logging, os,"))
    write_player(folder, STOPS, "stops")
    return folder


@pytest.fixture(scope="module")
def replay(folder: Path) -> str:
    """The name of a replay in which the bot broke, played in the debugger to its end."""
    with at_terminal(folder, "match", "./breaks.py", *MATCH, "--pdb", "-o", "m.jsonl") as run:
        shown = run.until(PDB)
        assert re.match(r"breaks \(0\), start:\nready\nbreaks \(0\), ask \d+ turn:\nWARNING:root:turn 1\n", shown)
        assert "\nWARNING:root:turn 2\narena: time limits are off from here on\narena: breaks (0) broke at ask" in shown
        assert re.search(r"broke at ask \d+ turn: ValueError: no idea at line \d+ in turn\nit sees: ", shown)
        assert shown.endswith('-> raise ValueError("no idea")\n(Pdb) ')
        run.type("p 'thinking ' + secret, self.turns")
        assert "('thinking of the second turn', 2)" in run.until(PDB)
        assert not run.shown.endswith("late")
        run.type("c")
        code, shown = run.end()
    assert code == 0
    assert "1 broken" in shown
    assert "0 late" not in shown
    return "m.jsonl"


def fault(folder: Path, replay: str) -> tuple[int, dict[str, Any]]:
    """The event and line of the first fault."""
    lines = [json.loads(line) for line in (folder / replay).read_bytes().splitlines()]
    return next((at, line) for at, line in enumerate(lines, 1) if line["event"] == "fault")


@pytest.mark.slow
def test_a_match_in_the_debugger_is_the_match_without_it(folder: Path, replay: str, arena: Any) -> None:
    plain = arena("match", folder / "breaks.py", *MATCH, "-o", "plain.jsonl")
    assert plain.code == 0
    _, *lines = Path("plain.jsonl").read_bytes().splitlines()
    recorded = (folder / replay).read_bytes().splitlines()
    assert lines[:-1] == recorded[1:-1]


def test_the_match_ends_where_the_debugger_is_left(folder: Path) -> None:
    for by_key in (False, True):
        with at_terminal(folder, "match", "./breaks.py", *MATCH, "--pdb", "-o", "left.jsonl") as run:
            run.until(PDB)
            if not by_key:
                run.type("q")
            code, shown = run.interrupt() if by_key else run.end()
        assert (code, shown.split("\n")[-2]) == (130, "arena: stopped")
        assert "Traceback" not in run.shown
        assert not (folder / "left.jsonl").exists()


@pytest.mark.slow
def test_a_breakpoint_opens_it_where_it_stands_and_pythonbreakpoint_is_obeyed(folder: Path) -> None:
    with at_terminal(folder, "match", "./stops.py", *MATCH, "--pdb") as run:
        run.until(PDB)
        run.type("p thinking")
        assert "'of a turn'" in run.until(PDB)
        run.type("q")
        assert run.end()[0] == 130
    with at_terminal(folder, "match", "./stops.py", *MATCH, "--pdb", more={"PYTHONBREAKPOINT": "0"}) as run:
        code, shown = run.end()
    assert (code, PDB in shown) == (0, False)
    with at_terminal(folder, "match", "./stops.py", *MATCH, "--pdb", more={"PYTHONBREAKPOINT": "os.getcwd"}) as run:
        code, shown = run.end()
    assert (code, PDB in shown) == (0, False)


def test_refeed_stops_where_the_bot_first_breaks_with_its_state_as_it_was(folder: Path, replay: str) -> None:
    at, line = fault(folder, replay)
    with at_terminal(folder, "refeed", replay, "--entrant", "breaks", "--bot", "./breaks.py", "--pdb") as run:
        shown = run.until(PDB)
        assert shown.startswith("isolation none\nbreaks (0), start:\nready\nbreaks (0), ask ")
        assert shown.count("WARNING:root:turn 1\n") == 1, "shown once, though it was asked twice"
        assert f"\narena: breaks (0) is asked at ask {line['ask']} turn (#{at})\nit sees: " in shown
        assert shown.endswith("turn()\n-> self.turns += 1\n(Pdb) ")
        run.type("p self.turns, self.seat, view.seat")
        assert "(1, 0, 0)" in run.until(PDB)
        run.type("c")
        assert f"broke at ask {line['ask']} turn (#{at}): ValueError: no idea" in run.until(PDB)
        run.type("p secret")
        assert "'of the second turn'" in run.until(PDB)
        run.type("c")
        code, shown = run.end()
    assert code == 1
    assert f"{replay}: #{at}, ask {line['ask']}, turn:" in shown


def test_refeed_stops_at_the_event_that_is_named(folder: Path, replay: str) -> None:
    lines = [json.loads(line) for line in (folder / replay).read_bytes().splitlines()]
    at, first = next((at, line) for at, line in enumerate(lines, 1) if line.get("hook") == "turn" and line["seat"] == 0)
    again = "refeed", replay, "--bot", "./breaks.py", "--pdb", "--at", f"#{at}"
    own = seat_numbers_in(Timeline((folder / replay).read_bytes()), 0).own_ask(first["ask"])
    with at_terminal(folder, "refeed", replay, "--seat", "0", *again[2:5], "--at", f"ask{own}") as run:
        assert f"is asked at ask {own} turn\n" in run.until(PDB)
        run.type("c")
        run.end()
    with at_terminal(folder, *again) as run:
        assert f"is asked at ask {first['ask']} turn (#{at})" in run.until(PDB)
        run.type("p self.turns")
        assert "\n0\n" in run.until(PDB)
        run.type("c")
        code, shown = run.end()
    assert (code, PDB in shown) == (0, False)


def test_a_program_is_not_debugged(folder: Path, replay: str) -> None:
    for words, instead in (
        (("match", "cmd:cat", "greedy"), "play it with: arena match --logs FOLDER"),
        (("refeed", replay, "--seat", "0", "--bot", "cmd:cat"), "without --pdb, --at EVENT prints its view"),
    ):
        with at_terminal(folder, *words, "--pdb") as run:
            code, shown = run.end()
        assert (code, shown.count("\n")) == (2, 1), shown
        assert f"--pdb debugs bots in Python, and cmd:cat is a program; {instead}" in shown


def test_what_does_not_go_together_is_refused(arena: Any, folder: Path, replay: str) -> None:
    refeed = "refeed", folder / replay, "--seat", 0
    for words, expected in (
        (
            ("match", "greedy", "fair", "--logs", "x"),
            "--logs keeps the output of isolated bots; with --pdb it is shown",
        ),
        (("match", "greedy", "fair", "--require", "process"), "level process is required, but trusted bots have"),
        ((*refeed, "--all"), "--pdb stops in one match: leave out --all"),
        (refeed, "--pdb runs the bot that the replay names in arena's own process, without isolation; if you trust"),
        (("match", "greedy", "fair"), "--pdb needs a terminal for standard input and output"),
        (
            (*refeed, "--trust"),
            "--pdb needs a terminal for standard input and output",
        ),
    ):
        ran = arena(*words, "--pdb")
        assert (ran.code, ran.out, ran.err.count("\n"), expected in ran.err) == (2, "", 1, True), ran
