"""The course of a tuning: what it asks to be played, where it stands, and what each round has gained."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tuning.option_space import OptionValues

STEPS = 10
"""The steps of a gradient search in a round."""
CHECK_FACTOR = 8
"""How many times the deals of a step are played in the check at the end of a round."""
PATIENCE = 2
"""After so many rounds in a row without a gain a tuning stops."""


class TuningMethod(StrEnum):
    """How values are searched for."""

    SPSA = "spsa"
    HALVING = "halving"


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings:
    """How to tune: at most so many ``rounds``; ``deals`` on which two candidates, or those of the first rung, are
    played; how many ``candidates`` a bracket of successive halving has."""

    method: TuningMethod
    rounds: int = 10
    deals: int = 3
    candidates: int = 8

    @property
    def check_deals(self) -> int:
        """The deals of the check at the end of a round."""
        return CHECK_FACTOR * self.deals

    @property
    def rung_deals(self) -> list[int]:
        """The new deals of each rung of a bracket. Every rung halves the candidates and doubles the deals, so that all
        cost about the same."""
        return [self.deals << rung for rung in range((self.candidates - 1).bit_length())]

    @property
    def most_deals(self) -> int:
        """The greatest number of deals that may be played."""
        searched = STEPS * self.deals if self.method is TuningMethod.SPSA else sum(self.rung_deals)
        return self.rounds * (searched + self.check_deals)


class TrialBatch(NamedTuple):
    """What is to be played next: every one of the ``candidates``, which are values in place of the bot's own, on each
    of the ``deals``. ``step`` says what for."""

    step: str
    candidates: tuple[OptionValues, ...]
    deals: range


TrialValues = Sequence[Sequence[float | None]]
"""The share of opponents beaten by each candidate of a batch, by deal; None for a deal without a match that counts."""
Search = Generator[TrialBatch, TrialValues, OptionValues]
"""The search of one round: asks for batches, and returns the values that it proposes."""


class CoursePoint(NamedTuple):
    """Where the search stood after a step: the number of ``deals`` used up to then, and the values."""

    deals: int
    values: OptionValues


@dataclass(frozen=True, slots=True)
class TuningRound:
    """A round: the values that it ``proposed``, how many more opponents they beat than the best before (``gain``) and
    than the bot as it was named (``total``), on the deals of the check, and whether they are the best from now on
    (``better``). ``deals`` is the number of deals used up to its end. Without a check, because the search ended at the
    best before, the estimates are empty."""

    number: int
    proposed: OptionValues
    gain: Estimate
    total: Estimate
    better: bool
    deals: int


@dataclass(slots=True)
class TuningCourse:
    """The course so far. ``best`` are the best values, empty for the bot as it was named; ``stale`` counts the rounds
    since the last gain."""

    points: list[CoursePoint] = field(default_factory=list)
    rounds: list[TuningRound] = field(default_factory=list)
    best: OptionValues = field(default_factory=dict)
    stale: int = 0
    deals: int = 0

    def new_deals(self, count: int) -> range:
        """So many deals that were not played before."""
        self.deals += count
        return range(self.deals - count, self.deals)

    def add_point(self, values: OptionValues) -> None:
        """Note where the search stands."""
        self.points.append(CoursePoint(self.deals, values))

    @property
    def why_over(self) -> str:
        """Why the tuning is over although there are rounds left; empty while it is not."""
        return f"nothing gained in {PATIENCE} rounds in a row" if self.stale >= PATIENCE else ""


def paired_differences(new: Sequence[float | None], old: Sequence[float | None]) -> list[float]:
    """The differences, new less old, in the deals in which both have a value."""
    return [a - b for a, b in zip(new, old, strict=True) if a is not None and b is not None]


def mean_estimate(differences: Sequence[float]) -> Estimate:
    """The mean of differences by deal, with its 95 % interval."""
    return clustered_mean([(each, 1) for each in differences])


def is_gain(differences: Sequence[float]) -> bool:
    """Whether the mean of these differences lies more than its standard error above 0: enough to go on from, not to
    believe in."""
    if len(differences) < 2:
        return False
    return fmean(differences) > stdev(differences) / sqrt(len(differences))
