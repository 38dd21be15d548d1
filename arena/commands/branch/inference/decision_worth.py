"""Compares one variant of a decision with another: money and matchpoints, with intervals.

In each repetition both variants are played with the same random events, so that the difference of a pair says more than
both results alone. A repetition is one observation: what holds for blocks in a tournament
(:mod:`arena.tournament.inference.intervals`) holds for repetitions here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from arena.tournament.inference.intervals import Estimate, clustered_mean

Money = Sequence[int]
"""The money at the end of a branch, by seat; empty if the branch does not count."""


@dataclass(frozen=True, slots=True)
class VariantWorth:
    """A variant compared with the match as recorded, over the ``pairs`` of repetitions in which both count
    (``left_out``: the others).

    ``money`` is the seat's mean money in the variant; ``differences`` are by seat the mean differences from the
    recorded variant; both in the game's unit. ``matchpoints`` is the share of repetitions in which the variant gives
    the seat more; equal money counts half.
    """

    money: Estimate
    differences: tuple[Estimate, ...]
    matchpoints: Estimate
    pairs: int
    left_out: int


def variant_worth(recorded: Sequence[Money], changed: Sequence[Money], seat: int) -> VariantWorth:
    """Compare the money in the variant ``changed`` with that in ``recorded``, for this ``seat``; both have one entry
    per repetition, in the same order.

    Intervals have 95 % confidence, and need at least :data:`arena.tournament.inference.intervals.LEAST_CLUSTERS` pairs;
    if all differences of a seat are equal, its estimate is ``alike``. Raises ValueError if the sequences differ in
    length."""
    pairs = [(old, new) for old, new in zip(recorded, changed, strict=True) if old and new]
    seats = range(len(pairs[0][0])) if pairs else ()
    differences = tuple(mean_with_interval([new[each] - old[each] for old, new in pairs]) for each in seats)
    points = mean_with_interval([matchpoint_scores(old[seat], new[seat]) for old, new in pairs], share=True)
    if differences and differences[seat].alike:
        points = replace(points, low=None, high=None)
    money = mean_with_interval([new[seat] for _, new in pairs])
    return VariantWorth(money, differences, points, len(pairs), len(recorded) - len(pairs))


def matchpoint_scores(old: int, new: int) -> float:
    """1 if ``new`` is more, 1/2 if both are equal, else 0, as in duplicate bridge."""
    return (1 + (new > old) - (new < old)) / 2


def unseen_share(repetitions: int) -> float:
    """An upper bound, at 95 % confidence, for the share of an event that occurred in none of ``repetitions``
    independent repetitions (C. Clopper and E. Pearson, Biometrika 26, 1934)."""
    return float(1 - 0.05 ** (1 / repetitions))


def mean_with_interval(numbers: Iterable[float], share: bool = False) -> Estimate:
    """The mean of one number per repetition, with its interval."""
    return clustered_mean([(float(each), 1) for each in numbers], share)
