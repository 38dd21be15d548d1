"""``arena show --deals``: what came of each deal, a row each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.replay.read import read_replay, read_replay_lines


@pytest.fixture(params=["eagle-gryphon", "card-game"])
def kept(request: pytest.FixtureRequest, arena: Any) -> Path:
    words = ("greedy", "fair", "hard", "--rules", request.param, "--seed", "7", "-o", "m.jsonl")
    assert arena("match", *words).code == 0
    return Path("m.jsonl")


def test_every_deal_has_a_row_and_the_money_in_the_rows_is_that_of_the_match(arena: Any, kept: Path) -> None:
    found = json.loads(arena("show", "m.jsonl", "--deals", "--json").out)
    assert len(found["deals"]) == len(found["told"]) > 5
    result: Any = read_replay_lines(read_replay(kept))[1][-1]
    got = [0, 0, 0]
    for row in found["told"]:
        for seat, sign, amount in re.findall(r"\((\d)\) (-?)\$(\d+)", row[-1]):
            got[int(seat)] += int(sign + amount)
    start = 100 if found["game"] == "cards" else 0
    moved = [seat.money - each for seat, each in zip(result.seats, got, strict=True)]
    assert len(set(moved)) == 1, "all seats began with the same"
    assert moved[0] >= 0
    assert start == 0 or moved[0] > 0


def test_deals_are_a_table_that_fits_and_begins_each_row_with_its_number(arena: Any, kept: Path) -> None:
    ran = arena("show", "m.jsonl", "--deals")
    assert (ran.code, ran.err) == (0, "")
    heading, *lines = ran.out.splitlines()
    assert heading.split()[0] in ("deal", "round")
    assert max(map(len, ran.out.splitlines())) <= 100
    numbers = [int(line.split()[0]) for line in lines if line[0] != " "]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
def test_deals_are_known_to_every_seat_alike(arena: Any, kept: Path) -> None:
    assert arena("show", "m.jsonl", "--deals", "--seat", 1) == arena("show", "m.jsonl", "--deals")
    ran = arena("show", "m.jsonl", "--deals", "--seat", 7)
    assert ran == (2, "", "arena: there is no seat 7; seats are 0 to 2\n")


def test_a_match_without_deals_says_so(arena: Any) -> None:
    arena("match", "silent", "silent", "--seed", "3", "--set", "max_turns=4", "-o", "m.jsonl")
    assert arena("show", "m.jsonl", "--deals") == (0, "there was no deal\n", "")
