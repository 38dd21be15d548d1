"""A tournament file may mix games, each edition at table sizes of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TOURNAMENT = """
name: mix
seed: 5
entrants: [random-legal, silent, {bot: silent, name: quiet}, {bot: silent, name: still}]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 4}, seats: [2, 4]}
  - card-game
seats: 3
tables: all
isolation: none
"""
LABELS = ("eagle-gryphon+set-9156c083-2p", "eagle-gryphon+set-9156c083-4p", "card-game-3p")


@pytest.fixture
def mix(tmp_path: Path) -> Path:
    path = tmp_path / "mix.yaml"
    path.write_text(TOURNAMENT)
    return path


def test_each_edition_is_played_at_its_own_table_sizes(arena: Any, mix: Path) -> None:
    found = json.loads(arena("run", mix, "--dry-run", "--json").out)
    assert found["by_edition"] == dict(zip(LABELS, (6 * 2, 4, 4 * 3), strict=True))


def test_a_mixed_run_has_standings_per_edition_per_game_and_together(arena: Any, mix: Path, tmp_path: Path) -> None:
    ran = arena("run", mix, "-o", "out", "-q")
    assert ran.code == 0, ran.err
    data = json.loads((tmp_path / "out" / "standings.json").read_text())
    assert {name: (each["games"], each["unit"], each["matches"]) for name, each in data.items()} == {
        LABELS[0]: (["board"], "$M", 12),
        LABELS[1]: (["board"], "$M", 4),
        LABELS[2]: (["cards"], "$", 12),
        "board": (["board"], "$M", 16),
        "all": (["board", "cards"], None, 28),
    }
    for each in data.values():
        played = [row["beaten"]["mean"] for row in each["rows"]]
        assert sum(played) == pytest.approx(len(played) / 2, abs=1e-5)
    headings = [line for line in (tmp_path / "out" / "standings.md").read_text().splitlines() if line.startswith("## ")]
    assert headings == [f"## {name}" for name in data]
    together = "all: 28 matches of all editions of board and cards in 1 block, 0 void. Ordered by beaten"
    assert together in " ".join(ran.out.split())
    assert arena("standings", "out").out.partition("Exploratory")[0] in ran.out
    assert arena("verify", "out").out.startswith("28 replays verified\nout: complete, 28 of 28 matches; ")


@pytest.mark.slow
def test_who_has_no_bot_for_one_of_the_games_is_told(arena: Any, mix: Path) -> None:
    mix.write_text(mix.read_text().replace("random-legal", "hoarder").replace("max_turns: 4", "max_turns: 1"))
    line = "some entrants do not play the game cards, so defaults are played for them there: hoarder\n"
    for arguments in (["--dry-run"], ["-q", "-o", "out"]):
        assert arena("run", mix, *arguments).err.count(line) == 1


def test_a_record_of_another_game_than_its_replay_is_found(arena: Any, mix: Path, tmp_path: Path) -> None:
    assert arena("run", mix, "-o", "out", "-q").code == 0
    matches = tmp_path / "out" / "matches.jsonl"
    matches.write_text(matches.read_text().replace('"game":"cards"', '"game":"board"', 1))
    ran = arena("verify", "out", "-q")
    assert (ran.code, " is of another match: game is " in ran.out) == (3, True)
    ran = arena("standings", "out")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "arena: the edition 'card-game-3p' has matches of several games: board and cards\n"


def test_a_match_counts_money_in_its_games_unit(arena: Any) -> None:
    ran = arena("match", "random-legal", "silent", "silent", "--rules", "card-game", "--seed", "1", "-o", "m.jsonl")
    assert ran.out.splitlines()[0].split() == ["rank", "seat", "bot", "$", "ended", "faults"]
    told = arena("show", "m.jsonl").out.splitlines()[-3:]
    assert all("$" in line and not line.endswith("M") for line in told)


MISTAKES = {
    "seats: 3": ("seats: 2", "8:8: seats: card-game is for 3 to 6 players, got 2; give editions[1] 'seats' of its own"),
    "- card-game": (
        "- {rules: card-game, seats: 2}",
        "7:31: editions[1].seats: card-game is for 3 to 6 players, got 2",
    ),
    "  - card-game": (
        "  - {rules: eagle-gryphon, changes: {max_turns: 4}, seats: [3, 2]}",
        "7:5: editions[1]: eagle-gryphon+set-9156c083 is already played at 2 seats, further up",
    ),
}


@pytest.mark.parametrize("old", MISTAKES)
def test_wrong_seats_are_told_where_they_stand(old: str, arena: Any, mix: Path) -> None:
    new, problem = MISTAKES[old]
    mix.write_text(TOURNAMENT.replace(old, new))
    assert arena("run", mix, "-o", "out") == (2, "", f"arena: {mix}:{problem}\n")
