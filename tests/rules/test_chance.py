"""Chance as data: outcomes are fixed for ever, and depend on the event alone."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from arena.games.chance import CHANCE_SCHEME, Chance, ScriptedChance

GOLDEN = Chance("golden")
ROOT = Path(__file__).resolve().parents[2]


def test_the_scheme_is_named() -> None:
    assert CHANCE_SCHEME == "sha256-1"


def test_rolls_are_what_they_always_were() -> None:
    assert [GOLDEN.below(6, "die", turn) for turn in range(1, 13)] == [2, 2, 4, 1, 1, 2, 5, 0, 0, 2, 5, 2]
    assert GOLDEN.below(1000, "end", 10) == 569
    assert GOLDEN.below(2**64, "word") == 9823984023080554872
    assert Chance("é").below(10**9, "die", 1) == 366126776


def test_permutations_are_what_they_always_were() -> None:
    assert GOLDEN.permutation(6, "placards") == (1, 4, 2, 3, 0, 5)
    assert GOLDEN.permutation(9, "initiative", 3, 2) == (8, 5, 4, 2, 7, 1, 6, 0, 3)
    deck = sha256(bytes(GOLDEN.permutation(98, "deck", 0))).hexdigest()
    assert deck == "46e2f63350299df41904d2861c37f0e1049f9f6e7e6093881b7a0e2fdd7ecea7"
    assert GOLDEN.derive("bot", 2) == "65c989cbec61037b13c056d73a9ac51d"


def test_the_scheme_can_be_followed_by_hand() -> None:
    """The first of four big-endian words of the digest, scaled to the faces of the die."""
    word = int.from_bytes(sha256(b"golden/die/7/0").digest()[:8], "big")
    assert GOLDEN.below(6, "die", 7) == word * 6 // 2**64 == 5
    last, other = sha256(b"golden/initiative/3.2/0").digest()[:8], sha256(b"golden/initiative/3.2/0").digest()[8:16]
    order = [0, 1, 2]
    place = int.from_bytes(last, "big") * 3 // 2**64
    order[2], order[place] = order[place], order[2]
    place = int.from_bytes(other, "big") * 2 // 2**64
    order[1], order[place] = order[place], order[1]
    assert GOLDEN.permutation(3, "initiative", 3, 2) == tuple(order)


def test_an_outcome_does_not_depend_on_how_often_anything_was_drawn() -> None:
    worn = Chance("golden")
    for number in range(50):
        worn.below(6, "die", number)
        worn.permutation(98, "deck", number)
    assert worn.below(6, "die", 7) == GOLDEN.below(6, "die", 7)
    assert worn.permutation(6, "placards") == GOLDEN.permutation(6, "placards")


def test_names_numbers_and_seeds_keep_events_apart() -> None:
    drawn = {
        chance.below(2**60, name, *index)
        for chance in (GOLDEN, Chance("golden2"))
        for name in ("die", "end")
        for index in ((), (1,), (1, 2), (12,), (2, 1))
    }
    assert len(drawn) == 20


def test_outcomes_are_even() -> None:
    rolls = [GOLDEN.below(6, "die", turn) for turn in range(6000)]
    assert all(900 < rolls.count(face) < 1100 for face in range(6))
    orders = [GOLDEN.permutation(3, "initiative", turn, 1) for turn in range(6000)]
    assert all(900 < orders.count(order) < 1100 for order in set(orders))
    assert len(set(orders)) == 6


def test_a_permutation_holds_every_number_once() -> None:
    for n in range(0, 99, 7):
        assert sorted(GOLDEN.permutation(n, "deck", n)) == list(range(n))


def test_a_script_decides_what_it_names_and_nothing_else() -> None:
    scripted = ScriptedChance("golden", {("die", 7): 0, ("initiative", 3, 2): (2, 1, 0)})
    assert scripted.below(6, "die", 7) == 0
    assert scripted.permutation(3, "initiative", 3, 2) == (2, 1, 0)
    assert scripted.below(6, "die", 1) == GOLDEN.below(6, "die", 1)
    assert scripted.permutation(6, "placards") == GOLDEN.permutation(6, "placards")


PLAY = """
import random
from hashlib import sha256
import msgspec
from arena.config.editions import load_edition
from arena.games.board import GAME
from arena.games.chance import Chance

digest, rng = sha256(), random.Random(1)
for name, players in (("face2face-2003", 4), ("eagle-gryphon", 5), ("eagle-gryphon", 2)):
    log = []
    state = GAME.start(load_edition(name).rules, players, Chance("one match"), log)
    while state.asks:
        index = state.pending[0]
        legal = state.legal(index)
        digest.update(msgspec.json.encode(state.view(index)))
        state.apply(index, legal[int(rng.random() * len(legal))], log)
    for event in log:
        digest.update(msgspec.json.encode(event))
print(digest.hexdigest(), len(log))
"""


def test_a_match_does_not_depend_on_the_hash_seed() -> None:
    def play(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", PLAY], env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    assert play("1") == play("4242")
