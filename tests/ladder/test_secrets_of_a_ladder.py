"""No submitted bot comes by the seed of a season or the token of an author; and where one has, it is told."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from arena.finding.files import BotFile, digest_of
from arena.finding.reference import BotRef
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.entry.admission_rows import NewVersion, admit_version
from tests.conftest import HEAD, Arena
from tests.ladder.conftest import SEED

THIEF = (
    HEAD
    + """
    def turn(self, view):
        from pathlib import Path
        for name in ("ann.token", "league/secrets.json", "league/ladder.sqlite", "weights.json"):
            if Path(__file__).parent.joinpath(name).exists():
                raise RuntimeError(f"I have {name}")
        return self.legal_moves(view)[0]
"""
)


@pytest.fixture
def token(arena: Arena, league: Path) -> str:
    """The token of ann, which lies in a file as in the pages' example, beside the ladder."""
    made = arena("ladder", "author", "league", "ann").out
    (league.parent / "ann.token").write_text(made)
    return made.strip()


def copies(league: Path, text: str) -> list[Path]:
    """The files of versions in which the text stands."""
    return [path for path in (league / "versions").rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def put_in(league: Path, bot: str, **contents: str) -> None:
    """A version that came in while ladders took what files named in quotes; names have ``_`` for dots."""
    place = LadderFolder(league)
    files = (BotFile("bot.py", HEAD.encode()), *(BotFile(name, text.encode()) for name, text in contents.items()))
    database = open_database(place.database, place.shown, write=True)
    ref = BotRef(name="bot.py", sha256=digest_of(files), file="bot.py", files=files)
    admit_version(place, database, find_ladder(database), NewVersion(bot, "mira", ref))
    database.close()


@pytest.mark.slow
def test_a_bot_of_one_file_gets_neither_tokens_nor_seeds_by_naming_them(arena: Arena, league: Path, token: str) -> None:
    (league.parent / "thief.py").write_text(THIEF)
    (league.parent / "weights.json").write_text("{}")
    ran = arena("ladder", "submit", "league", "./thief.py", "--json", "-j", 1)
    assert ran.err.startswith(
        f"taking thief.py, {len(THIEF)} bytes\n"
        "not submitted, although thief.py names these files beside it: weights.json; add files of the bot with --file "
        "NAME, or put them in one folder with the bot and submit the folder\n"
        "thief.py names files that no bot may have: ann.token, league/secrets.json, league/ladder.sqlite (tokens, "
        "results, ladders, hidden files, and files readable only by their owner); check why it names them\n"
        "checking thief"
    )
    found = json.loads(ran.out)
    assert (ran.code, found["admitted"], found["report"]["played"]["faults"]) == (0, True, [])
    assert found["files"] == [{"path": "thief.py", "bytes": len(THIEF)}]
    assert {each["path"]: each["secret"] for each in found["beside"]} == {
        "weights.json": False, "ann.token": True, "league/secrets.json": True, "league/ladder.sqlite": True,
    }  # fmt: skip
    assert copies(league, token) == copies(league, SEED) == []


def test_all_that_is_taken_is_listed_with_its_size_before_anything_is_built_or_checked(
    arena: Arena, league: Path
) -> None:
    (league.parent / "thief.py").write_text(HEAD)
    (league.parent / "data").mkdir()
    (league.parent / "data/table.bin").write_bytes(b"x" * 1200)
    ran = arena(
        "ladder", "submit", "league", "./thief.py", "--file", "data", "--build", "sh -c 'exit 1'", "-j", 1, "--json"
    )
    lines = ran.err.splitlines()
    assert lines[:4] == [
        f"taking 2 files, {1200 + len(HEAD):,} bytes:",
        f"  {len(HEAD):>11,}  thief.py",
        "        1,200  data/table.bin",
        "building thief: sh -c 'exit 1'",
    ]
    assert {each["path"]: each["bytes"] for each in json.loads(ran.out)["files"]}["data/table.bin"] == 1200


@pytest.mark.parametrize("named", ["./", "./bot.py --file ann.token"])
def test_a_token_of_this_ladder_is_not_taken_from_a_folder_nor_where_it_is_named(
    named: str, arena: Arena, league: Path, token: str
) -> None:
    (league.parent / "bot.py").write_text(THIEF)
    ran = arena("ladder", "submit", "league", *named.split(), "--name", "thief")
    assert ran.code == 1
    told = " ".join(ran.out.split())
    assert "ann.token holds the token of author ann, which no bot may have; remove it from the submitted files" in told
    assert "arena ladder author league ann --new-token" in told
    assert "checking" not in ran.err
    assert copies(league, token) == []


def test_a_copy_of_the_seed_is_not_taken_nor_what_a_build_has_made_of_it(arena: Arena, league: Path) -> None:
    (league.parent / "bot.py").write_text(f'{THIEF}SEED = "{SEED}"\n')
    ran = arena("ladder", "submit", "league", "./bot.py")
    assert "bot.py holds the seed of season 1 of tiny, which no bot may have" in " ".join(ran.out.split())
    (league.parent / "bot.py").write_text(THIEF)
    steal = f"sh -c 'cat {league}/secrets.json > seeds'"
    ran = arena("ladder", "submit", "league", "./bot.py", "--build", steal, "--trust")
    assert "seeds holds the seed of season 1 of tiny, which no bot may have" in " ".join(ran.out.split())
    assert "checking" not in ran.err
    assert copies(league, SEED) == []


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("league/secrets.json", "league/secrets.json lies in"),
        ("league", "the folder of ladders, and bots may not use files from there"),
    ],
)
def test_what_lies_in_a_ladder_is_refused_where_it_is_named(named: str, told: str, arena: Arena, league: Path) -> None:
    (league.parent / "thief.py").write_text(THIEF)
    ran = arena("ladder", "submit", "league", "./thief.py", "--file", named)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_an_anchor_is_given_nothing_that_it_names(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "anchor.py").write_text(THIEF)
    (tmp_path / "weights.json").write_text("{}")
    (tmp_path / "new.yaml").write_text("name: new\nrules: eagle-gryphon\nseats: 2\nanchors: [./anchor.py]\n")
    ran = arena("ladder", "init", "new", "--config", "new.yaml")
    assert "not submitted, although anchor anchor names these files beside it: weights.json; add files of" in ran.err
    assert [path.name for path in (tmp_path / "new/versions").rglob("*") if path.is_file()] == ["anchor.py"]


def test_a_check_says_which_version_has_which_secret_and_what_must_be_done(
    arena: Arena, league: Path, token: str
) -> None:
    put_in(league, "eve", **{"ann.token": f"{token}\n", "league/secrets.json": (league / "secrets.json").read_text()})
    put_in(league, "joe", **{"notes.txt": f"the seed is x{SEED}x, they say"})
    seed = "the seed of season 1 of tiny, which its bot may have read; close that season: "
    close = "arena ladder season league close --ladder tiny"
    token_of_ann = "the token of author ann, which its bot may have read; replace that token: "
    expected = [
        f"eve:1: its file ann.token holds {token_of_ann}arena ladder author league ann --new-token",
        f"eve:1: its file league/secrets.json holds {seed}{close}",
        f"joe:1: its file notes.txt holds {seed}{close}",
    ]
    ran = arena("ladder", "check", "league", "-q")
    assert (ran.code, sorted(ran.out.splitlines())) == (3, expected)
    (league / "secrets.json").unlink()
    ran = arena("ladder", "check", "league", "-q", "--no-secrets")
    assert (ran.code, sorted(ran.out.splitlines())) == (3, expected[:2])


def test_when_the_season_is_closed_and_the_token_replaced_nothing_is_wrong_any_more(
    arena: Arena, league: Path, token: str
) -> None:
    put_in(league, "eve", **{"ann.token": token, "secrets.json": (league / "secrets.json").read_text()})
    refused = arena("ladder", "backup", "league", "copy")
    assert (refused.code, refused.out) == (2, "")
    assert "a copy without secrets cannot be made while a secret is in another file: eve:1: its file" in refused.err
    assert "(and 1 more, see: arena ladder check)" in refused.err
    assert not (league.parent / "copy").exists()
    assert arena("ladder", "backup", "league", "whole", "--with-secrets").code == 0

    assert arena("ladder", "author", "league", "ann", "--new-token").code == 0
    assert arena("ladder", "play", "league", "--rounds", 1, "-q", "--executor", "serial").code == 0
    assert arena("ladder", "season", "league", "close").code == 0
    assert arena("ladder", "check", "league", "-q").code == 0
    assert arena("ladder", "backup", "league", "copy").code == 0
    new = json.loads((league / "secrets.json").read_text())["tiny.2"]
    assert not [path for path in (league.parent / "copy").rglob("*") if path.is_file() and new in path.read_text("l1")]


def test_what_a_bot_had_written_into_the_database_is_told_and_not_copied(
    arena: Arena, league: Path, rows: sqlite3.Connection
) -> None:
    rows.execute("UPDATE versions SET report = ? WHERE id = 3", (json.dumps({"tiny": {"build": f"seed {SEED}"}}),))
    ran = arena("ladder", "check", "league", "-q")
    assert (ran.code, ran.out) == (
        3,
        (
            "first:1: the report of its check holds the seed of season 1 of tiny; close that season: "
            "arena ladder season league close --ladder tiny\n"
        ),
    )
    for copy in ("copy.sqlite", "copy"):
        assert arena("ladder", "backup", "league", copy).code == 2
        assert not (league.parent / copy).exists()
