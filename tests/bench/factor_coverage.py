"""How often does the 95 % interval of the design factor hold the true factor?

    nice python tests/bench/factor_coverage.py [REPETITIONS]     (2,000 by default; about a minute)

Six made-up bots in blocks of eight matches. What they get is drawn with an effect of the deal that all matches of a
block share (or that the block evens out), and then ranked or counted as wins. The true factor comes from 400
tournaments of 50 blocks. Prints a table.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy
from tabulate import tabulate

from arena.tournament.inference.design_factor import EntrantBlocks, design_factor

BOTS, MATCHES = 6, 8
BLOCKS = (5, 6, 8, 10, 15, 20, 30)
CASES = {
    "money, independent": ("money", 0.0),
    "money, deal 30 % of the variance": ("money", 0.3),
    "money, evened out": ("money", -0.5),
    "money with heavy tails, deal 30 %": ("heavy", 0.3),
    "ranks, deal 20 %": ("ranks", 0.2),
    "wins of equal bots, deal 20 %": ("wins", 0.2),
    "wins of equal bots, evened out": ("wins", -0.6),
    "wins of unequal bots, deal 20 %": ("unequal", 0.2),
}


def drawn(kind: str, deal: float, runs: int, blocks: int, source: numpy.random.Generator) -> Any:
    """What each bot gets: by run, bot, block and match."""
    heavy = kind == "heavy"
    shape = (runs, BOTS, blocks, MATCHES)
    own = source.standard_t(4, shape) / 2**0.5 if heavy else source.standard_normal(shape)
    of_deal = source.standard_t(4, (*shape[:3], 1)) / 2**0.5 if heavy else source.standard_normal((*shape[:3], 1))
    got = deal**0.5 * of_deal + (1 - deal) ** 0.5 * own if deal >= 0 else own + deal * own.mean(-1, keepdims=True)
    if kind == "ranks":
        return got.argsort(1).argsort(1).astype(float)
    if kind == "unequal":
        got = got + numpy.linspace(0, 2.5, BOTS)[None, :, None, None]
    return (got == got.max(1, keepdims=True)).astype(float) if kind in ("wins", "unequal") else got


def factors(got: Any) -> list[Any]:
    """The design factor of each run."""
    totals, squares = got.sum(-1), (got * got).sum(-1)
    blocks = numpy.arange(got.shape[2])
    counts = numpy.full(len(blocks), MATCHES)
    return [
        design_factor([EntrantBlocks(blocks, counts, *both) for both in zip(*run, strict=True)])
        for run in zip(totals, squares, strict=True)
    ]


def truth(kind: str, deal: float) -> float:
    """The factor of very many blocks."""
    got = drawn(kind, deal, 400, 50, numpy.random.Generator(numpy.random.PCG64(1)))
    spread = got.var((-1, -2), ddof=1).sum(1)
    between = got.mean(-1).var(-1, ddof=1).sum(1) * MATCHES
    return float(spread.mean() / between.mean())


def main(runs: int) -> None:
    """Print a table."""
    rows = []
    for name, (kind, deal) in CASES.items():
        true, row = truth(kind, deal), []
        for blocks in BLOCKS:
            source = numpy.random.Generator(numpy.random.PCG64(blocks))
            found = [each for each in factors(drawn(kind, deal, runs, blocks, source)) if each.half_width is not None]
            held = sum(each.low <= true <= each.high for each in found)
            row.append(f"{100 * held / len(found):.1f}")
        rows.append([name, f"{true:.2f}", *row])
        print(*rows[-1], sep="  ", flush=True)
    print("\n" + tabulate(rows, ["case", "factor", *map(str, BLOCKS)], tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
