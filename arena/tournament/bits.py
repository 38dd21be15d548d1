"""A set of whole numbers, a bit each: which matches of a schedule are finished, by their places in it."""

from __future__ import annotations

from collections.abc import Container

PAGE_NUMBERS = 1 << 15
"""Numbers whose bits are kept together, once one of them is in the set: a few matches of a very long schedule take
little."""


class Bits(Container[int]):
    """Numbers from 0, none at first."""

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}
        self._size = 0

    def add(self, number: int) -> bool:
        """Add a number; whether it was not there before."""
        page, byte, bit = _bit_place(number)
        if (bits := self._pages.get(page)) is None:
            bits = self._pages[page] = bytearray(PAGE_NUMBERS // 8)
        if bits[byte] & bit:
            return False
        bits[byte] |= bit
        self._size += 1
        return True

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        page, byte, bit = _bit_place(number)
        bits = self._pages.get(page)
        return bits is not None and bits[byte] & bit != 0

    def __len__(self) -> int:
        return self._size


def _bit_place(number: int) -> tuple[int, int, int]:
    """The page of a number, the byte in it and the bit in that."""
    page, within = divmod(number, PAGE_NUMBERS)
    return page, within >> 3, 1 << (within & 7)
