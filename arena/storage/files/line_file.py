"""A file of JSON objects, one a line, each with an ``id``; lines are looked up by the numbers of their ids."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Self

import msgspec

from arena.foreign_files import DECODE_ERRORS, LONGEST_LINE, lines_in, open_descriptor, open_foreign_file

Number = Callable[[str], int | None]
"""Gives the number of an id; None for an id that is not wanted."""


class _Id(msgspec.Struct):
    id: str


_ID_DECODER = msgspec.json.Decoder(_Id)


class LineFile:
    """An index of the file at ``path``: it finds lines by the ``number`` of their ids, in ascending order. It holds 16
    bytes a line, not the lines themselves. Lines without an id, or whose id has no number, are skipped, as is an
    incomplete last line; of two lines with the same number the first counts. ``cut_off`` says that the last line is
    incomplete, ``in_order`` that the lines stand in ascending order without others between them."""

    def __init__(self, path: Path, number: Number) -> None:
        self.path = path
        self.cut_off, self.in_order = False, True
        self._numbers, self._offsets = array("Q"), array("Q")
        self._file: BinaryIO = open_foreign_file(path) if path.exists() else BytesIO()
        self._read(number)
        self._sort()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def _read(self, number: Number) -> None:
        offset = 0
        for line in lines_in(self._file, self.path):
            found = _number_of(line, number)
            if found is None:
                self.in_order = False
            else:
                self._numbers.append(found)
                self._offsets.append(offset)
            offset += len(line) + 1
        self.cut_off = self._file.tell() > offset
        self.in_order &= not self.cut_off

    def _sort(self) -> None:
        numbers, offsets = self._numbers, self._offsets
        if all(numbers[at - 1] < numbers[at] for at in range(1, len(numbers))):
            return
        self.in_order = False
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        self._numbers = array("Q", (numbers[at] for at in order))
        self._offsets = array("Q", (offsets[at] for at in order))

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Every number with its line, in ascending order."""
        for number, offset in zip(self._numbers, self._offsets, strict=True):
            yield number, self._at(offset)

    def numbers(self) -> Iterator[int]:
        """Every number, in ascending order."""
        return iter(self._numbers)

    def number_at(self, place: int) -> int:
        """The number of the line at this place (from 0) of the ascending order."""
        return self._numbers[place]

    def line(self, number: int) -> bytes | None:
        """The line with this number, or None."""
        at = bisect_left(self._numbers, number)
        if at == len(self._numbers) or self._numbers[at] != number:
            return None
        return self._at(self._offsets[at])

    def _at(self, offset: int) -> bytes:
        if self._file.tell() != offset:  # a line behind the one before is in the buffer
            self._file.seek(offset)
        return self._file.readline(LONGEST_LINE + 1)


def _number_of(line: bytes, number: Number) -> int | None:
    try:
        return number(_ID_DECODER.decode(line).id)
    except DECODE_ERRORS:
        return None


def cut_off(path: Path) -> bool:
    """Truncate the file behind its last whole line; return whether anything was cut off."""
    if not path.exists():
        return False
    with open(open_descriptor(path, os.O_RDWR), "rb+") as file:
        size = end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - 65536)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                end = start + found + 1
                break
            end = start
        file.truncate(end)
    return end < size
