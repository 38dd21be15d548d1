"""How hard a seed is to guess is rather told too low than too high."""

from __future__ import annotations

import random

import pytest

from arena.tournament.schedule.seed_strength import DRAWN_BITS, SECRET_BITS, is_guessable, seed_bits

CHOSEN = {
    "42": 6,
    "2026": 11,
    "20261122": 25,
    "007": 3,
    "friday": 13,
    "fri": 13,
    "ok": 9,
    "FRIDAY": 13,
    "FridayNightLeague2026": 50,
    "friday night, the 20th": 56,
    "correct horse battery staple": 52,
    "a-seed-that-nobody-shall-know": 69,
    "2026-11-22T10:00:00Z": 33,
    "P4ssw0rd": 33,
    "deadbeef": 13,
    "ünï": 13,
    "!?!?!?!?!?!?!?!?!?!?!?!?": 0,
    "": 0,
}


@pytest.mark.parametrize("seed", CHOSEN)
def test_a_seed_that_a_person_thinks_up_is_guessable(seed: str) -> None:
    assert is_guessable(seed)
    assert seed_bits(seed) <= CHOSEN[seed] + 1


@pytest.mark.parametrize(
    "seed", ["a" * 64, "deadbeef" * 8, "1234567890" * 5, "0123456789abcdef" * 4, "1" * 99, "friday" * 20, "0" * 4000]
)
def test_what_is_repeated_counts_once(seed: str) -> None:
    assert is_guessable(seed)


@pytest.mark.parametrize("bits", [16, 64, 79, 80, 128])
def test_a_number_has_as_many_bits_as_it_is_long(bits: int) -> None:
    number = f"{random.Random(bits).getrandbits(bits) | 1 << bits - 1}"
    assert seed_bits(number) == seed_bits(f"000{number}") == bits
    assert is_guessable(number) == (bits < SECRET_BITS)


def test_a_drawn_seed_has_nearly_all_its_bits() -> None:
    source = random.Random(1)
    for _ in range(500):
        drawn = f"{source.getrandbits(DRAWN_BITS):032x}"
        assert 100 <= seed_bits(drawn) <= DRAWN_BITS
        assert seed_bits(drawn.upper()) == seed_bits(drawn)
        assert not is_guessable(drawn)


def test_seven_words_drawn_by_dice_are_enough_and_six_are_not() -> None:
    words = ["clasp", "umber", "tusk", "ferry", "quilt", "onion", "gravel"]
    assert is_guessable(" ".join(words[:6]))
    assert not is_guessable(" ".join(words))


def test_base64_that_was_drawn_is_not_taken_for_words() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    source = random.Random(2)
    drawn = ["".join(source.choices(letters, k=32)) for _ in range(500)]
    assert sum(map(is_guessable, drawn)) <= 5
    assert not is_guessable("fHWjnDRSK0FT1PAyL3NDQg==")
