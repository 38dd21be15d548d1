"""How often a sequential test errs, and how many blocks it takes, with a look after each block.

    nice python tests/bench/sequential.py [--runs 2000] [--seed 1] [--difference 0.3] [--bounds]

Block differences of several kinds are drawn, without any difference between the versions and with one of exactly the
declared size; the test decides each run by itself. The peek-proof interval is right in a run if it never excluded the
true mean. With ``--bounds`` instead: what it costs if the bound lies far from what happens. One process; prints a row
after another.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt
from statistics import NormalDist

import numpy
from tabulate import tabulate

from arena.sequential.betting import MOST_BET
from arena.sequential.likelihood_ratio import Floats
from arena.sequential.sequential_test import likelihood_ratios
from arena.sequential.test_settings import Settings

MOST = 2000
"""Blocks after which a run would count as hanging."""


@dataclass(frozen=True)
class Kind:
    """Block differences that take these values, within ``bound``, with these probabilities, whose mean is 0."""

    name: str
    bound: float
    values: Floats
    probabilities: Floats

    def tilted(self, effect: float) -> Floats:
        """The nearest probabilities (by exponential tilting) with which the mean is so many deviations."""
        low, high = -60.0 / self.bound, 60.0 / self.bound
        for _ in range(200):
            middle = (low + high) / 2
            given = self.probabilities * numpy.exp(middle * self.values)
            given /= given.sum()
            mean = given @ self.values
            low, high = (middle, high) if mean < effect * sqrt(given @ (self.values - mean) ** 2) else (low, middle)
        return given


def kinds() -> list[Kind]:
    """Those that are tried."""
    quarters = numpy.arange(-4, 5) / 4
    one = numpy.array([0.2, 0.6, 0.2])
    four = one
    for _ in range(3):
        four = numpy.convolve(four, one)
    money = numpy.arange(-30, 31, 1.5)
    heavy = (1 + (money / 4) ** 2 / 2) ** -1.5
    skewed = numpy.zeros(9)
    skewed[[0, 4, 5]] = 0.1, 0.5, 0.4
    rare = numpy.zeros(9)
    rare[[0, 4, 5]] = 0.02, 0.9, 0.08
    return [
        Kind("three values, 90 % zero", 1, numpy.array([-1.0, 0, 1]), numpy.array([0.05, 0.9, 0.05])),
        Kind("wins of 4 matches", 1, quarters, four),
        Kind("money, heavy tails, clipped", 30, money, heavy / heavy.sum()),
        Kind("40 % +1/4, 10 % -1", 1, quarters, skewed),
        Kind("8 % +1/4, 2 % -1", 1, quarters, rare),
    ]


def bounded(deviations: int) -> Kind:
    """Normal differences in a range whose ends lie so many deviations away."""
    values = numpy.arange(-3, 3.01, 0.25)
    likely = numpy.exp(-(values**2) / 2)
    return Kind(f"normal, bound {deviations} deviations", deviations, values, likely / likely.sum())


@dataclass
class Found:
    """Shares of runs that were found better, worse, alike; that hung; whose interval was once wrong; and blocks."""

    better: float
    worse: float
    alike: float
    hung: float
    missed: float
    blocks: float
    longest: int


def simulate(kind: Kind, effect: float, settings: Settings, runs: int, seed: int) -> Found:
    """So many runs of the test on differences of this kind with this effect."""
    random = numpy.random.Generator(numpy.random.PCG64(seed))
    given = kind.tilted(effect)
    true = (given @ kind.values / kind.bound + 1) / 2
    counts = numpy.zeros((runs, len(kind.values)))
    excluded = numpy.zeros((2, runs), dtype=bool)
    ended = {"better": 0, "worse": 0, "alike": 0}
    lengths: list[int] = []
    capital = _Capital(runs, true)
    missed = 0
    for block in range(1, MOST + 1):
        drawn = random.choice(len(kind.values), len(counts), p=given)
        counts[numpy.arange(len(counts)), drawn] += 1
        capital.add((kind.values[drawn] / kind.bound + 1) / 2)
        both = numpy.array(likelihood_ratios(kind.values, counts, settings))
        shown = (both >= settings.upper_bound) & ~excluded
        excluded |= both <= settings.lower_bound
        done = shown.any(axis=0) | excluded.all(axis=0)
        if not done.any():
            continue
        ended["better"] += int(shown[0].sum())
        ended["worse"] += int((shown[1] & ~shown[0]).sum())
        ended["alike"] += int((excluded.all(axis=0) & ~shown.any(axis=0)).sum())
        missed += int(capital.missed[done].sum())
        lengths += [block] * int(done.sum())
        counts, excluded = counts[~done], excluded[:, ~done]
        capital.keep(~done)
        if not len(counts):
            break
    rates = {name: count / runs for name, count in ended.items()}
    return Found(
        **rates, hung=len(counts) / runs, missed=missed / runs, blocks=sum(lengths) / len(lengths), longest=block
    )


class _Capital:
    """Of many runs, whether the betting interval ever excluded the true mean; what is bet is as in the package."""

    def __init__(self, runs: int, true: float, alpha: float = 0.05) -> None:
        self.true, self.alpha, self.count = true, alpha, 0
        self.sum, self.squares = numpy.full(runs, 0.5), numpy.full(runs, 0.25)
        self.above, self.below = numpy.zeros(runs), numpy.zeros(runs)
        self.missed = numpy.zeros(runs, dtype=bool)

    def add(self, seen: Floats) -> None:
        """One observation of each run."""
        number = self.count + 1
        bet = numpy.sqrt(2 * log(2 / self.alpha) / (self.squares / number * number * log(number + 1)))
        self.count = number
        self.sum += seen
        self.squares += (seen - self.sum / (number + 1)) ** 2
        self.above += numpy.log1p(numpy.minimum(bet, MOST_BET / self.true) * (seen - self.true))
        self.below += numpy.log1p(-numpy.minimum(bet, MOST_BET / (1 - self.true)) * (seen - self.true))
        self.missed |= numpy.maximum(self.above, self.below) >= log(2 / self.alpha)

    def keep(self, rows: Sequence[bool]) -> None:
        """Leave out the others."""
        for name in ("sum", "squares", "above", "below", "missed"):
            setattr(self, name, getattr(self, name)[rows])


def fixed(settings: Settings) -> int:
    """The blocks of a test whose number of blocks is settled before, with the same chances of error."""
    normal = NormalDist()
    return ceil(
        ((normal.inv_cdf(1 - settings.alpha / 2) + normal.inv_cdf(1 - settings.beta)) / settings.difference) ** 2
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="runs of each kind and effect")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is drawn")
    parser.add_argument("--difference", type=float, default=0.3, help="the declared difference, in deviations")
    parser.add_argument("--bounds", action="store_true", help="try bounds that lie near and far")
    given = parser.parse_args(arguments)
    rows = []
    for kind in [bounded(each) for each in (3, 6, 12, 25)] if given.bounds else kinds():
        settings = Settings(measure=kind.name, bound=kind.bound, difference=given.difference)
        for effect in (0.0, given.difference, -given.difference, 2 * given.difference):
            found = simulate(kind, effect, settings, given.runs, given.seed)
            shares = [
                f"{100 * share:.1f} %" for share in (found.better, found.worse, found.alike, found.hung, found.missed)
            ]
            rows.append([kind.name, f"{effect:+.2f}", *shares, f"{found.blocks:.0f}", found.longest])
            print(*rows[-1], sep="  ", flush=True)
    headers = ["block differences", "effect", "better", "worse", "alike", "hung", "missed", "blocks", "longest"]
    print(tabulate(rows, headers, disable_numparse=True))
    print(f"with a fixed number of blocks: {fixed(settings)}")


if __name__ == "__main__":
    main()
