"""What a 95 % interval says about two that are compared."""

from __future__ import annotations

from enum import StrEnum

from arena.tournament.inference.intervals import Estimate

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
    if estimate.alike and estimate.mean == even:
        return Verdict.SAME
    if estimate.low is None or estimate.high is None:
        return Verdict.OPEN
    if estimate.low <= even <= estimate.high:
        return Verdict.OPEN
    return Verdict.BETTER if estimate.low > even else Verdict.WORSE
