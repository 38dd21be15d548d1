"""Where each block begins among the matches of an edition, computed and not stored."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate


class BlockSpans:
    """Consecutive blocks of matches; ``sizes`` are their numbers of matches, which repeat again and again."""

    def __init__(self, sizes: Iterable[int]) -> None:
        self._ends = tuple(accumulate(sizes, initial=0))

    def start(self, block: int) -> int:
        """The number of matches before this block."""
        times, rest = divmod(block, len(self._ends) - 1)
        return times * self._ends[-1] + self._ends[rest]

    def size(self, block: int) -> int:
        """The number of matches in this block."""
        return self.start(block + 1) - self.start(block)

    def place(self, match: int) -> tuple[int, int]:
        """The block of this match, and the match's number within the block."""
        times, rest = divmod(match, self._ends[-1])
        block = bisect_right(self._ends, rest) - 1
        return times * (len(self._ends) - 1) + block, rest - self._ends[block]
