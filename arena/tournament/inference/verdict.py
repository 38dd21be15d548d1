"""What a 95 % interval says about two that are compared."""

from __future__ import annotations

from enum import StrEnum

from arena.tournament.inference.intervals import Estimate

EVEN_SCORE = 0.5
"""The score of two that are equally good."""


class IntervalVerdict(StrEnum):
    """Where the interval lies."""

    BETTER = "better"
    """Above what two equally good ones would have."""

    WORSE = "worse"
    """Below that."""

    SAME = "the same"
    """Exactly that in every block: nothing that was compared made a difference."""

    OPEN = "undecided"
    """It holds that, or there is no interval yet."""


def judge_interval(estimate: Estimate, even: float) -> IntervalVerdict:
    """What an estimate says, of which two that are equally good would have the value ``even``."""
    if estimate.alike and estimate.mean == even:
        return IntervalVerdict.SAME
    if estimate.low is None or estimate.high is None:
        return IntervalVerdict.OPEN
    if estimate.low <= even <= estimate.high:
        return IntervalVerdict.OPEN
    return IntervalVerdict.BETTER if estimate.low > even else IntervalVerdict.WORSE
