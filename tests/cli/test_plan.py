"""``arena plan``: how long a tournament must be, from a pilot."""

from __future__ import annotations

import json
import re
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from arena.match.work import this_host
from tests.conftest import CopiedRun
from tests.played_run import play_run

TOURNAMENT = """
name: tiny
seed: "3"
entrants: [greedy, random-legal, silent, {bot: greedy, name: greedier, options: {greed: 0.8}}]
editions: [{rules: eagle-gryphon, changes: {max_turns: 3}}]
seats: 2
blocks: 6
isolation: none
measures: {poor: {of: money, below: 20}}
"""


@pytest.fixture(autouse=True)
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "tiny.yaml").write_text(TOURNAMENT)
    return tmp_path


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is played once."""
    return play_run(tmp_path_factory.mktemp("once"), TOURNAMENT)


@pytest.fixture
def played(once: Path, tiny: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(once, tiny / "run"))


def test_a_pilot_that_is_played_says_what_is_needed_and_keeps_nothing(arena: Any, tiny: Path) -> None:
    ran = arena("plan", "tiny.yaml", "--pilot", 4, "--half-width", "10%", "-j", 1)
    assert ran.code == 0, ran.err
    assert ran.err.startswith("pilot: 4 blocks, 16 matches, seed 3, 1 process; nothing is kept\n")
    lines = ran.out.splitlines()
    assert re.fullmatch(r"eagle-gryphon\S+-2p: a pilot of 4 blocks", lines[0])
    assert re.split("  +", lines[2].strip()) == ["widest", "now", "wanted", "blocks", "range", "time"]
    named = [re.split("  +", line)[0] for line in lines[4:8]]
    assert named == ["win rate", "beaten", "matchpoints", "poor"]
    assert all("±10 %" in line for line in lines[4:8])
    assert max(map(len, lines)) <= 100
    assert "4 blocks are too few for a pilot; --pilot 10." in lines
    (again,) = [line.strip() for line in lines if line.startswith("  arena run")]
    assert re.fullmatch(r"arena run tiny.yaml --blocks \d+", again)
    assert sorted(path.name for path in tiny.iterdir()) == ["tiny.yaml"]


@pytest.mark.parametrize("width", [50, 80])
def test_a_narrow_terminal_loses_columns_and_is_told_which(
    arena: Any, played: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    between = ("--between", "greedy", "random-legal", "--money", 2, "--half-width", "1%")
    ran = arena("plan", "--from", "run", "-j", 1, *between)
    assert ran.code == 0
    text = [line for line in ran.out.splitlines() if not line.startswith(("eagle-gryphon", "  arena run"))]
    assert max(map(len, text)) <= width
    flat = " ".join(ran.out.split())
    dropped = {50: "more, time, range", 80: "more"}[width]
    assert f"Too wide for this terminal: {dropped}" in flat
    assert "; --json has them." in flat


@pytest.mark.slow
def test_the_number_of_blocks_is_one_that_arena_run_takes(arena: Any) -> None:
    found = json.loads(arena("plan", "tiny.yaml", "--pilot", 3, "--half-width", "40%", "-q", "-j", 1, "--json").out)
    assert found["cycle"] > 1
    blocks = max(row["blocks"] for row in found["rows"])
    assert blocks % found["cycle"] == 0
    dry = arena("run", "tiny.yaml", "--blocks", blocks, "--dry-run", "--pilot", 3, "--json", "-j", 1)
    assert dry.code == 0
    assert json.loads(dry.out)["matches"] == max(row["matches"] for row in found["rows"])


def test_a_run_says_what_it_still_needs_without_playing(arena: Any, played: Path) -> None:
    before = {path: path.read_bytes() for path in played.rglob("*") if path.is_file()}
    wanted = ("--half-width", "10%", "--money", 2, "--rank", 0.2, "--between", "greedy", "silent", "-j", 1)
    ran = arena("plan", "--from", "run", *wanted)
    assert (ran.code, ran.err) == (0, "")
    assert "mean money" in ran.out
    flat = " ".join(ran.out.split())
    assert "range more time" in flat
    assert "too few for a pilot" not in flat, "6 blocks will do"
    assert f"(as fast as the pilot was, on this machine: {this_host()})" in flat
    assert "mean rank" in ran.out
    assert "greedy – silent" in ran.out
    assert "find 5 %" in ran.out
    assert "*Find* means: with a probability of 90 %" in " ".join(ran.out.split())
    assert re.search(r"^  arena run --resume run --trust --blocks \d+$", ran.out, re.MULTILINE)
    assert {path: path.read_bytes() for path in played.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_where_pairs_decide_it_says_how_many_blocks_do_without_them(arena: Any, copied_run: CopiedRun) -> None:
    copied_run(TOURNAMENT.replace("seats: 2", "seats: 2\ntables: all"), "all", "-j", 1)
    words = ("plan", "--from", "all", "--money", 2, "-j", 1)
    rows = json.loads(arena(*words, "--json").out)["rows"]
    single = max(row["blocks"] for row in rows if row["what"] != "pair's money")
    assert single < max(row["blocks"] for row in rows)
    assert f"\nWithout the pairs: {single:,} blocks.\n" in arena(*words).out
    assert " Of a pair: how much more money one has. From 6 blocks" in " ".join(arena(*words).out.split())
    assert "Without the pairs" not in arena(*words, "--rank", 0.05).out, "here the mean rank decides"


def test_a_narrow_terminal_holds_the_table(arena: Any, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = arena("plan", "--from", "run", "--money", 2, "--between", "random-legal", "greedier", "--money-difference", 3)
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 80


def test_what_is_reached_needs_no_more_blocks(arena: Any, played: Path) -> None:
    ran = arena("plan", "--from", "run", "--rank", 5)
    assert ran.code == 0
    assert "win rate" not in ran.out, "only what is asked for is told"
    assert "All goals are reached: 3 blocks are enough, and 6 are finished." in ran.out
    assert "--resume" not in ran.out


def test_what_nobody_can_play_is_said(arena: Any, played: Path) -> None:
    ran = arena("plan", "--from", "run", "--half-width", "0.000001%")
    assert ran.code == 0
    assert "more than can be played" in ran.out
    assert "All goals together need more blocks than can be played" in ran.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name either a tournament file, or a run with --from DIR"),
        (("tiny.yaml", "--from", "run"), "name either a tournament file, or a run with --from DIR"),
        (("--from", "run", "--seed", "3"), "--seed, --set and --trust are for a new pilot"),
        (("--from", "run", "--difference", "3%"), "are for two entrants: name them with --between A B"),
        (("--from", "run", "--between", "silent", "silent"), "expected two different entrants, got silent twice"),
        (
            ("--from", "run", "--half-width", "2"),
            "expected a share above 0 and below 100 %, such as 2% or 0.02, got '2'",
        ),
        (("--from", "run", "--half-width", "nan"), "expected a share above 0 and below 100 %"),
        (("--from", "run", "--money", "inf"), "expected a number above 0, got 'inf'"),
        (("--from", "run", "--money", "-1"), "expected a number above 0, got '-1'"),
        (("--from", "run", "--between", "greedy", "silnet"), "no entrant 'silnet' (did you mean 'silent'?)"),
        (("tiny.yaml", "--pilot", "2"), "2 is not in the range"),
        (("tinny",), "no tournament file 'tinny'"),
    ],
)
def test_mistakes_are_told_in_a_line(arena: Any, played: Path, words: tuple[str, ...], told: str) -> None:
    ran = arena("plan", *words)
    assert (ran.code, ran.out) == (2, "")
    assert told in " ".join(ran.err.split())
    assert "Traceback" not in ran.err


def test_a_run_with_too_few_whole_blocks_is_refused(arena: Any, played: Path) -> None:
    matches = played / "matches.jsonl"
    matches.write_bytes(b"".join(matches.read_bytes().splitlines(keepends=True)[:11]))
    ran = arena("plan", "--from", "run")
    assert ran.code == 2
    assert re.search(r"expected 3 complete blocks of \S+ or more to estimate how blocks differ, got 2", ran.err)


@pytest.mark.parametrize("line", ["format: knockout\nseats: 2", "format: swiss\nrounds: 2\nseats: 2"])
def test_a_format_that_settles_its_length_is_refused(arena: Any, tiny: Path, line: str) -> None:
    text = TOURNAMENT.replace("seats: 2\nblocks: 6\n", f"{line}\n")
    (tiny / "other.yaml").write_text(text)
    ran = arena("plan", "other.yaml", "-j", 1)
    assert ran.code == 2
    assert "expected a round robin or a gauntlet, whose blocks are all alike" in ran.err


def test_a_share_of_a_run_is_refused(arena: Any) -> None:
    assert arena("run", "tiny.yaml", "--shard", "1/2", "-o", "part", "-q", "-j", 1).code == 0
    ran = arena("plan", "--from", "part")
    assert ran.code == 2
    assert "part is share 1/2 of a run; merge all shares first: arena merge" in ran.err


@pytest.mark.slow
def test_a_pilot_that_is_stopped_tells_nothing(tiny: Path, write_bot: Any, launch: Any) -> None:
    write_bot("def turn(self, view):\n    time.sleep(0.2)\n    return self.play_on(view)\n", "slow")
    (tiny / "slow.yaml").write_text(TOURNAMENT.replace("silent", "./slow.py"))
    run = launch("plan", "slow.yaml", "-j", 1)
    assert b"nothing is kept" in run.stderr.readline()
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=30)
    assert run.returncode == 130
    assert out == b""
    assert b"stopped: an incomplete pilot cannot be used; play a smaller one with --pilot 3" in err
