"""Main effects and interactions of factors, estimated within blocks: in a block all cells are played on the same deals,
so that a contrast of its cells is free of what the deals are worth, and is one observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from arena.study.factor_design import Effect, FactorDesign
from arena.tournament.inference.blocks_needed import deviation_of_mean, for_difference
from arena.tournament.inference.intervals import Estimate, clustered_mean, shown_degrees
from arena.tournament.inference.student_t import t_above

CellMeans = Sequence[float]
"""The mean of each cell in one block, in the order of the design's cells."""


@dataclass(frozen=True, slots=True)
class FactorEffect:
    """An ``effect`` with its ``aliases``: its ``estimate`` with a 95 % interval, the ``p`` value of a two-sided test
    that it is 0, and the ``adjusted`` one, after Holm, for all effects of the design. ``blocks`` is the number of
    blocks in which an effect of the size that matters would be found; None where nothing can be said, or was asked."""

    effect: Effect
    aliases: tuple[Effect, ...]
    estimate: Estimate
    p: float
    adjusted: float
    blocks: int | None


@dataclass(frozen=True, slots=True)
class SizeToFind:
    """The ``size`` of an effect that matters, the ``power`` with which it is to be found, and the ``assurance`` that
    the power is as large (:mod:`arena.tournament.inference.blocks_needed`)."""

    size: float
    power: float
    assurance: float = 0.8


def estimate_effects(
    design: FactorDesign, blocks: Sequence[CellMeans], wanted: SizeToFind | None = None
) -> list[FactorEffect]:
    """All effects of the design, from the means of its cells in each block."""
    found = []
    for effect, aliases in design.effects():
        weights = design.weights(effect)
        values = [fsum(weight * mean for weight, mean in zip(weights, means, strict=True)) for means in blocks]
        estimate = clustered_mean([(value, 1) for value in values])
        found.append((effect, aliases, estimate, two_sided_p(values, estimate), _blocks_to_find(values, wanted)))
    adjusted = adjust_after_holm([p for *_, p, _ in found])
    return [
        FactorEffect(effect, tuple(aliases), estimate, p, adjusted[place], needed)
        for place, (effect, aliases, estimate, p, needed) in enumerate(found)
    ]


def two_sided_p(values: Sequence[float], estimate: Estimate) -> float:
    """The probability of a mean as far from 0 as this one where the true mean is 0, by the t distribution and with the
    degrees of freedom of the interval (:func:`arena.tournament.inference.intervals.clustered_mean`); 1 where there is
    no interval."""
    if estimate.mean is None or estimate.half_width is None:
        return 1.0
    size = len(values)
    squares = [(value - estimate.mean) ** 2 * size / (size - 1) for value in values]
    df = min(size - 1.0, shown_degrees(squares) or size - 1.0)
    return 2 * t_above(abs(estimate.mean) / (sqrt(fsum(squares)) / size), df)


def adjust_after_holm(every: Sequence[float]) -> list[float]:
    """The p values adjusted for their number: that any of them is below 5 % by chance has a probability of at most 5 %
    (S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979)."""
    adjusted, highest = [0.0] * len(every), 0.0
    for rank, place in enumerate(sorted(range(len(every)), key=every.__getitem__)):
        highest = max(highest, min(1.0, (len(every) - rank) * every[place]))
        adjusted[place] = highest
    return adjusted


def _blocks_to_find(values: Sequence[float], wanted: SizeToFind | None) -> int | None:
    deviation = deviation_of_mean({block: (value, 1) for block, value in enumerate(values)})
    if wanted is None or deviation is None:
        return None
    return for_difference(deviation, wanted.size, wanted.power, wanted.assurance).blocks
