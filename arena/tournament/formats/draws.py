"""Pseudo-random numbers for searches that must give the same result on every Python and every platform."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from struct import unpack


class Draws:
    """An endless sequence of pseudo-random numbers that follows from a ``name`` alone: the SHA-256 digest of ``NAME/K``
    in UTF-8, K = 0, 1, …, is read as eight big-endian 32-bit numbers."""

    def __init__(self, name: str) -> None:
        self._next = self._numbers(name).__next__

    def draw_below(self, n: int) -> int:
        """A pseudo-random number 0…n-1, close enough to uniform for the ``n`` of a search, a few hundred at most."""
        return self._next() % n

    def shuffle(self, n: int) -> list[int]:
        """The numbers 0…n-1 in a pseudo-random order."""
        order = list(range(n))
        for place in range(n - 1, 0, -1):
            other = self.draw_below(place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    @staticmethod
    def _numbers(name: str) -> Iterator[int]:
        block = 0
        while True:
            digest = sha256(f"{name}/{block}".encode()).digest()
            yield from unpack(">8I", digest)
            block += 1
