"""Which pairs to set aside, so that what is usual is estimated from the others.

The search sets aside the pair that stands out most and estimates what is usual again without it, until no pair stands
out; so two pairs do not hide each other. Three entrants that all give each other do hide each other if there are few
others. So the search then tries the three who together give each other most clearly, and sets them aside if each of
their pairs then stands out. At last it compares each pair that it has set aside with the honest rest; the pair comes
back if honest bots with reasons may be as far apart, or, where only one gives, if a product of two parts, which the
rest shows, explains it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy

from arena.collusion.arrays import Numbers
from arena.collusion.gift_sums import GiftTable
from arena.collusion.honest_tables import Clearness, HonestParts, chance_among_honest, likeness, luck_share
from arena.collusion.product_model import ProductModel
from arena.collusion.rings import clearest_ring
from arena.collusion.usual_gifts import PAIR_WAYS, UsualGifts

Pair = tuple[int, int]
"""The indices of both cells of a pair in the table."""


LEAST_FOR_PRODUCTS = 7
"""Among fewer entrants the cells are too few to fit a product of two parts: one gift is compared with honest tables in
which a few bots have far larger parts."""
LEAST_IN_PARTS = 2.5
"""Among as few, two bots that are alike may by chance give each other much while the others seem to have no such
reasons. So no standard error is taken off the likeness that the others show, and what both give each other must also be
large beside what bots give and get in general: so many deviations of that, on average. Like bots whose reasons vary
half as much as that hardly ever reach it (``tests/bench/collusion.py``)."""
GIFT_KINDS = 2
"""One gift, and both: each kind has half of the error."""


class PairSearch:
    """Divides the pairs of a table, at this error ``level``, into the ``rest`` and those set ``aside``."""

    def __init__(self, table: GiftTable, seed: str, level: float) -> None:
        self._table, self._seed, self._level = table, seed, level
        self._products: dict[tuple[int, ...], ProductModel] = {}
        self._aside = self._set_aside()
        while True:
            self.rest = self._without(self._aside)
            self._share = luck_share(self.rest.model, self.rest.blocks(table.total))
            few = len(self.rest.model.entrants) < LEAST_FOR_PRODUCTS
            self._alike = likeness(self.rest.model, self.rest.means, errors=0.0 if few else 1.0)
            self._parts = self.rest.model.part_deviation(self.rest.means)
            kept = [
                usual.pairs[at]
                for usual, at, honest in self.set_aside_pairs()
                if numpy.nanmin([*honest[at], 1.0]) <= level
            ]
            if len(kept) == len(self._aside):
                return
            self._aside = kept

    def set_aside_pairs(self) -> Iterator[tuple[UsualGifts, int, Numbers]]:
        """For each pair set aside: the rest together with this pair, its index there, and the result of
        :meth:`among_honest` (pairs × 3; nan where not computed). Yields one at a time, because each may be large."""
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
            found = usual.clearest_pair(self._level)
            more = [usual.pairs[found[0]]] if found is not None else self._ring(usual, aside)
            if not more:
                return aside
            aside = [*aside, *more]

    def _ring(self, usual: UsualGifts, aside: list[Pair]) -> list[Pair]:
        """The pairs of a ring of three, if each of them stands out without the other two; else none."""
        six = [usual.cells[each] for each in clearest_ring(usual.model, usual.means)]
        pairs = list(zip(six[::2], six[1::2], strict=True))
        for pair in pairs:
            others = [*aside, *(each for each in pairs if each != pair)]
            if self._without(others).clearest_pair(self._level, pair) is None:
                return []
        return pairs

    def among_honest(self, usual: UsualGifts, only: list[int] | None = None) -> Numbers:
        """For the pairs and ways whose other two probabilities are at most the level: the probability that an honest
        table has any as clear (pairs × 3; nan for all others). One gift must be beyond a product of two parts too; what
        two give each other must be clear in the lesser of both gifts. With ``only``, for these pairs alone."""
        found: Numbers = numpy.full(usual.clearness.shape, numpy.nan)
        looked = range(len(usual.pairs)) if only is None else only
        chosen = [
            (pair, way)
            for pair in looked
            for way in range(PAIR_WAYS)
            if usual.normal_tail(pair, way) <= self._level and usual.luck[pair, way] <= self._level
        ]
        if not chosen:
            return found
        clear = [_clearness(usual.clearness[pair], way) for pair, way in chosen]
        even, few_large = (
            chance_among_honest(usual.model, self._share, usual.met, clear, f"{self._seed} {parts}", parts, self._alike)
            for parts in HonestParts
        )
        few = len(usual.model.entrants) < LEAST_FOR_PRODUCTS
        small = usual.model.gifts(usual.means).mean(-1) < LEAST_IN_PARTS * self._parts
        for at, (pair, way) in enumerate(chosen):
            if way == PAIR_WAYS - 1:
                chance = 1.0 if few and small[pair] else max(even[at][1], even[at][2], few_large[at][2])
            elif few:
                chance = max(even[at][0], few_large[at][0])
            else:
                chance = even[at][0]
            found[pair, way] = min(1.0, GIFT_KINDS * chance)
        if not few:
            for pair in sorted(
                {pair for pair, way in chosen if way < PAIR_WAYS - 1 and found[pair, way] <= self._level}
            ):
                one_way = self._beyond_products(usual, pair)[: PAIR_WAYS - 1]
                found[pair, : PAIR_WAYS - 1] = numpy.maximum(found[pair, : PAIR_WAYS - 1], one_way)
        return found

    def _beyond_products(self, usual: UsualGifts, pair: int) -> Numbers:
        """The probabilities that any pair is as far from the sum and the product of the others as this one, in its
        three ways."""
        own = usual.pairs[pair]
        others = tuple(each for each in usual.cells if each not in own)
        if others not in self._products:
            rest = UsualGifts(self._table, others, self._seed)
            self._products[others] = ProductModel(rest.model, rest.means, f"{self._seed} products")
        cells = self._table.cells[own[0]], self._table.cells[own[1]]
        values = usual.means[[usual.cells.index(each) for each in own]]
        return numpy.minimum(1.0, self._products[others].tail(cells, values) * usual.clearness.size)


def _clearness(three: Numbers, way: int) -> Clearness:
    """How clear the gifts of a pair are, from its three ways; one gift is that of this ``way``."""
    first, second, both = three.tolist()
    return Clearness(three[way] if way < PAIR_WAYS - 1 else max(first, second), both, min(first, second))
