"""How often a run of the length that ``arena plan`` says is precise enough.

    nice python tests/bench/plan_assurance.py [RUNS [KIND...]]     (2,000 of each kind by default)

Draws a pilot and a run of the planned length, from blocks of several shapes, and counts how often the run's 95 %
interval is as narrow as wanted, and how often a true difference is found: with the assurance of 80 %, and with the
pilot's deviation taken as known. *Kept* runs go on from the pilot. Prints a row after another, and all in a table.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import exp, inf, sqrt

import numpy
from tabulate import tabulate

from arena.tournament.inference.blocks_needed import deviation_of_mean, for_difference, for_half_width
from arena.tournament.inference.intervals import shown_degrees
from arena.tournament.inference.student_t import t_quantile_975

HALF_WIDTH, DIFFERENCE, POWER, ASSURANCE = 0.25, 0.4, 0.8, 0.8
Numbers = numpy.ndarray


SHAPES = {
    "normal": lambda random, shape: random.normal(0, 1, shape),
    "even": lambda random, shape: random.uniform(-(3**0.5), 3**0.5, shape),
    "heavy tails": lambda random, shape: random.standard_t(5, shape) * 0.6**0.5,
    "rare wins": lambda random, shape: (random.binomial(8, 0.1, shape) - 0.8) / 0.72**0.5,
    "skewed": lambda random, shape: random.exponential(1, shape) - 1,
    "far skewed": lambda random, shape: (random.lognormal(0, 0.75, shape) - LOG_MEAN) / LOG_DEVIATION,
}
"""Results of blocks with mean 0 and deviation 1: among them the wins of eight matches of which each is won with 10 %,
exponential ones (skewness 2), and lognormal ones (skewness 3.3)."""
LOG_MEAN = exp(0.75**2 / 2)
LOG_DEVIATION = LOG_MEAN * sqrt(exp(0.75**2) - 1)


def reached(kind: str, pilot: int, runs: int, assurance: float | None) -> list[float]:
    """The shares of runs that are as narrow as wanted (new ones, and kept ones), the share that finds the difference,
    and the mean length of a run in blocks."""
    random = numpy.random.Generator(numpy.random.PCG64(pilot))
    narrow = kept_narrow = found = length = 0.0
    for _ in range(runs):
        seen = SHAPES[kind](random, pilot)
        deviation = deviation_of_mean({block: (float(each), 1) for block, each in enumerate(seen)})
        if deviation is None:  # nothing varied: a plan is refused
            continue
        number = for_half_width(deviation, HALF_WIDTH, assurance).blocks
        narrow += _half_width(SHAPES[kind](random, number)) <= HALF_WIDTH
        more = for_half_width(deviation, HALF_WIDTH, assurance, kept=True).blocks
        kept_narrow += _half_width(numpy.concatenate([seen, SHAPES[kind](random, max(0, more - pilot))])) <= HALF_WIDTH
        run = SHAPES[kind](random, for_difference(deviation, DIFFERENCE, POWER, assurance).blocks) + DIFFERENCE
        found += run.mean() > _half_width(run)
        length += number
    return [narrow / runs, kept_narrow / runs, found / runs, length / runs]


def _half_width(blocks: Numbers) -> float:
    """That of the interval as it is printed, which is wider where blocks show a kurtosis."""
    squares = (blocks - blocks.mean()) ** 2
    degrees = min(len(blocks) - 1, shown_degrees(squares.tolist()) or inf)
    return t_quantile_975(degrees) * float(blocks.std(ddof=1)) / sqrt(len(blocks))


def main(runs: int, kinds: Sequence[str]) -> None:
    """Print the table."""
    rows = []
    for kind in kinds:
        for pilot in (5, 10, 20, 40):
            for assurance in (None, ASSURANCE) if kind == "normal" else (ASSURANCE,):
                *shares, length = reached(kind, pilot, runs, assurance)
                told = "none" if assurance is None else f"{assurance:.0%}"
                rows.append([kind, pilot, told, *(f"{100 * share:.1f} %" for share in shares), f"{length:.0f}"])
                print(*rows[-1], sep="  ", flush=True)
    print(tabulate(rows, ["blocks", "pilot", "assurance", "narrow", "narrow, kept", "found", "length"]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 2000, sys.argv[2:] or tuple(SHAPES))
