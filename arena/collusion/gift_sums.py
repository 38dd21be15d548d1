"""Gifts added up by block and ordered pair of entrants, exactly: the order of matches changes nothing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TypeVar

import numpy

from arena.collusion.arrays import Counts, Numbers
from arena.games.giving import MatchGifts

Key = TypeVar("Key", bound=Hashable)

MOST_GROUPS = 200
"""The blocks of longer runs are combined into this many groups: memory and time then do not grow with the run, and the
groups still share no deal."""
MONEY_COLUMN = "money"
"""The key in :attr:`GiftTable.values`, beside the kinds of gifts, of the receiver's money at the end."""


@dataclass(frozen=True)
class GiftTable:
    """What entrants gave each other, in the game's unit, by group of blocks and cell.

    A cell is an ordered pair (giver, receiver) of indices into ``names``, of those that met; ``cells`` is in ascending
    order. ``counts`` has the number of matches in which they met; ``values`` has, by kind, the sum of what was given in
    these. Both are arrays of groups × cells. ``kinds`` are the kinds of gifts, without :data:`MONEY_COLUMN`.
    ``matches`` is the number of matches added, and ``blocks`` the number of their blocks."""

    names: tuple[str, ...]
    cells: tuple[tuple[int, int], ...]
    kinds: tuple[str, ...]
    counts: Counts
    values: dict[str, Numbers]
    matches: int
    blocks: int

    @property
    def total(self) -> Numbers:
        """The sum of the gifts of all kinds (groups × cells)."""
        found: Numbers = sum((self.values[kind] for kind in self.kinds), numpy.zeros(self.counts.shape))
        return found

    def mean(self, kind: str) -> Numbers:
        """The mean gift of this kind a match, by cell."""
        found: Numbers = self.values[kind].sum(0) / self.counts.sum(0)
        return found


class GiftSums:
    """Adds up the matches of one game over all its editions; each edition has its own usual prices."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        self.matches = 0
        self._met: dict[tuple[int, str, str], list[int]] = {}
        self._given: dict[tuple[int, str, str, str], list[int]] = {}
        self._times: dict[tuple[int, str, str, str], dict[Hashable, int]] = {}
        self._usual: dict[Hashable, list[int]] = {}

    def add(self, edition: str, block: int, entrants: Sequence[str], money: Sequence[int], given: MatchGifts) -> None:
        """Add one match: its ``entrants`` and their ``money``, by seat, and what they gave each other."""
        self.matches += 1
        for like, amount, of in given.usual:
            sums = self._usual.setdefault((edition, like), [0, 0])
            sums[0] += amount
            sums[1] += of
        for giver in entrants:
            for receiver, own in zip(entrants, money, strict=True):
                if giver != receiver:
                    met = self._met.setdefault((block, giver, receiver), [0, 0])
                    met[0] += 1
                    met[1] += own
        for gift in given.gifts:
            key = (block, entrants[gift.giver], entrants[gift.receiver], gift.kind)
            self._given.setdefault(key, [0])[0] += gift.money
            if gift.times:
                times = self._times.setdefault(key, {})
                times[edition, gift.like] = times.get((edition, gift.like), 0) + gift.times

    def merge(self, other: GiftSums) -> None:
        """Add all that ``other`` has added up."""
        self.matches += other.matches
        _add_all(self._usual, other._usual)
        _add_all(self._met, other._met)
        _add_all(self._given, other._given)
        for key, times in other._times.items():
            found = self._times.setdefault(key, {})
            for like, number in times.items():
                found[like] = found.get(like, 0) + number

    def usual_parts(self) -> dict[Hashable, float]:
        """The usual price of acts in a like position, by edition and position."""
        return {like: money / of for like, (money, of) in self._usual.items() if of}

    def table(self) -> GiftTable:
        """The table of all matches added."""
        names = tuple(sorted({name for _, *pair in self._met for name in pair}))
        place = {name: index for index, name in enumerate(names)}
        cells = tuple(sorted({(place[giver], place[receiver]) for _, giver, receiver in self._met}))
        cell = {pair: index for index, pair in enumerate(cells)}
        blocks = sorted({block for block, _, _ in self._met})
        group = {block: index % MOST_GROUPS for index, block in enumerate(blocks)}
        shape = (min(len(blocks), MOST_GROUPS), len(cells))
        counts: Counts = numpy.zeros(shape, dtype=numpy.int64)
        money: Numbers = numpy.zeros(shape)
        for (block, giver, receiver), (met, own) in self._met.items():
            at = group[block], cell[place[giver], place[receiver]]
            counts[at] += met
            money[at] += own  # whole numbers: exact in any order
        values = {kind: self._of_kind(kind, group, cell, place, shape) for kind in self.kinds}
        return GiftTable(names, cells, self.kinds, counts, {**values, MONEY_COLUMN: money}, self.matches, len(blocks))

    def _of_kind(
        self,
        kind: str,
        group: dict[int, int],
        cell: dict[tuple[int, int], int],
        place: dict[str, int],
        shape: tuple[int, int],
    ) -> Numbers:
        usual = self.usual_parts()
        parts: dict[tuple[int, int], list[float]] = {}
        for key, (amount,) in self._given.items():
            block, giver, receiver, each = key
            if each != kind or giver == receiver:
                continue
            times = self._times.get(key, {})
            at = group[block], cell[place[giver], place[receiver]]
            parts.setdefault(at, []).extend((float(amount), *(usual.get(like, 0.0) * n for like, n in times.items())))
        found: Numbers = numpy.zeros(shape)
        for at, amounts in parts.items():
            found[at] = fsum(amounts)  # exact, whatever their order
        return found


def _add_all(mine: dict[Key, list[int]], theirs: dict[Key, list[int]]) -> None:
    """Add the sums ``theirs`` to the sums ``mine``."""
    for key, sums in theirs.items():
        held = mine.setdefault(key, [0] * len(sums))
        held[:] = [one + two for one, two in zip(held, sums, strict=True)]
