"""What a 95 % interval says about two that are compared."""

from __future__ import annotations

from enum import StrEnum

from arena.tournament.intervals import Estimate

EVEN = 0.5
"""The score of two that are equally good."""


class Verdict(StrEnum):
    """Where the interval lies."""

    BETTER = "better"
    """Above what two equally good ones would have."""

    WORSE = "worse"
    """Below that."""

    SAME = "the same"
    """Exactly that in every block: nothing that was compared made a difference."""

    OPEN = "undecided"
    """It holds that, or there is no interval yet."""


def judge(estimate: Estimate, even: float) -> Verdict:
    """What an estimate says, of which two that are equally good would have the value ``even``."""
    if estimate.half_width == 0 and estimate.mean == even:
        return Verdict.SAME
    if estimate.mean is None or estimate.half_width is None or abs(estimate.mean - even) <= estimate.half_width:
        return Verdict.OPEN
    return Verdict.BETTER if estimate.mean > even else Verdict.WORSE
