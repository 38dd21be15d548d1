"""``arena picture``: what it prints, writes and refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from .drawings import GOLDEN
from .make import PICTURE, made

BOARD, CARDS = GOLDEN / "schmidt-1994-3p.jsonl", GOLDEN / "card-game-3p.jsonl"


def test_the_deals_are_listed(arena: Any) -> None:
    ran = arena("picture", str(BOARD), "--list")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(1, len(lines) + 1))
    assert all("  space " in line and ("closes for $" in line or "nobody gets" in line) for line in lines)
    assert all(len(line) <= 100 for line in lines)


@pytest.mark.parametrize(("replay", "sum_of"), [(BOARD, r"closes for \$(\d+)M"), (CARDS, None)])
def test_without_a_number_the_deal_that_paid_most_is_drawn(arena: Any, replay: Path, sum_of: str | None) -> None:
    drawn = arena("picture", str(replay))
    number = int(drawn.err.split()[1])
    assert drawn.out == arena("picture", str(replay), "--deal", number).out
    if sum_of is not None:
        paid = [
            int((re.findall(sum_of, line) or [0])[0]) for line in arena("picture", replay, "--list").out.splitlines()
        ]
        assert paid[number - 1] == max(paid) > 0


def test_a_picture_is_printed_or_written_to_a_file(arena: Any, tmp_path: Path) -> None:
    printed = arena("picture", str(BOARD), "--deal", "2")
    assert (printed.code, printed.err) == (0, "")
    assert ElementTree.fromstring(printed.out).tag == "{http://www.w3.org/2000/svg}svg"
    (tmp_path / "new").mkdir()
    written = arena("picture", str(BOARD), "--deal", "2", "--out", "new/deal.svg")
    assert (written.code, written.out, written.err) == (0, "", "picture new/deal.svg\n")
    assert (tmp_path / "new" / "deal.svg").read_text(encoding="utf-8") == printed.out


def test_rounds_of_the_card_game_are_drawn_too(arena: Any) -> None:
    assert arena("picture", str(CARDS), "--list").out.startswith("   1  ")
    assert "Round 2: " in arena("picture", str(CARDS), "--deal", "2", "--seat", "0").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((BOARD, "--deal", "99"), "there is no deal 99; there are deals 1 to "),
        ((CARDS, "--deal", "99"), "there is no round 99; there are rounds 1 to "),
        ((BOARD, "--deal", "1", "--seat", "3"), "there is no seat 3; seats are 0 to 2"),
        ((BOARD, "--seat", "1", "--list"), "--list draws nothing; leave out --deal, --seat and --out"),
        ((BOARD, "--deal", "0"), "0 is not in the range x>=1"),
        (("cut.jsonl", "--deal", "1"), "cut.jsonl: line 40: cut off: the result is missing"),
        (("none.jsonl", "--deal", "1"), "none.jsonl: there is no deal 1; none was opened"),
        (("wrong.jsonl", "--deal", "6"), "wrong.jsonl: its lines contradict each other ("),
        ((BOARD, "--deal", "1", "--out", "cut.jsonl/x.svg"), "cannot be written: Not a directory"),
    ],
)
def test_mistakes_are_answered_in_a_line(arena: Any, tmp_path: Path, words: Any, message: str) -> None:
    lines = BOARD.read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:40]))
    before = [line for line in lines if line.startswith((b'{"event":"match"', b'{"event":"result"'))]
    (tmp_path / "none.jsonl").write_bytes(b"".join(before))
    bare = [line for line in lines if not line.startswith(b'{"event":"laid"')]
    (tmp_path / "wrong.jsonl").write_bytes(b"".join(bare))
    ran = arena("picture", *map(str, words))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_a_match_without_deals_says_so(arena: Any, tmp_path: Path) -> None:
    lines = BOARD.read_bytes().splitlines(keepends=True)
    (tmp_path / "none.jsonl").write_bytes(lines[0] + lines[-1])
    assert arena("picture", "none.jsonl") == (0, "", "none.jsonl: no deal was opened\n")


def test_a_replay_that_names_the_wrong_game_is_refused(arena: Any, tmp_path: Path) -> None:
    content = BOARD.read_bytes().replace(b'"game":"board"', b'"game":"cards"', 1)
    (tmp_path / "other.jsonl").write_bytes(content)
    ran = arena("picture", "other.jsonl")
    assert ran.code == 2
    assert ran.err.startswith("arena: other.jsonl: line ")


@pytest.mark.slow
def test_the_picture_in_the_pages_is_what_their_commands_draw(tmp_path: Path) -> None:
    assert made(tmp_path) == PICTURE.read_bytes(), "remake it with: python tests/picture/make.py"
