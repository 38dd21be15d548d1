"""How hard a seed is to guess: an estimate from its text alone, in bits, which is rather too low than too high.

A bot can try seeds until one deals it the hand that it holds: hundreds of thousands per second and core. A seed that is
to be a secret must have more values than anybody can try.
"""

from __future__ import annotations

import re
from math import log2

DRAWN_BITS = 128
"""The bits of a seed that arena draws itself."""
SECRET_BITS = 80
"""From this many bits on, nobody finds a seed by trying."""

_LOOKED_CHARACTERS = 256
"""The number of characters of a seed that the estimate looks at."""
_REPEATED_RUN = re.compile(r"(.+?)\1{3,}|(.{4,}?)\2+")
_HEX = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
_WORD_PARTS = re.compile(r"\d+|[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_SHORT_PART = 3
"""Base64 looks random if its parts are shorter than this on average, because capitals and digits are scattered in
it."""
_WORD_BITS = log2(7776)
_LETTER_BITS = log2(26)


def seed_bits(seed: str) -> float:
    """The bits of a seed: the number of tries it takes to find it, as a power of two.

    Immediate repetitions count once. A whole number counts as many bits as it is long in binary; 16 hexadecimal digits
    and more count 4 bits each, and so does every letter and digit of base64 that looks random. Any other text is split
    into parts, each of which counts once: a word (letters up to the next capital) counts as a random choice from a list
    of 7,776 words (as dice make), or by its letters if that is less; digits count as a number; the rest counts nothing.
    A famous number counts like a random one.
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
