"""How often luck alone would give gifts as clear as these, over the whole table: sign flips of whole blocks.

Where a pair gives nothing beyond the additive model, what each block shows of it lies as often above 0 as below: so the
signs of blocks may be flipped, all pairs of a block together, because they share its deals. The clearest gift of all
pairs under each flip is what luck can do to the whole table (P. H. Westfall & S. S. Young, Resampling-Based Multiple
Testing, 1993; J. P. Romano & M. Wolf, Exact and approximate stepdown methods for multiple hypothesis testing, 2005).
Each gift is divided by the root of its blocks' squares, which no flip changes: so heavy tails do no harm, and pairs of
any spread compare.
"""

from __future__ import annotations

from hashlib import sha256

import numpy

from arena.collusion.arrays import Numbers

FLIPS = 4_999
FEWEST_FLIPS = 999
FLIP_WORK = 1_500_000_000
"""The number of multiplications spent on flips: runs with very many entrants get fewer flips, but at least
:data:`FEWEST_FLIPS`."""
AT_ONCE = 200
"""Flips made together, which bounds memory."""
EQUAL_GIFTS = 1e-9
"""Numbers that differ by less are taken as equal, so that rounding on another machine changes nothing."""


def gift_clearness(blocks: Numbers) -> Numbers:
    """For each column of ``blocks`` (what each block shows of a gift), its sum divided by the root of the sum of its
    squares."""
    size = numpy.sqrt((blocks * blocks).sum(0))
    found: Numbers = numpy.divide(blocks.sum(0), size, out=numpy.zeros(blocks.shape[1]), where=size > EQUAL_GIFTS)
    return found


def flip_probabilities(blocks: Numbers, seed: str) -> Numbers:
    """For each column, the probability that luck alone makes any column as clear: adjusted for the number of columns,
    and no smaller than 1 / (flips + 1). ``seed`` names the random flips."""
    shown = gift_clearness(blocks)
    size = numpy.sqrt((blocks * blocks).sum(0))
    scaled = numpy.divide(blocks, size, out=numpy.zeros(blocks.shape), where=size > EQUAL_GIFTS)
    flips = int(min(FLIPS, max(FEWEST_FLIPS, FLIP_WORK // max(1, scaled.size))))
    generator = numpy.random.Generator(numpy.random.PCG64(int.from_bytes(sha256(seed.encode()).digest()[:16])))
    highest: list[Numbers] = []
    for begin in range(0, flips, AT_ONCE):
        shape = (min(AT_ONCE, flips - begin), blocks.shape[0])
        signs = generator.integers(0, 2, shape, dtype=numpy.int8) * 2.0 - 1.0
        highest.append((signs @ scaled).max(1))
    ordered = numpy.sort(numpy.concatenate(highest))
    reached = flips - numpy.searchsorted(ordered, shown - EQUAL_GIFTS)
    found: Numbers = (1.0 + reached) / (flips + 1.0)
    return found
