"""How often a run of the length that ``arena plan`` says is precise enough.

    nice python tests/bench/plan_assurance.py [RUNS]     (2,000 of each kind by default)

Draws a pilot and a run of the planned length, from normal blocks and from skewed ones (exponential), and counts how
often the run's 95 % interval is as narrow as wanted, and how often a true difference is found: with the assurance of
80 %, and with the pilot's deviation taken as known. *Kept* runs go on from the pilot. Prints a table.
"""

from __future__ import annotations

import sys
from math import sqrt

import numpy
from tabulate import tabulate

from arena.tournament.inference.blocks_needed import Deviation, deviation_of_mean, for_difference, for_half_width
from arena.tournament.inference.student_t import t_quantile_975

HALF_WIDTH, DIFFERENCE, POWER, ASSURANCE = 0.25, 0.4, 0.8, 0.8
Numbers = numpy.ndarray


def blocks_of(kind: str, shape: tuple[int, ...] | int, random: numpy.random.Generator) -> Numbers:
    """Results of blocks with mean 0 and deviation 1."""
    return random.exponential(1, shape) - 1 if kind == "skewed" else random.normal(0, 1, shape)


def reached(kind: str, pilot: int, runs: int, assurance: float | None) -> list[float]:
    """The shares of runs that are as narrow as wanted (new ones, and kept ones), the share that finds the difference,
    and the mean length of a run in blocks."""
    random = numpy.random.Generator(numpy.random.PCG64(pilot))
    narrow = kept_narrow = found = length = 0.0
    for _ in range(runs):
        seen = blocks_of(kind, pilot, random)
        deviation = deviation_of_mean({block: (float(each), 1) for block, each in enumerate(seen)})
        assert isinstance(deviation, Deviation)
        number = for_half_width(deviation, HALF_WIDTH, assurance).blocks
        narrow += _half_width(blocks_of(kind, number, random)) <= HALF_WIDTH
        more = for_half_width(deviation, HALF_WIDTH, assurance, kept=True).blocks
        kept_narrow += (
            _half_width(numpy.concatenate([seen, blocks_of(kind, max(0, more - pilot), random)])) <= HALF_WIDTH
        )
        run = blocks_of(kind, for_difference(deviation, DIFFERENCE, POWER, assurance).blocks, random) + DIFFERENCE
        found += run.mean() > _half_width(run)
        length += number
    return [narrow / runs, kept_narrow / runs, found / runs, length / runs]


def _half_width(blocks: Numbers) -> float:
    return t_quantile_975(len(blocks) - 1) * float(blocks.std(ddof=1)) / sqrt(len(blocks))


def main(runs: int) -> None:
    """Print the table."""
    rows = []
    for kind in ("normal", "skewed"):
        for pilot in (5, 10, 20, 40):
            for assurance in (None, ASSURANCE):
                *shares, length = reached(kind, pilot, runs, assurance)
                told = "none" if assurance is None else f"{assurance:.0%}"
                rows.append([kind, pilot, told, *(f"{100 * share:.1f} %" for share in shares), f"{length:.0f}"])
    print(tabulate(rows, ["blocks", "pilot", "assurance", "narrow", "narrow, kept", "found", "length"]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 2000)
