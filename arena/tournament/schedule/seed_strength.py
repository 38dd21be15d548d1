"""How hard a seed is to guess: an estimate from its text alone, in bits, that rather says too little.

A bot can try seeds until one deals it the hand that it holds: hundreds of thousands a second and core. A seed that is
to be a secret must have more values than anybody can try.
"""

from __future__ import annotations

import re
from math import log2

DRAWN_BITS = 128
"""What a seed has that arena draws."""
SECRET_BITS = 80
"""From here on nobody finds a seed by trying."""

_LOOKED_CHARACTERS = 256
"""Characters that are looked at."""
_REPEATED_RUN = re.compile(r"(.+?)\1{3,}|(.{4,}?)\2+")
_HEX = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
_WORD_PARTS = re.compile(r"\d+|[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_SHORT_PART = 3
"""Base64 looks drawn where its parts are shorter than this on average: capitals and digits stand where they like."""
_WORD_BITS = log2(7776)
_LETTER_BITS = log2(26)


def seed_bits(seed: str) -> float:
    """The bits of a seed: how many doublings of the tries it takes to meet it.

    What is repeated right away counts once. A whole number counts as many bits as it is long in binary; 16 hexadecimal
    digits and more count 4 bits each, and so does every letter and digit of base64 that looks drawn. Any other text
    counts by its parts, each once: a word, that is letters up to the next capital, as if it was drawn from a list of
    7,776 (as dice do), or by its letters where these are fewer; digits as a number; the rest nothing. A number that is
    famous is taken for a drawn one.
    """
    text = _REPEATED_RUN.sub(lambda found: found[1] or found[2], seed[:_LOOKED_CHARACTERS])
    if text.isdecimal():
        return int(text).bit_length()
    if _HEX.fullmatch(text):
        return 4 * len(text)
    parts = _WORD_PARTS.findall(text)
    looked_at = sum(map(len, parts))
    if _BASE64.fullmatch(text) and looked_at < _SHORT_PART * len(parts):
        return 4 * looked_at
    return sum(_part_bits(part) for part in set(parts))


def is_guessable(seed: str) -> bool:
    """Whether somebody may find the seed by trying."""
    return seed_bits(seed) < SECRET_BITS


def _part_bits(part: str) -> float:
    return int(part).bit_length() if part.isdecimal() else min(_WORD_BITS, _LETTER_BITS * len(part))
