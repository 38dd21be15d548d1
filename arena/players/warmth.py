"""The pages of memory that all children of a host write to, copied for each of them in one go.

A forked child shares its host's memory until it writes: page by page, at the price of a fault each. An interpreter
writes to hundreds of pages in its first moments, because it counts references in the objects themselves; this took more
than half of a bot's start. A few rehearsing children tell which pages these are.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby

from arena.sandbox.calls import call

PAGE = os.sysconf("SC_PAGESIZE")
PROCESS_MADVISE, POPULATE_WRITE, AT_ONCE = 440, 23, 1024
PRESENT, FILE, EXCLUSIVE = 1 << 63, 1 << 61, 1 << 56
"""Of a word in ``/proc/self/pagemap``: the page is there, belongs to a file, and is nobody else's."""


class Warmth:
    """What a host knows of the pages its children write to."""

    def __init__(self) -> None:
        self._common: set[int] | None = None
        self._ranges = array("L")

    def learn(self, live: Callable[[Callable[[], None]], None]) -> None:
        """Fork a child to ``live`` as children do, and keep the pages that it wrote to if all before it did as well.
        ``live`` is given what it must call in the end. Where the system does not tell, nothing is learnt."""
        if sys.platform != "linux" or self._common == set():
            return
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                live(_teller(theirs))
            finally:
                os._exit(0)
        os.close(theirs)
        with open(ours, "rb") as told:
            pages = array("L", told.read())
        os.waitpid(child, 0)
        self._common = set(pages) if self._common is None else self._common.intersection(pages)
        self._ranges = array("L")
        # page minus place is the same along a row of neighbours
        for _, row in groupby(enumerate(sorted(self._common)), lambda each: each[1] - each[0]):
            places = [page for _, page in row]
            self._ranges.extend((places[0] * PAGE, len(places) * PAGE))

    def copy(self) -> None:
        """In a child: have these pages copied. A system that cannot do so copies them one by one, later."""
        if not self._ranges:
            return
        process, (start, words) = os.pidfd_open(os.getpid()), self._ranges.buffer_info()
        with suppress(OSError):
            for first in range(0, words // 2, AT_ONCE):
                count = min(AT_ONCE, words // 2 - first)
                call(PROCESS_MADVISE, process, start + first * 2 * self._ranges.itemsize, count, POPULATE_WRITE)
        os.close(process)


def _teller(descriptor: int) -> Callable[[], None]:
    """Tells the pages that this process alone has. What it reads is opened now: later it may be locked."""
    maps, pages = (os.open(f"/proc/self/{name}", os.O_RDONLY) for name in ("maps", "pagemap"))

    def tell() -> None:
        found = array("L")
        for line in _all_of(maps).splitlines():
            bounds, rights = line.split()[:2]
            if b"w" not in rights or (line.endswith(b"]") and not line.endswith(b"[heap]")):
                continue
            start, end = (int(bound, 16) // PAGE for bound in bounds.split(b"-"))
            words = array("Q", os.pread(pages, (end - start) * 8, start * 8))
            found.extend(start + place for place, word in enumerate(words) if word & WANTED == PRESENT | EXCLUSIVE)
        data = found.tobytes()
        while data:
            data = data[os.write(descriptor, data) :]

    return tell


WANTED = PRESENT | FILE | EXCLUSIVE


def _all_of(descriptor: int) -> bytes:
    data = b""
    while more := os.read(descriptor, 65_536):
        data += more
    return data
