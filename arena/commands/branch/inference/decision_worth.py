"""What one variant of a decision is worth beside another: money and matchpoints, with intervals.

Both are played in each repetition under chance that they share, so that the difference of a pair says more than the
two apart. A repetition is one observation: what holds of blocks in a tournament
(:mod:`arena.tournament.inference.intervals`) holds of repetitions here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from arena.tournament.inference.intervals import Estimate, clustered_mean

Money = Sequence[int]
"""What the seats of a branch have at its end, by seat; empty where the branch does not count."""


@dataclass(frozen=True, slots=True)
class VariantWorth:
    """A variant beside the one as recorded, over the ``pairs`` of repetitions in which both count (``left_out``: the
    others).

    ``money`` is the mean of the seat in the variant; ``differences`` are, by seat, those to as recorded, all in the
    game's unit; ``matchpoints`` the share of repetitions in which the variant gives the seat more, equal ones half.
    """

    money: Estimate
    differences: tuple[Estimate, ...]
    matchpoints: Estimate
    pairs: int
    left_out: int


def variant_worth(recorded: Sequence[Money], changed: Sequence[Money], seat: int) -> VariantWorth:
    """What ``changed`` is worth to the ``seat`` beside ``recorded``, both by repetition in the same order.

    Intervals are of 95 %, and there is none with fewer than :data:`arena.tournament.inference.intervals.LEAST_CLUSTERS`
    pairs; where all differences of a seat are equal its estimate is ``alike``. Raises ValueError for sequences of other
    lengths."""
    pairs = [(old, new) for old, new in zip(recorded, changed, strict=True) if old and new]
    seats = range(len(pairs[0][0])) if pairs else ()
    differences = tuple(mean_with_interval([new[each] - old[each] for old, new in pairs]) for each in seats)
    points = mean_with_interval([matchpoint_scores(old[seat], new[seat]) for old, new in pairs], share=True)
    if differences and differences[seat].alike:
        points = replace(points, low=None, high=None)
    money = mean_with_interval([new[seat] for _, new in pairs])
    return VariantWorth(money, differences, points, len(pairs), len(recorded) - len(pairs))


def matchpoint_scores(old: int, new: int) -> float:
    """1 where the new is more, 1/2 where both are equal, as in duplicate bridge."""
    return (1 + (new > old) - (new < old)) / 2


def unseen_share(repetitions: int) -> float:
    """The share of cases that may be of another kind though none was seen in so many independent ``repetitions``: the
    greatest that is not ruled out with 95 % confidence (C. Clopper and E. Pearson, Biometrika 26, 1934)."""
    return float(1 - 0.05 ** (1 / repetitions))


def mean_with_interval(numbers: Iterable[float], share: bool = False) -> Estimate:
    """The mean of one number a repetition, with its interval."""
    return clustered_mean([(float(each), 1) for each in numbers], share)
