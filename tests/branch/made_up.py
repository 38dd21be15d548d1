"""Made-up scans: decisions whose cost is known, found and told as a scan of a match does it."""

from __future__ import annotations

from typing import NamedTuple

import numpy
from numpy.random import Generator

from arena.commands.branch.inference.dearest import OtherAnswer, kept_after_first, rounds_of, told_after_second
from arena.tournament.inference.intervals import Estimate, clustered_mean

ASKS, MOST_OTHERS = 40, 5
NOTHING = 0.3
"""The part of other answers that bring nothing, in the mean."""
MEAN, SPREAD, NOISE = -3.0, 5.0, (2.0, 20.0)
"""What the others bring, in the mean and its standard deviation; and the least and most standard deviation of one
repetition: as in branches of matches of bundled bots, where most other answers are worse."""


class Line(NamedTuple):
    """A decision as a scan tells it: what it ``true``-ly cost, what is ``told``, and the mean that chose it."""

    true: float
    told: Estimate
    chosen_by: float


def scan(draw: Generator, repeat: int) -> list[Line]:
    """One scan; its lines as they are printed, the dearest first."""
    rounds = rounds_of(repeat)
    asks = numpy.repeat(numpy.arange(1, ASKS + 1), draw.integers(1, MOST_OTHERS, ASKS))
    true = numpy.where(draw.random(asks.size) < NOTHING, 0.0, draw.normal(MEAN, SPREAD, asks.size))
    noise = draw.uniform(*NOISE, asks.size)
    others = [OtherAnswer(int(ask), str(place).encode()) for place, ask in enumerate(asks)]

    def play(repeats: range, of: list[OtherAnswer]) -> dict[OtherAnswer, list[int]]:
        at = [int(each.move) for each in of]
        gains = draw.standard_normal((len(repeats), len(at))) * noise[at] + true[at]
        return dict(zip(of, numpy.rint(gains).astype(int).T.tolist(), strict=True))

    first = play(rounds.first, others)
    both = {each: first[each] + gains for each, gains in play(rounds.second, kept_after_first(first)).items()}
    last = play(rounds.last, told_after_second(both))
    lines = [
        Line(float(true[int(each.move)]), clustered_mean([(float(gain), 1) for gain in gains]), _mean(both[each]))
        for each, gains in last.items()
    ]
    return sorted(lines, key=lambda line: -(line.told.mean or 0.0))


def holds(line: Line) -> bool:
    """Whether the interval that is told holds the truth."""
    assert line.told.low is not None
    assert line.told.high is not None
    return line.told.low <= line.true <= line.told.high


def _mean(gains: list[int]) -> float:
    return sum(gains) / len(gains)
