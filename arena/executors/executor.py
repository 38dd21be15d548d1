"""Where matches are run: one interface, with the serial one as the shipped fake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from arena.match.work import Done, Work, play_work


class Executor(Protocol):
    """Plays work and gives the results in the order of the work, whatever order they finish in."""

    def run(self, works: Iterable[Work]) -> Iterator[Done]:
        """Every result, once. Work is taken from the iterable as room comes free, so memory stays flat."""

    def close(self) -> list[Done]:
        """Stop at once; results that were finished but not given out yet."""


class Serial:
    """One match after another in this process. A bot that takes the process down takes everything down."""

    def run(self, works: Iterable[Work]) -> Iterator[Done]:
        """Every result in order."""
        return map(play_work, works)

    def close(self) -> list[Done]:
        """Nothing is ever under way between results."""
        return []
