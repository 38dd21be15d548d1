"""Matches of runs played before are taken over where they would go the same, to the bytes that playing gives."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CopiedRun
from tests.runs.told import told

pytestmark = pytest.mark.slow

SEED = "b7c1d20e9f4a6538e1027d9c54ab36f8"
TOURNAMENT = f"""
name: june
seed: {SEED}
entrants: [greedy, {{bot: fair, name: kind}}, ./mine.py]
editions:
  - {{rules: eagle-gryphon, changes: {{max_turns: 4}}}}
  - {{rules: card-game, seats: 3, changes: {{rounds: {{3: 1}}}}}}
seats: 2
blocks: 1
tables: all
deals: duplicate
isolation: none
"""
JULY = (
    TOURNAMENT.replace("june", "july")
    .replace("./mine.py]", "./mine.py, random-legal]")
    .replace("name: kind", "name: gentle")
)
MINE = """
def turn(self, view):
    return self.choose(view)
"""
FICKLE = """
def turn(self, view):
    moves = self.legal_moves(view)
    return moves[time.time_ns() // 1000 % len(moves)]

offer = turn
"""
OLD = 3 * 2 + 1 * 3
"""Matches of three entrants."""
NEW = 6 * 2 + 4 * 3
"""Matches of four."""


@pytest.fixture
def mine(write_bot: Any) -> Path:
    path: Path = write_bot(MINE, "mine")
    return path


@pytest.fixture
def june(copied_run: CopiedRun, mine: Path, tmp_path: Path) -> Path:
    """A run of three entrants."""
    (tmp_path / "june.yaml").write_text(TOURNAMENT)
    (tmp_path / "july.yaml").write_text(JULY)
    return copied_run(TOURNAMENT, "june", "-j", 1)


@pytest.fixture
def july(copied_run: CopiedRun, mine: Path) -> dict[str, bytes | None]:
    """What a run of four tells in which every match was played."""
    return told(copied_run(JULY, "played", "-j", 1))


def first_line(ran: Any) -> str:
    """What a run says of the matches that it has taken over."""
    return next(line for line in ran.err.splitlines() if line.startswith("taken over"))


def numbers(line: str) -> tuple[int, int]:
    """How many matches were taken over, and how many played again first."""
    words = line.replace("none", "0").split()
    return int(words[2]), int(words[words.index("played") - 1])


def test_with_one_entrant_more_only_its_tables_are_played_and_the_bytes_are_those_of_playing(
    arena: Any, june: Path, july: dict[str, bytes | None], tmp_path: Path
) -> None:
    ran = arena("run", "july.yaml", "--reuse", "june", "-o", "july", "-j", 2, "-q")
    assert ran.code == 0
    assert told(tmp_path / "july") == july
    taken, again = numbers(first_line(ran))
    assert taken + again == OLD
    assert 0 < again <= 3 * 3
    assert f"taken over: {taken} of {NEW} matches ({taken} of june); {again} played again first" in ran.err
    assert json.loads((tmp_path / "july" / "manifest.json").read_text())["reused"] == {"june": taken}
    assert arena("verify", "july").code == 0
    timings = [json.loads(line) for line in (tmp_path / "july" / "timings.jsonl").read_bytes().splitlines()]
    assert [each["id"] for each in timings] == [
        json.loads(line)["id"] for line in (tmp_path / "july" / "matches.jsonl").read_bytes().splitlines()
    ]
    assert {seat["entrant"] for each in timings for seat in each["seats"]} == {
        "greedy", "gentle", "mine", "random-legal",
    }  # fmt: skip


def test_a_changed_bot_plays_its_own_tables_again(arena: Any, june: Path, mine: Path, tmp_path: Path) -> None:
    mine.write_text(mine.read_text() + "\n# version 9\n")
    assert arena("run", "june.yaml", "-o", "played", "-j", 1, "-q").code == 0
    ran = arena("run", "june.yaml", "--reuse", "june", "-o", "again", "-j", 1, "-q")
    assert ran.code == 0
    assert told(tmp_path / "again") == told(tmp_path / "played")
    assert sum(numbers(first_line(ran))) == 1 * 2  # tables without mine


@pytest.mark.parametrize(
    "changes",
    [
        ("--strikes", "2"),
        ("--fault-policy", "forfeit"),
        ("--set", "limits.bank=3"),
        ("--set", "editions=[{rules: eagle-gryphon, changes: {max_turns: 3}}]"),
        ("--set", "deals=fresh", "--set", "name=other"),
        (
            "--set",
            "entrants=[{bot: greedy, options: {greed: 0.7}}, {bot: greedy, name: b, options: {greed: 0.8}}, hard]",
        ),
    ],
)
def test_nothing_is_taken_over_where_anything_that_decides_a_match_differs(
    arena: Any, june: Path, mine: Path, tmp_path: Path, changes: tuple[str, ...]
) -> None:
    ran = arena("run", "june.yaml", *changes, "--reuse", "june", "-o", "again", "-j", 1, "-q")
    assert ran.code == 0, ran.err
    assert numbers(first_line(ran)) == (0, 0)


def test_a_bot_that_does_not_repeat_itself_has_no_match_taken_over_and_is_named(
    arena: Any, write_bot: Any, tmp_path: Path
) -> None:
    write_bot(FICKLE, "mine")
    text = TOURNAMENT.replace("max_turns: 4", "max_turns: 9").replace("[greedy,", "[greedy, silent,")
    (tmp_path / "june.yaml").write_text(text)
    assert arena("run", "june.yaml", "-o", "june", "-j", 1, "-q").code == 0
    ran = arena("run", "june.yaml", "--reuse", "june", "-o", "again", "-j", 1, "-q")
    assert ran.code == 0
    assert "mine does not repeat itself, so none of its matches was taken over: " in ran.err
    assert "greedy does not repeat" not in ran.err
    without = 3 * 2 + 1 * 3
    taken, _ = numbers(first_line(ran))
    assert 0 < taken < without
    verified = arena("verify", "again")
    assert verified.code == 0


def test_a_run_that_has_no_seed_is_told_that_of_the_other(arena: Any, june: Path, tmp_path: Path) -> None:
    (tmp_path / "july.yaml").write_text(JULY.replace(f"seed: {SEED}\n", ""))
    ran = arena("run", "july.yaml", "--reuse", "june", "-o", "july")
    assert (ran.code, ran.err) == (
        2,
        f"arena: --reuse june: matches are the same only with the same seed; add: --seed {SEED}\n",
    )
    other = arena("run", "june.yaml", "--seed", "9", "--reuse", "june", "-o", "july", "-q")
    assert other.code == 2
    assert f"--reuse june: no match of it can be taken over: seed is {SEED} there, 9 here\n" in other.err
    assert not (tmp_path / "july").exists()


@pytest.mark.parametrize(
    ("key", "value", "told_so"),
    [
        ("arena", "0.0.1", "arena is 0.0.1 there, "),
        ("replay_format", "arena-replay/1", "replay_format is arena-replay/1 there, "),
        ("chance", "other", "chance is other there, "),
    ],
)
def test_a_run_of_another_arena_is_refused(
    arena: Any, june: Path, tmp_path: Path, key: str, value: str, told_so: str
) -> None:
    path = june / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    ran = arena("run", "july.yaml", "--reuse", "june", "-o", "july", "-q")
    assert ran.code == 2
    assert told_so in ran.err
    assert not (tmp_path / "july").exists()


def test_a_folder_without_a_run_is_refused(arena: Any, june: Path, tmp_path: Path) -> None:
    ran = arena("run", "july.yaml", "--reuse", "jun", "-o", "july", "-q")
    assert ran.code == 2
    assert "jun holds no run: jun/manifest.json is missing" in ran.err
    assert not (tmp_path / "july").exists()


def test_a_result_that_its_replay_does_not_bear_out_is_not_taken_over(
    arena: Any, june: Path, july: dict[str, bytes | None], tmp_path: Path
) -> None:
    path = june / "matches.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"money":', b'"money":1'))
    ran = arena("run", "july.yaml", "--reuse", "june", "-o", "july", "-j", 1, "-q")
    assert ran.code == 0
    assert numbers(first_line(ran))[0] == 0
    assert "its replay cannot be taken over: money of seat 0 is 1" in ran.err
    assert told(tmp_path / "july") == july


def test_matches_of_several_runs_are_taken_over_and_stopped_runs_will_do(
    arena: Any, june: Path, july: dict[str, bytes | None], tmp_path: Path
) -> None:
    shutil.copytree(june, tmp_path / "half")
    lines = (june / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (june / "matches.jsonl").write_bytes(b"".join(lines[4:][::-1]))
    (tmp_path / "half" / "matches.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:20])
    ran = arena("run", "july.yaml", "--reuse", "june", "--reuse", "half", "-o", "july", "-j", 1, "-q")
    assert ran.code == 0
    assert sum(numbers(first_line(ran))) == OLD
    assert told(tmp_path / "july") == july


def test_a_run_that_goes_on_takes_over_too(
    arena: Any, june: Path, july: dict[str, bytes | None], tmp_path: Path
) -> None:
    (tmp_path / "played").rename(tmp_path / "july")
    path = tmp_path / "july" / "matches.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:4]))
    ran = arena("run", "--trust", "--resume", "july", "--reuse", "june", "-j", 1, "-q")
    assert ran.code == 0
    assert numbers(first_line(ran))[0] > 0
    assert told(tmp_path / "july") == july


@pytest.mark.usefixtures("pool")
def test_matches_with_faults_that_clocks_decide_are_played_again(arena: Any, write_bot: Any, tmp_path: Path) -> None:
    write_bot(
        "def turn(self, view):\n    os.kill(os.getpid(), 9 if self.random.random() < 0.1 else 0)\n    raise ValueError",
        "mine",
    )
    cards = "  - {rules: card-game, seats: 3, changes: {rounds: {3: 1}}}\n"
    assert cards in TOURNAMENT
    text = TOURNAMENT.replace("none\n", "process\n").replace(cards, "")
    (tmp_path / "june.yaml").write_text(text)
    assert arena("run", "june.yaml", "-o", "june", "-j", 1, "-q").code == 0
    records = [json.loads(line) for line in (tmp_path / "june" / "matches.jsonl").read_bytes().splitlines()]
    kinds = [{kind for seat in each["seats"] for kind in seat["faults"]} for each in records]
    assert {"broken"} in kinds
    assert any("dead" in each for each in kinds)
    ran = arena("run", "june.yaml", "--reuse", "june", "-o", "again", "-j", 1, "-q")
    assert ran.code == 0
    assert sum(numbers(first_line(ran))) == sum("dead" not in each for each in kinds)
    other = arena("run", "june.yaml", "--trust", "--reuse", "june", "-o", "trusted", "-j", 1, "-q")
    assert sum(numbers(first_line(other))) == sum(not each for each in kinds)


def test_a_damaged_replay_is_named_and_its_match_is_played(
    arena: Any, june: Path, july: dict[str, bytes | None], tmp_path: Path
) -> None:
    pack = june / "replays" / "0000.zst"
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 0xFF
    pack.write_bytes(content)
    taken = arena("run", "july.yaml", "-o", "taken", "--reuse", "june", "-q")
    assert taken.code == 0
    assert "damaged" in taken.err
    assert "that match is played" in taken.err
    assert told(tmp_path / "taken") == july
