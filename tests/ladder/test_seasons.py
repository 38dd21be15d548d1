"""``arena ladder season``: a season is closed, its seed is published, and everybody can work out all of its deals."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from arena.ladder.database import ladders
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.play.play_ladder import hold_play_lock
from tests.conftest import Arena
from tests.ladder.conftest import SEED


def finish(arena: Arena) -> None:
    assert arena("ladder", "play", "league", "--trust", "--rounds", 1, "-q", "--executor", "serial").code == 0


def test_from_the_published_seed_follow_commitment_rounds_and_deals(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    """With nothing but SHA-256, as `arena docs ladder-evidence` has it."""
    finish(arena)
    ran = arena("ladder", "season", "league", "close")
    assert (ran.code, ran.err) == (0, "season 1 of tiny is closed; season 2 has begun\n")
    assert ran.out.splitlines()[0] == f"seed of season 1: {SEED}"
    seed, committed = rows.execute("SELECT seed, seed_sha256 FROM seasons WHERE number = 1").fetchone()
    assert sha256(seed.encode()).hexdigest() == committed
    checked = 0
    for number, name, block, match_seed in rows.execute(
        "SELECT r.number, m.name, m.block, m.seed FROM matches m JOIN rounds r ON r.id = m.round"
    ).fetchall():
        round_seed = sha256(f"{seed}/round/{number}".encode()).hexdigest()
        entrants = "-".join(sorted(name.rpartition("/")[2].split("-"), key=int))
        told = f"{round_seed}/block/{block}/table/{entrants}"
        assert sha256(told.encode()).hexdigest()[:32] == match_seed
        checked += 1
    assert checked == 36


def test_the_next_season_has_a_seed_of_its_own_and_begins_anew(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    finish(arena)
    found = json.loads(arena("ladder", "season", "league", "close", "--json").out)
    assert [(each["number"], each["seed"]) for each in found] == [(1, SEED), (2, None)]
    held = json.loads((league / "secrets.json").read_text())
    assert sha256(held["tiny.2"].encode()).hexdigest() == found[1]["seed_sha256"]
    assert held["tiny.2"] != SEED
    assert json.loads(arena("ladder", "season", "league", "--json").out) == found
    listed = arena("ladder", "season", "league", "list").out
    assert f"seed 1        {SEED}\n" in listed
    assert "seed 2" not in listed
    finish(arena)
    (first,) = rows.execute("SELECT min(first_match) FROM rounds WHERE season = 2").fetchone()
    assert first == 37
    assert json.loads(arena("ladder", "standings", "league", "--json").out)["season"] == 2
    assert arena("ladder", "check", "league", "-q").code == 0


@pytest.mark.parametrize("state", ["open", "nothing", "played"])
def test_a_season_that_is_not_at_an_end_is_not_closed(
    state: str, arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    problem = "a round of season 1 of tiny is open: finish it first with: arena ladder play league"
    if state == "nothing":
        finish(arena)
        assert arena("ladder", "season", "league", "close").code == 0
        problem = "nothing was played in season 2 of tiny, so it cannot be closed"
    before = rows.execute("SELECT * FROM seasons").fetchall(), (league / "secrets.json").read_bytes()
    if state == "played":
        with hold_play_lock(LadderFolder(league)):
            ran = arena("ladder", "season", "league", "close")
        problem = "is playing a ladder; wait until it ends, or stop it"
    else:
        ran = arena("ladder", "season", "league", "close")
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert (rows.execute("SELECT * FROM seasons").fetchall(), (league / "secrets.json").read_bytes()) == before


def test_a_season_whose_seed_is_lost_is_not_closed(arena: Arena, league: Path, rows: sqlite3.Connection) -> None:
    finish(arena)
    (league / "secrets.json").unlink()
    ran = arena("ladder", "season", "league", "close")
    assert ran.code == 2
    assert "the seed of tiny.1 is missing; restore it from a backup" in ran.err
    assert rows.execute("SELECT ended FROM seasons").fetchall() == [(None,)]


def test_closing_that_is_broken_off_leaves_the_season_open_and_is_done_again(
    arena: Arena, league: Path, rows: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(arena)

    def fail() -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ladders, "utc_now", fail)
        assert arena("ladder", "season", "league", "close").code == 130
    assert rows.execute("SELECT count(*), count(seed) FROM seasons").fetchone() == (1, 0)
    assert arena("ladder", "season", "league", "close").code == 0
    drawn = json.loads((league / "secrets.json").read_text())["tiny.2"]
    (committed,) = rows.execute("SELECT seed_sha256 FROM seasons WHERE number = 2").fetchone()
    assert committed == sha256(drawn.encode()).hexdigest()


def test_nobody_reads_the_deals_to_come_in_the_database(played: Path) -> None:
    held = json.loads((played / "secrets.json").read_text())
    season, (number, facts) = held["tiny.1"], _open_round(played)
    seed = sha256(f"{season}/round/{number}".encode()).hexdigest()
    told = json.loads(facts)
    assert (told["seed"], told["config"]["seed"]) == ("", "")
    with closing(sqlite3.connect(played / "ladder.sqlite")) as database, database:
        dump = "\n".join(database.iterdump())
    assert season not in dump
    assert seed not in dump


def _open_round(folder: Path) -> tuple[int, str]:
    with closing(sqlite3.connect(folder / "ladder.sqlite")) as database, database:
        rows = database.execute("SELECT number, facts FROM rounds WHERE state = 'open'").fetchall()
    ((number, facts),) = rows
    return number, facts
