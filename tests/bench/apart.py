"""Do the intervals of differences from the others hold the truth, and how often is one listed that is none? Made-up
tournaments of six equal entrants, a figure in blocks of 6 to 14 cases, of kinds that differ in how skewed they are.

Run: nice python tests/bench/apart.py [RUNS]     (4,000 by default; three minutes)
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy
from numpy.typing import NDArray

from arena.ledger.against import LEAST_EITHER, estimate_differences
from arena.web.report.sections.distinction_section import LISTING_CHANCE

ENTRANTS, FIGURES = 6, 47
Floats = NDArray[numpy.float64]
Make = Callable[[numpy.random.Generator, Floats], Floats]
KINDS: dict[str, Make] = {
    "share of 30 %": lambda random, counts: random.binomial(counts.astype(int), 0.3).astype(float),
    "rarest share": lambda random, counts: random.binomial(counts.astype(int), rarest(counts)).astype(float),
    "prices": lambda random, counts: random.gamma(1.5 * counts, 1.0),
    "with luck of blocks": lambda random, counts: random.gamma(1.5, 1.0, counts.shape) * counts,
}
"""The totals of a figure by entrant and block, given its cases there."""


def rarest(counts: Floats) -> float:
    """The rarest share that is compared with so many cases."""
    n = counts.sum(axis=1).min()
    return float(0.5 - numpy.sqrt(max(0.25 - LEAST_EITHER / n, 0.0)))


def measure(kind: str, blocks: int, runs: int) -> str:
    """A row of the table."""
    random = numpy.random.Generator(numpy.random.PCG64([15, blocks, len(kind)]))
    chances, held = [], 0
    for _ in range(runs):
        counts = random.poisson(9, (ENTRANTS, blocks)) + 1.0
        for _, _, told in estimate_differences(KINDS[kind](random, counts), counts):
            if told is not None:
                estimate, _, chance = told
                chances.append(chance)
                held += (estimate.low or 0.0) <= 0 <= (estimate.high or 0.0)
    found = numpy.array(chances)
    small = float((found < LISTING_CHANCE / FIGURES).mean()) * FIGURES
    return f"| {kind:<20}| {blocks:>6} | {held / len(found):>6.1%} | {(found < 0.001).mean():>10.2%} | {small:>7.1%} |"


def main(runs: int = 4000) -> None:
    """Print the table."""
    print("| figure              | blocks | holds  | below .001 | listed  |")
    for kind in KINDS:
        for blocks in (5, 10, 20, 50):
            print(measure(kind, blocks, runs), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
