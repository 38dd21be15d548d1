"""How often the intervals of `arena branch --scan` hold the truth, though the dearest decisions were chosen.

    nice python tests/bench/scan_coverage.py [--scans 2000] [--seed 1] [--repeat 10,30,100]

Makes up scans of 40 decisions whose costs are known (tests/branch/made_up.py) and prints for each number of
repetitions: how many intervals of all lines, and of the first line, hold the truth; by how much the figures that chose
a decision, and those that are told of it, exceed the truth in the mean; and how many decisions that cost nothing are
told as if they did.
"""

from __future__ import annotations

import argparse

import numpy
from tabulate import tabulate

from arena.commands.branch.inference.dearest import CostVerdict, cost_verdict
from tests.branch.made_up import holds, scan


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scans", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", default="10,30,100")
    given = parser.parse_args()
    rows = []
    for repeat in map(int, given.repeat.split(",")):
        draw = numpy.random.Generator(numpy.random.PCG64(given.seed))
        scans = [lines for _ in range(given.scans) if (lines := scan(draw, repeat))]
        every = [line for lines in scans for line in lines]
        nothing = [line for line in every if line.true <= 0]
        false = sum(cost_verdict(line.told) is CostVerdict.CLEAR for line in nothing)
        rows.append(
            [
                repeat,
                len(every),
                f"{100 * numpy.mean([holds(line) for line in every]):.1f} %",
                f"{100 * numpy.mean([holds(lines[0]) for lines in scans]):.1f} %",
                f"{numpy.mean([line.chosen_by - line.true for line in every]):+.2f}",
                f"{numpy.mean([(line.told.mean or 0) - line.true for line in every]):+.2f}",
                f"{100 * false / len(nothing):.1f} %",
            ]
        )
    headers = ["repeat", "lines", "hold", "first line", "chosen by", "told", "false"]
    print(tabulate(rows, headers, disable_numparse=True))


if __name__ == "__main__":
    main()
