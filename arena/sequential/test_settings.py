"""The settings of a sequential test, and its possible verdicts."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite, log

import msgspec

from arena.errors import UserError


class SequentialVerdict(StrEnum):
    """What a sequential test says of the new version."""

    BETTER = "better"
    """Its blocks are better than the old one's, in the mean."""

    WORSE = "worse"
    """Its blocks are worse than the old one's, in the mean."""

    ALIKE = "no difference larger than d"
    """Its blocks are neither better nor worse by ``difference`` or more."""

    UNDECIDED = "undecided"
    """The blocks so far show none of these."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a test, fixed before the first block.

    The ``measure`` is the name of what is compared. Differences of blocks lie within ``-bound`` and ``bound``, in its
    unit. An *effect* is the mean difference of a block divided by the standard deviation of these differences. Where
    the true effect is ``null`` or less, the test says *better* with a probability of ``alpha / 2`` at most, and *worse*
    where it is ``-null`` or more; so at 0 it finds a difference with a probability of ``alpha`` at most. Where the true
    effect is ``difference`` or more, it fails to say *better* with a probability of ``beta`` at most, and *worse* where
    it is ``-difference`` or less. In between, either answer is right.

    Raises UserError for numbers with which no test is possible."""

    measure: str
    bound: float
    difference: float = 0.3
    null: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.bound) and self.bound > 0):
            raise UserError(f"bound: expected a number above 0 that no difference exceeds, got {self.bound:g}")
        if not 0 < self.difference <= 2:
            raise UserError(f"difference: expected more than 0 and at most 2 deviations, got {self.difference:g}")
        if not 0 <= self.null < self.difference:
            raise UserError(
                f"null: expected 0 or more and less than the difference ({self.difference:g}), got {self.null:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value <= 0.4:
                raise UserError(f"{name}: expected more than 0 and at most 0.4, got {value:g}")

    @property
    def upper_bound(self) -> float:
        """The log-likelihood ratio from which on an effect of ``difference`` counts as shown (A. Wald, Sequential
        Analysis, 1947)."""
        return log((1 - self.beta) / (self.alpha / 2))

    @property
    def lower_bound(self) -> float:
        """The log-likelihood ratio, below zero, from which on downwards such an effect counts as excluded."""
        return log(self.beta / (1 - self.alpha / 2))
