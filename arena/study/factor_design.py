"""Factorial designs: which combinations of the factors' levels are played.

A full design has all of them. Where every factor has two levels, a fraction of 1/2, 1/4 … is enough: the columns of the
further factors are products of those of the first ones (G. E. P. Box, J. S. Hunter, W. G. Hunter, Statistics for
Experimenters, 2nd ed., 2005, chapter 6). What a fraction cannot tell apart are aliases; with resolution 3 main effects
are aliased with interactions of two factors, with 4 these with each other, with 5 only with interactions of three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from arena.errors import UserError

MOST_CELLS = 64
"""The maximum number of cells: each plays all matches."""
MOST_FRACTIONED = 8
"""The maximum number of factors of a fractional design."""
RESOLUTIONS = (3, 4, 5)

Word = frozenset[int]
"""Factors, by number, the product of whose columns is the same in all cells."""
Effect = tuple[tuple[int, int], ...]
"""One or two factors, each with the level that is compared with its first one: a main effect, or an interaction."""


@dataclass(frozen=True, slots=True)
class FactorDesign:
    """The ``cells``, each the levels of all factors by number, from 0, and the number of ``levels`` of each factor.
    ``words`` are the defining words of a fraction; a full design has none."""

    levels: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    words: frozenset[Word] = frozenset()

    @property
    def resolution(self) -> int | None:
        """The length of the shortest word; None for a full design."""
        return min(map(len, self.words), default=None)

    def effects(self) -> list[tuple[Effect, list[Effect]]]:
        """All main effects, then all interactions of two factors, each with its aliases among these. Of effects that
        are aliases of each other only the first stands in the list."""
        found: list[tuple[Effect, list[Effect]]] = []
        known: set[Effect] = set()
        every = list(_effects(self.levels))
        for effect in every:
            if effect in known:
                continue
            own = frozenset(factor for factor, _ in effect)
            same = {own ^ word for word in self.words}
            aliases = [each for each in every if frozenset(factor for factor, _ in each) in same]
            known.update(aliases)
            found.append((effect, aliases))
        return found

    def weights(self, effect: Effect) -> tuple[float, ...]:
        """The weights with which the means of the cells add up to the effect: of a main effect, the mean of the cells
        with the level less that of the cells with the first level; of an interaction, half the difference that the
        second factor makes to the difference that the first one makes."""
        signs = [prod((cell[factor] == level) - (cell[factor] == 0) for factor, level in effect) for cell in self.cells]
        counts = {sign: signs.count(sign) for sign in (-1, 1)}
        return tuple(sign / counts[sign] if sign else 0.0 for sign in signs)


def _effects(levels: Sequence[int]) -> Iterator[Effect]:
    for factor, count in enumerate(levels):
        yield from (((factor, level),) for level in range(1, count))
    for one, two in combinations(range(len(levels)), 2):
        yield from (((one, a), (two, b)) for a in range(1, levels[one]) for b in range(1, levels[two]))


def make_design(levels: Sequence[int], resolution: int | None = None) -> FactorDesign:
    """The full design of factors with so many levels, or the smallest fraction with at least this ``resolution``.
    Raises UserError for a fraction of factors with more than two levels, and for too many cells or factors."""
    if resolution is None:
        return _checked_design(FactorDesign(tuple(levels), tuple(product(*map(range, levels)))))
    if set(levels) != {2}:
        raise UserError("only factors with two levels have fractional designs; leave out resolution")
    if len(levels) > MOST_FRACTIONED:
        raise UserError(f"a fractional design is for at most {MOST_FRACTIONED} factors, got {len(levels)}")
    for base in range(1, len(levels)):
        found = _best_fraction(len(levels), base)
        if found is not None and min(map(len, found)) >= resolution:
            return _checked_design(_fraction(len(levels), found))
    raise UserError(f"no fraction of {len(levels)} factors has resolution {resolution}; leave out resolution")


def _checked_design(design: FactorDesign) -> FactorDesign:
    if len(design.cells) > MOST_CELLS:
        hint = "; ask for a fraction: resolution: 4" if set(design.levels) == {2} and not design.words else ""
        raise UserError(f"the design has {len(design.cells):,} cells, at most {MOST_CELLS} are played{hint}")
    return design


def _best_fraction(factors: int, base: int) -> frozenset[Word] | None:
    """The words of the fraction with 2 to the ``base`` cells that has the highest resolution, and of those the fewest
    shortest words; None where there are not enough products for the further factors."""
    columns = [frozenset(each) for size in range(2, base + 1) for each in combinations(range(base), size)]
    every = (
        _all_words([column | {base + place} for place, column in enumerate(chosen)])
        for chosen in combinations(columns, factors - base)
    )
    return max(every, key=lambda words: [-sum(len(word) == size for word in words) for size in range(factors + 1)],
               default=None)  # fmt: skip


def _all_words(generators: Sequence[Word]) -> frozenset[Word]:
    words: set[Word] = {frozenset()}
    for each in generators:
        words |= {each ^ word for word in words}
    return frozenset(words - {frozenset()})


def _fraction(factors: int, words: frozenset[Word]) -> FactorDesign:
    """The cells in which the signs of each word multiply to +1."""
    cells = (
        cell
        for cell in product((0, 1), repeat=factors)
        if all(prod(2 * cell[factor] - 1 for factor in word) == 1 for word in words)
    )
    return FactorDesign((2,) * factors, tuple(cells), words)
