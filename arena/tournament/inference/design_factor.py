"""What a match of a tournament's design is worth: as how many independent matches it counts.

Matches that share a deal resemble each other, which makes a mean less sure than as many independent matches would; seat
orders and tables that even things out make it surer. The *design factor* is the variance that the mean would have if
every match had a deal, a table and a seat order of its own, divided by the one it has by its blocks. At 0.5 two
matches are worth one independent match; above 1 the design pays. (It is the inverse of L. Kish's design effect, Survey
Sampling, 1965.)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

import numpy

from arena.tournament.inference.intervals import Estimate, shown_degrees
from arena.tournament.inference.student_t import t_quantile_975
from arena.tournament.measures.design_cells import BLOCK_BITS, CellSums
from arena.tournament.measures.exact_sums import Numbers

LEAST_BLOCKS = 5
"""With fewer blocks, the interval of a ratio of variances is so wide that it says nothing."""
VARIANCE_NOISE = 1e-12
"""A share of a variance that may be nothing but rounding."""


class EntrantBlocks(NamedTuple):
    """An entrant's results by block: the numbers of its ``blocks`` (each once), and in each the number of ``matches``,
    the sum, and the sum of squares."""

    blocks: Numbers
    matches: Numbers
    totals: Numbers
    squares: Numbers


def by_block(sums: CellSums) -> EntrantBlocks:
    """An entrant's results by block, from its sums of a measure and of its squares
    (:meth:`arena.tournament.measures.tally.Tally.results`)."""
    totals, squares = (numpy.array(column.floats(), dtype=numpy.float64) for column in sums.columns)
    return EntrantBlocks(sums.keys & ((1 << BLOCK_BITS) - 1), sums.matches, totals, squares)


def design_factor(entrants: Sequence[EntrantBlocks]) -> Estimate:
    """The design factor of one entrant, or of several together (both variances added up), with its 95 % interval by the
    jackknife over blocks (B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans, 1982), with fewer degrees
    of freedom if a few blocks dominate (:func:`arena.tournament.inference.intervals.shown_degrees`), cut off at 0
    because a ratio of variances is never negative. No mean if nothing varied, no interval with fewer than
    :data:`LEAST_BLOCKS` blocks. Because of rounding, the result may depend on the order of the entrants."""
    blocks = numpy.unique(numpy.concatenate([each.blocks for each in entrants])) if entrants else numpy.zeros(0)
    size = len(blocks)
    independent, clustered = [0.0], [0.0]
    left_out = numpy.zeros((2, size))
    for each in entrants:
        whole, without = _mean_variances(each)
        independent.append(whole[0])
        clustered.append(whole[1])
        left_out += numpy.array(whole)[:, None]
        left_out[:, numpy.searchsorted(blocks, each.blocks)] += without - numpy.array(whole)[:, None]
    above, below = fsum(independent), fsum(clustered)
    if below <= VARIANCE_NOISE * above or not below:
        return Estimate(None, None, None, size)
    mean = above / below
    if size < LEAST_BLOCKS or (left_out[1] <= VARIANCE_NOISE * left_out[0]).any() or (left_out <= 0).any():
        return Estimate(mean, None, None, size)
    parts = (left_out[0] / left_out[1]).tolist()
    middle = fsum(parts) / size
    squares = [(part - middle) ** 2 for part in parts]
    if not any(squares):
        return Estimate(mean, None, None, size)
    degrees = min(size - 1.0, shown_degrees(squares) or size)
    half_width = t_quantile_975(degrees) * sqrt((size - 1) / size * fsum(squares))
    return Estimate(mean, max(0.0, mean - half_width), mean + half_width, size)


def _mean_variances(one: EntrantBlocks) -> tuple[tuple[float, float], Numbers]:
    """The variance of an entrant's mean, as if matches were independent and by blocks; then both again with each block
    left out (2 rows). With fewer than two blocks or matches a variance is 0."""
    size, matches = len(one.blocks), int(one.matches.sum())
    nothing = numpy.zeros((2, size))
    if size < 2 or matches < 2:
        return (0.0, 0.0), nothing
    count = one.matches.astype(numpy.float64)
    mean = fsum(one.totals.tolist()) / matches
    rest = one.totals - mean * count
    squares = one.squares - 2 * mean * one.totals + mean**2 * count
    scale = fsum(one.squares.tolist())
    spread, rests = _exact_sum(squares), _exact_sum(rest * rest)
    if spread <= VARIANCE_NOISE * scale:
        return (0.0, 0.0), nothing
    whole = spread / (matches - 1) / matches, size / (size - 1) * rests / matches**2
    if size < 3:
        return whole, nothing
    crossed, counts = _exact_sum(rest * count), _exact_sum(count * count)
    left = matches - count
    shift = -rest / left  # of the mean, without a block
    inner = spread - squares - left * shift**2
    outer = (rests - rest**2) - 2 * shift * (crossed - rest * count) + shift**2 * (counts - count**2)
    usable = left >= 2
    return whole, numpy.where(
        usable,
        numpy.maximum([inner / numpy.where(usable, left - 1, 1) / left, (size - 1) / (size - 2) * outer / left**2], 0),
        0,
    )


def _exact_sum(numbers: Numbers) -> float:
    """The sum, rounded only once, and therefore the same in any order."""
    return fsum(numbers.tolist())
