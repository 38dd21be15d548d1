"""A bot's own seed: the source of its randomness, derived from the match's seed and its seat.

The match's seed determines every hand, and a seed chosen by a person can be found by guessing. So a bot's own seed must
not offer a cheap test of a guess: it comes from a key that is slow to compute, with parameters that never change.

Scheme ``scrypt-1``: the key is the 32 bytes of scrypt (RFC 7914) of the match's seed in UTF-8, with the salt
``arena/bot``, N = 4096, r = 8 and p = 1 (4 MB of memory, some milliseconds); the seed of a seat is the first 32
hexadecimal digits of the HMAC-SHA256 under this key of the seat's number in decimal digits.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum
from functools import lru_cache

from arena.errors import UserError
from arena.games.chance import Chance


class BotSeeds(StrEnum):
    """The schemes for bots' own seeds, as replay headers name them: the complete list."""

    SHA256_1 = "sha256-1"
    """The scheme of arena 0.1.0: a digest of the match's seed, of which millions can be tried in a second."""

    SCRYPT_1 = "scrypt-1"
    """The scheme described at the top of this module."""


def own_seed(scheme: BotSeeds, match_seed: str, seat: int) -> str:
    """The seed of the bot in ``seat``, 32 hexadecimal digits. Raises UserError where this Python has no scrypt."""
    match scheme:
        case BotSeeds.SHA256_1:
            return Chance(match_seed).derive("bot", seat)
        case BotSeeds.SCRYPT_1:
            return hmac.digest(_slow_key(match_seed), str(seat).encode(), "sha256")[:16].hex()


@lru_cache(maxsize=256)
def _slow_key(match_seed: str) -> bytes:
    """The slow key. It is the same for all matches of a deal, so each process computes it only once for them."""
    try:
        return hashlib.scrypt(match_seed.encode(), salt=b"arena/bot", n=4096, r=8, p=1, dklen=32)
    except (AttributeError, ValueError) as problem:
        if "malloc" in str(problem):
            raise MemoryError from None
        # else it was built without OpenSSL, or with one that refuses
        needed = "bots' seeds need scrypt, which this Python does not have"
        raise UserError(f"{needed} ({problem}); use a Python built with OpenSSL 1.1.1 or newer") from None
