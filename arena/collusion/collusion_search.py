"""Which pairs are set aside, so that what is usual is estimated from the others.

The pair that stands out most is set aside, and what is usual is estimated again without it, until none is left: so two
pairs do not hide each other. Three that all give each other do, where the others are few: so then the three are tried
who together give each other most clearly; they are set aside if then each of their pairs stands out. At last each pair
that was set aside is compared with the honest rest; it comes back if honest bots with reasons may be as far apart.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy

from arena.collusion.arrays import Numbers
from arena.collusion.gift_sums import GiftTable
from arena.collusion.honest_tables import chance_among_honest, luck_share
from arena.collusion.rings import clearest_ring
from arena.collusion.usual_gifts import PAIR_WAYS, UsualGifts

Pair = tuple[int, int]
"""The places of both cells of a pair in the table."""


class PairSearch:
    """All pairs of a table at this error ``level``: the ``rest``, and those set ``aside``."""

    def __init__(self, table: GiftTable, seed: str, level: float) -> None:
        self._table, self._seed, self._level = table, seed, level
        self._aside = self._set_aside()
        while True:
            self.rest = self._without(self._aside)
            self._share = luck_share(self.rest.model, self.rest.blocks(table.total))
            kept = [usual.pairs[at] for usual, at, honest in self.aside() if numpy.nanmin([*honest[at], 1.0]) <= level]
            if len(kept) == len(self._aside):
                return
            self._aside = kept

    def aside(self) -> Iterator[tuple[UsualGifts, int, Numbers]]:
        """Each pair that is set aside: the rest with this pair, its place there, and what honest tables say of all
        pairs there (pairs × 3; nan where they were not asked). One at a time, because each may be large."""
        for pair in self._aside:
            usual = self._without([each for each in self._aside if each != pair])
            if pair in usual.pairs:  # else the rest is too little to tell
                at = usual.pairs.index(pair)
                yield usual, at, self.among_honest(usual, [at])

    def _without(self, aside: list[Pair]) -> UsualGifts:
        left = {place for pair in aside for place in pair}
        return UsualGifts(self._table, [each for each in range(len(self._table.cells)) if each not in left], self._seed)

    def _set_aside(self) -> list[Pair]:
        aside: list[Pair] = []
        while True:
            usual = self._without(aside)
            found = usual.clearest(self._level)
            more = [usual.pairs[found[0]]] if found is not None else self._ring(usual, aside)
            if not more:
                return aside
            aside = [*aside, *more]

    def _ring(self, usual: UsualGifts, aside: list[Pair]) -> list[Pair]:
        """The pairs of a ring of three, if each stands out without the others."""
        six = [usual.cells[each] for each in clearest_ring(usual.model, usual.means)]
        pairs = list(zip(six[::2], six[1::2], strict=True))
        for pair in pairs:
            others = [*aside, *(each for each in pairs if each != pair)]
            if self._without(others).clearest(self._level, pair) is None:
                return []
        return pairs

    def among_honest(self, usual: UsualGifts, only: list[int] | None = None) -> Numbers:
        """What honest tables say of those pairs, or ``only`` of these, whose probabilities are at most the level."""
        found: Numbers = numpy.full(usual.clear.shape, numpy.nan)
        looked = range(len(usual.pairs)) if only is None else only
        chosen = [
            (pair, way)
            for pair in looked
            for way in range(PAIR_WAYS)
            if usual.tail(pair, way) <= self._level and usual.luck[pair, way] <= self._level
        ]
        if chosen:
            pairs, ways = numpy.array(chosen).T
            clear = usual.clear[pairs, ways]
            found[pairs, ways] = chance_among_honest(usual.model, self._share, usual.met, clear, f"{self._seed} honest")
        return found
