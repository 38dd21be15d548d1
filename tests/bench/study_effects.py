"""How often does a factorial study find an effect where there is none, and how often do its intervals hold the truth?

    nice python tests/bench/study_effects.py [REPETITIONS]     (1,000 by default; some four minutes)

Made-up cells play the same deals. What a cell gets in a deal is the deal's worth for it, in part shared by all cells,
and chance: normal, with heavy tails (Student's t with 3 degrees of freedom), or the share of opponents beaten in four
matches, in steps of 1/12. Prints a table for each design: the share of studies without any effect in which at least one
effect stands out after Holm; then, where two main effects and one interaction exist, the share in which one of the
others stands out, and the coverage of all intervals.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy
from tabulate import tabulate

from arena.study.factor_design import FactorDesign, make_design
from arena.study.factor_effects import estimate_effects

BLOCKS = (10, 20, 40)
KINDS = ("normal", "heavy tails", "shares")
DESIGNS = {
    "2 × 2": make_design((2, 2)),
    "2 × 2 × 2": make_design((2, 2, 2)),
    "3 × 2": make_design((3, 2)),
    "8 of 2^4, resolution 4": make_design((2,) * 4, 4),
    "16 of 2^5, resolution 5": make_design((2,) * 5, 5),
}
SIZE = 0.3
NOTHING = "–"


def true_means(design: FactorDesign) -> Any:
    """The means of the cells where the first two factors and their interaction have effects."""
    first, second = (numpy.array([cell[factor] > 0 for cell in design.cells]) * 2 - 1 for factor in (0, 1))
    return SIZE * (first + second + first * second) / 2


def cell_means(means: Any, kind: str, shape: tuple[int, int], source: numpy.random.Generator) -> Any:
    """The mean of each cell in each deal: repetitions, deals, cells."""
    size = (*shape, len(means))
    own = source.standard_t(3, size) if kind == "heavy tails" else source.standard_normal(size)
    got = own + source.standard_normal((*shape, 1)) + means
    if kind != "shares":
        return got
    won = source.standard_normal((*size, 4)) + got[..., None]
    return numpy.round(numpy.clip(won, -1.5, 1.5) + 1.5).mean(-1) / 3


def figures(design: FactorDesign, kind: str, blocks: int, runs: int) -> tuple[float, float | None, float]:
    """The three shares of a row, in percent; None where every effect exists."""
    source = numpy.random.Generator(numpy.random.PCG64(blocks))
    nothing = cell_means(numpy.zeros(len(design.cells)), kind, (runs, blocks), source)
    false = sum(any(each.adjusted < 0.05 for each in estimate_effects(design, study.tolist())) for study in nothing)
    means = true_means(design)
    large = cell_means(means, kind, (200_000 // len(means), 1), source).mean((0, 1)) if kind == "shares" else means
    truth = [float(numpy.dot(design.weights(effect), large)) for effect, _ in design.effects()]
    tolerance = 0.02 if kind == "shares" else 1e-9  # by how much the simulated truth may miss 0
    wrong = held = all_intervals = 0
    for study in cell_means(means, kind, (runs, blocks), source):
        found = estimate_effects(design, study.tolist())
        wrong += any(each.adjusted < 0.05 and abs(true) < tolerance for each, true in zip(found, truth, strict=True))
        for each, true in zip(found, truth, strict=True):
            if each.estimate.low is not None and each.estimate.high is not None:
                all_intervals += 1
                held += each.estimate.low <= true <= each.estimate.high
    others = any(abs(true) < tolerance for true in truth)
    return 100 * false / runs, 100 * wrong / runs if others else None, 100 * held / all_intervals


def main(runs: int) -> None:
    """Print the table."""
    rows = []
    for name, design in DESIGNS.items():
        for kind in KINDS:
            told = [figures(design, kind, blocks, runs) for blocks in BLOCKS]
            rows.append(
                [name, kind, *(", ".join(NOTHING if part is None else f"{part:.1f}" for part in each) for each in told)]
            )
            print(*rows[-1], sep="   ", flush=True)
    heads = ["design", "results", *(f"{blocks} deals" for blocks in BLOCKS)]
    print("\n" + tabulate(rows, heads, tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
