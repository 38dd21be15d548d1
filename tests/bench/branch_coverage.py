"""How often the intervals of ``arena branch`` hold what is true, for differences of several kinds.

    python tests/bench/branch_coverage.py [--tried 4000]

Each line is one kind of difference between two branches of a repetition, and a number of repetitions: the share of
intervals (of 95 %) that hold the true mean difference and the true matchpoints, and the share of comparisons in which
one was printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy
from numpy.random import Generator

from arena.commands.branch.inference.decision_worth import variant_worth

Drawn = Callable[[Generator, tuple[int, int]], numpy.ndarray]
LARGE = 4_000_000
"""Differences from which the true values are taken."""


def normal(rng: Generator, size: tuple[int, int]) -> numpy.ndarray:
    """Every repetition is another match: as after an early decision."""
    return numpy.rint(rng.normal(2, 12, size)).astype(int)


def mostly_equal(rng: Generator, size: tuple[int, int]) -> numpy.ndarray:
    """Six of ten come out alike."""
    return numpy.where(rng.random(size) < 0.6, 0, numpy.rint(rng.normal(2, 12, size)).astype(int))


def skewed(rng: Generator, size: tuple[int, int]) -> numpy.ndarray:
    """Four of ten alike, the others with a long tail to one side."""
    return numpy.where(rng.random(size) < 0.4, 0, rng.geometric(0.15, size) - 8)


def rare(rng: Generator, size: tuple[int, int]) -> numpy.ndarray:
    """A certain $1 less, and in one repetition of ten much more."""
    return numpy.where(rng.random(size) < 0.1, 20, -1)


KINDS: tuple[Drawn, ...] = (normal, mostly_equal, skewed, rare)


def main() -> None:
    """Print a line for each kind and number of repetitions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tried", type=int, default=4000)
    tried = parser.parse_args().tried
    print("differences   repetitions  $M hold  printed  matchpoints hold")
    for kind in KINDS:
        for repeats in (10, 20, 50, 100, 200):
            held, printed, points = coverage(kind, repeats, tried)
            print(f"{kind.__name__:14}{repeats:11}  {held:7.1%}  {printed:7.1%}  {points:16.1%}")


def coverage(kind: Drawn, repeats: int, tried: int) -> tuple[float, float, float]:
    """Of the intervals of differences the share that hold, how many were printed, and of matchpoints the share."""
    rng = numpy.random.default_rng(16)
    large = kind(rng, (1, LARGE))
    mean, share = float(large.mean()), float(((numpy.sign(large) + 1) / 2).mean())
    held = printed = points = 0
    for changed in kind(rng, (tried, repeats)).tolist():
        found = variant_worth([(0,)] * repeats, [(each,) for each in changed], 0)
        difference, won = found.differences[0], found.matchpoints
        if difference.low is not None and difference.high is not None:
            printed += 1
            held += difference.low <= mean <= difference.high
        if won.low is not None and won.high is not None:
            points += won.low <= share <= won.high
        else:
            points += won.mean == share
    return held / max(1, printed), printed / tried, points / tried


if __name__ == "__main__":
    main()
