"""A set of whole numbers, one bit each. It holds which matches of a schedule are finished, by their indices."""

from __future__ import annotations

from collections.abc import Container

PAGE_NUMBERS = 1 << 15
"""Numbers per page. A page is allocated with the first number on it, so a few matches of a very long schedule take
little memory."""


class Bits(Container[int]):
    """A set of whole numbers from 0, empty at first."""

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}
        self._size = 0

    def add(self, number: int) -> bool:
        """Add a number; return whether it was new."""
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
    """The page of a number, its byte within the page, and its bit within the byte."""
    page, within = divmod(number, PAGE_NUMBERS)
    return page, within >> 3, 1 << (within & 7)
