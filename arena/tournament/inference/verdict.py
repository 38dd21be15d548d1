"""What a 95 % interval says about two entrants that are compared."""

from __future__ import annotations

from enum import StrEnum

from arena.tournament.inference.intervals import Estimate

EVEN_SCORE = 0.5
"""The score of two equally good entrants."""


class IntervalVerdict(StrEnum):
    """Where the interval lies, compared with the even value, which two equally good entrants would have."""

    BETTER = "better"
    """Above the even value."""

    WORSE = "worse"
    """Below the even value."""

    SAME = "the same"
    """Exactly the even value in every block: nothing that was compared made a difference."""

    OPEN = "undecided"
    """The interval holds the even value, or there is no interval yet."""


def judge_interval(estimate: Estimate, even: float) -> IntervalVerdict:
    """What an estimate says; ``even`` is the value that two equally good entrants would have."""
    if estimate.alike and estimate.mean == even:
        return IntervalVerdict.SAME
    if estimate.low is None or estimate.high is None:
        return IntervalVerdict.OPEN
    if estimate.low <= even <= estimate.high:
        return IntervalVerdict.OPEN
    return IntervalVerdict.BETTER if estimate.low > even else IntervalVerdict.WORSE
