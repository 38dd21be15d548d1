"""Finished matches as columns of numbers, which is how ratings read them.

Matches are sorted before anything is computed from them, so the order in which they come changes no bit of a rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy

Numbers = numpy.ndarray[Any, Any]
EXACT_FLOAT = 2**53
"""Below this a float holds every whole number."""
MACHINE_WORD = 2**62
"""Numbers below this are kept in one machine word."""


class MatchGroup(NamedTuple):
    """Matches with the same kind of seats: of one ``edition``, which is of ``game``, and with so many ``players``."""

    game: str
    edition: str
    players: int


@dataclass(frozen=True, slots=True)
class RatingTables:
    """Matches with this number of ``players``, one in each row: the numbers of the ``entrants``, their ``money`` and
    their ``ranks``, by seat; and each match's number of its ``group``, ``block`` and ``deal``."""

    players: int
    entrants: Numbers
    money: Numbers
    ranks: Numbers
    group: Numbers
    block: Numbers
    deal: Numbers

    @property
    def matches(self) -> int:
        """The number of matches."""
        return len(self.group)

    def select_rows(self, chosen: Numbers | slice) -> RatingTables:
        """The chosen rows, by their numbers, a mask or a slice; the rows of a slice are not copied."""
        rows = (self.entrants, self.money, self.ranks, self.group, self.block, self.deal)
        return RatingTables(self.players, *(column[chosen] for column in rows))

    def in_order(self) -> RatingTables:
        """Sorted by block, then by all else: equal matches stand together."""
        return self.select_rows(
            in_sequence([*self.money.T, *self.ranks.T, *self.entrants.T, self.deal, self.group, self.block])
        )


@dataclass(frozen=True, slots=True)
class RatingMatches:
    """The matches that ratings are computed from: ``names`` of entrants, sorted; ``groups``, sorted; ``tables``, one
    for each number of players. Blocks and deals are numbered from 0 without gaps. ``voids`` is the number of void
    matches, which were left out."""

    names: tuple[str, ...]
    groups: tuple[MatchGroup, ...]
    tables: tuple[RatingTables, ...]
    blocks: int
    deals: int
    voids: int = 0

    @property
    def matches(self) -> int:
        """The number of matches, all of which count."""
        return sum(each.matches for each in self.tables)

    @property
    def games(self) -> tuple[str, ...]:
        """The games that were played, by name."""
        return tuple(sorted({group.game for group in self.groups}))

    def match_counts(self) -> Numbers:
        """How many matches each entrant played."""
        seats = [each.entrants.ravel() for each in self.tables]
        return numpy.bincount(numpy.concatenate([numpy.zeros(0, int), *seats]), minlength=len(self.names))

    def blocks_of(self) -> tuple[Numbers, Numbers]:
        """For each entrant, in how many blocks it played, and how many blocks of equal size these are worth (L. Kish,
        Survey Sampling, 1965): (sum of matches)² ÷ sum of (matches²)."""
        keys = [(each.entrants.astype(numpy.int64) * self.blocks + each.block[:, None]).ravel() for each in self.tables]
        every, counts = numpy.unique(numpy.concatenate([numpy.zeros(0, numpy.int64), *keys]), return_counts=True)
        entrants = every // max(self.blocks, 1)
        blocks = numpy.bincount(entrants, minlength=len(self.names))
        squares = numpy.bincount(entrants, counts.astype(float) ** 2, minlength=len(self.names))
        return blocks, self.match_counts() ** 2 / numpy.maximum(squares, 1)

    def equal_blocks(self) -> float:
        """The number of blocks of equal size that all blocks are worth."""
        sizes = sum(numpy.bincount(each.block, minlength=self.blocks) for each in self.tables)
        return self.matches**2 / float((numpy.asarray(sizes) ** 2).sum())

    def without_entrants(self, names: Sequence[str]) -> RatingMatches:
        """The matches in which nobody of these ``names`` sat."""
        stays = numpy.array([name not in names for name in self.names], dtype=bool)
        kept = [each.select_rows(numpy.flatnonzero(stays[each.entrants].all(axis=1))) for each in self.tables]
        return compact_matches(replace(self, tables=tuple(kept)))

    def in_groups(self, groups: Sequence[MatchGroup]) -> RatingMatches:
        """The matches of these groups."""
        kept = numpy.array([group in groups for group in self.groups], dtype=bool)
        return compact_matches(replace(self, tables=tuple(each.select_rows(kept[each.group]) for each in self.tables)))


def compact_matches(matches: RatingMatches) -> RatingMatches:
    """The same matches in order, with names and groups sorted and all numbered without gaps; names, groups and numbers
    of players without a match are left out."""
    tables = [each for each in matches.tables if each.matches]
    names, entrants = _renumber_things(matches.names, [each.entrants for each in tables])
    groups, group = _renumber_things(matches.groups, [each.group for each in tables])
    blocks, block = _dense_numbers([each.block for each in tables])
    deals, deal = _dense_numbers([each.deal for each in tables])
    made = [
        RatingTables(each.players, entrants[at], each.money, each.ranks, group[at], block[at], deal[at]).in_order()
        for at, each in enumerate(tables)
    ]
    made.sort(key=lambda each: each.players)
    return RatingMatches(tuple(names), tuple(groups), tuple(made), blocks, deals, matches.voids)


def in_sequence(keys: Sequence[Numbers]) -> Numbers:
    """The order that sorts rows by these columns, of which the last decides first, as in ``numpy.lexsort``. Columns of
    whole numbers are packed into machine words, so that fewer columns are sorted."""
    words: list[Numbers] = []
    room = 0
    for key in reversed(keys):
        numbers, span = _from_zero(key)
        if words and room * span < MACHINE_WORD:
            words[-1] *= span
            words[-1] += numbers
            room *= span
        else:
            words.append(numbers)
            room = span
    return numpy.lexsort(words[::-1])


def _from_zero(key: Numbers) -> tuple[Numbers, int]:
    """Whole numbers from 0 in the same order as ``key``, and one more than the largest possible."""
    if not len(key):
        return numpy.zeros(0, dtype=numpy.int64), 1
    low, high = key.min(), key.max()
    if not -EXACT_FLOAT < low <= high < EXACT_FLOAT or (key.dtype.kind == "f" and (key != numpy.floor(key)).any()):
        values, numbers = numpy.unique(key, return_inverse=True)
        return numbers.ravel().astype(numpy.int64), len(values)
    numbers = key.astype(numpy.int64)
    numbers -= int(low)
    return numbers, int(high) - int(low) + 1


def _renumber_things(things: Sequence[Any], columns: Sequence[Numbers]) -> tuple[list[Any], list[Numbers]]:
    """The things that occur (as numbers) in ``columns``, sorted, and the columns with the things' new numbers."""
    used = numpy.zeros(len(things), dtype=bool)
    for column in columns:
        used[column.ravel()] = True
    order = sorted(numpy.flatnonzero(used).tolist(), key=lambda number: things[number])
    new = numpy.zeros(len(things), dtype=numpy.int32)
    new[order] = numpy.arange(len(order), dtype=numpy.int32)
    return [things[number] for number in order], [new[column] for column in columns]


def _dense_numbers(columns: Sequence[Numbers]) -> tuple[int, list[Numbers]]:
    """The number of different values in ``columns``, and the columns with these values numbered in ascending order."""
    if not columns:
        return 0, []
    values, numbers = numpy.unique(numpy.concatenate(columns), return_inverse=True)
    ends = numpy.cumsum([len(column) for column in columns])[:-1]
    return len(values), numpy.split(numbers.ravel().astype(numpy.int32), ends)
