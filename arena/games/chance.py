"""Chance as data: every random event is a function of the match seed and of what the event is.

An event is named by a word and by numbers, such as ``("die", 12)`` for the roll of turn 12. So a
roll does not depend on how often anybody else rolled, a copied state costs nothing to keep fair,
and every platform, Python version and language computes the same outcome.

Scheme ``sha256-1``: for the text ``SEED/NAME/I.J/K`` (indices joined by dots; ``K`` counts from 0)
the SHA-256 digest of its UTF-8 bytes is read as four big-endian 64-bit words. An event uses these
words in order, K = 0, 1, … . A word ``w`` gives the number ``(w * n) >> 64`` below ``n``; a
permutation is the Fisher-Yates shuffle of 0…n-1 from the last place down, one word a place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from struct import Struct

CHANCE_SCHEME = "sha256-1"
_four_words: Callable[[bytes], tuple[int, int, int, int]] = Struct(">4Q").unpack


class Chance:
    """The random events of one match. Immutable, so states share it freely.

    ``seed`` is any text without a line break. It determines every hidden card, so a league with strangers' bots keeps
    it secret until the matches are played.
    """

    __slots__ = ("seed",)

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def below(self, n: int, name: str, *index: int) -> int:
        """A number 0…n-1, uniform to within 2**-60."""
        return (_four_words(sha256(self._event(name, index) + b"0").digest())[0] * n) >> 64

    def permutation(self, n: int, name: str, *index: int) -> tuple[int, ...]:
        """A random permutation of 0…n-1."""
        order = list(range(n))
        event = self._event(name, index)
        words: tuple[int, ...] = ()
        for used, place in enumerate(range(n - 1, 0, -1)):
            if not used & 3:
                words = _four_words(sha256(b"%b%d" % (event, used >> 2)).digest())
            other = (words[used & 3] * (place + 1)) >> 64
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    def derive(self, name: str, *index: int) -> str:
        """A seed derived from this one (32 hexadecimal digits). Anyone who knows it can quickly test whether a guess of
        the original seed is right."""
        return sha256(self._event(name, index) + b"0").digest()[:16].hex()

    def _event(self, name: str, index: tuple[int, ...]) -> bytes:
        """The text of an event without the number ``K`` of the digest, which follows it."""
        return f"{self.seed}/{name}/{'.'.join([str(number) for number in index])}/".encode()


class ScriptedChance(Chance):
    """Chance with some outcomes fixed beforehand, for scenarios and worked examples.

    ``script`` maps ``(name, *index)`` to the outcome; all other events follow the seed.
    """

    __slots__ = ("script",)

    def __init__(self, seed: str, script: Mapping[tuple[str | int, ...], int | tuple[int, ...]]) -> None:
        super().__init__(seed)
        self.script = dict(script)

    def below(self, n: int, name: str, *index: int) -> int:
        outcome = self.script.get((name, *index))
        return outcome if isinstance(outcome, int) else super().below(n, name, *index)

    def permutation(self, n: int, name: str, *index: int) -> tuple[int, ...]:
        outcome = self.script.get((name, *index))
        return outcome if isinstance(outcome, tuple) else super().permutation(n, name, *index)
