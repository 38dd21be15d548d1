"""The covariance of estimates from observations that come in blocks: how sure the estimates are.

The residuals of a block add up to one vector, its *score*; blocks are independent, so the scores show how much
estimates vary, whatever happens within a block (K.-Y. Liang & S. L. Zeger, Longitudinal data analysis using generalized
linear models, Biometrika 73, 1986). Few blocks make that too small, because the estimates fit the blocks they come
from. So with up to ``ONE_BY_ONE`` blocks each is left out in turn, which is the jackknife (R. M. Bell & D. F.
McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples, Survey Methodology 28,
2002; for a likelihood, with one step of Newton's method). With more blocks the factor G/(G-1) is enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy

from arena.ratings.definite import PIVOT_ROUNDING, cholesky, solve_factored
from arena.ratings.order_columns import Numbers

ONE_BY_ONE = 150
"""With up to this many blocks, each is left out in turn."""
CHUNK_OBSERVATIONS = 1 << 15
"""The number of observations added up at a time; more if a block has more."""
DENSE_FACTOR = 8
"""Scores are kept as a full table if its number of places is at most this many times the number of parts of scores."""


class ScoreEntries(NamedTuple):
    """Parts of scores, one in each row: the ``block``, the ``parameter``, and the ``value``. Rows of the same block and
    parameter add up; the value without a row is 0."""

    block: Numbers
    parameter: Numbers
    value: Numbers


class EstimateBlocks(Protocol):
    """The blocks that estimates were computed from. Each method is about the blocks from ``first`` up to but without
    ``end``."""

    def rows_of(self, first: int, end: int) -> int:
        """The number of observations in these blocks."""

    def entries(self, first: int, end: int) -> Iterable[ScoreEntries]:
        """The scores of these blocks; the block ``first`` has the number 0."""

    def entries_and_information(self, block: int) -> tuple[list[ScoreEntries], Numbers]:
        """The score of this block, whose number is 0 there, and its information."""


def clustered_covariance(blocks: EstimateBlocks, number: int, information: Numbers) -> Numbers:
    """The covariance matrix of estimates from this ``number`` of blocks (0 for a single one). ``information`` is that
    of all blocks, plus what is known of the estimates' sums; it is positive definite."""
    if number < 2:
        return numpy.zeros_like(information)
    if number <= ONE_BY_ONE:
        changes = numpy.array([_jackknife_change(blocks, at, information) for at in range(number)])
        found: Numbers = (number - 1) / number * changes.T @ changes
        return found
    meat = numpy.zeros_like(information)
    step = max(1, number * CHUNK_OBSERVATIONS // max(1, blocks.rows_of(0, number)))
    for first in range(0, number, step):
        end = min(number, first + step)
        add_products(meat, _join_entries(blocks.entries(first, end)), end - first)
    inverse = numpy.linalg.inv(information)
    meat = inverse @ meat
    meat = meat @ inverse
    meat *= number / (number - 1)
    return meat


def add_products(meat: Numbers, entries: ScoreEntries, blocks: int) -> None:
    """Add to ``meat`` the outer product of each block's score with itself. If most entries of scores are 0, as with
    many entrants of whom few meet in a block, only the others are multiplied."""
    size = len(meat)
    keys = entries.block * size + entries.parameter
    if blocks * size <= DENSE_FACTOR * len(keys):
        scores = numpy.bincount(keys, entries.value, minlength=blocks * size).reshape(blocks, size)
        meat += scores.T @ scores
        return
    order = numpy.argsort(keys, kind="stable")
    keys = keys[order]
    starts = numpy.flatnonzero(numpy.concatenate(([True], keys[1:] != keys[:-1])))
    values = numpy.add.reduceat(entries.value[order], starts)
    block, parameters = numpy.divmod(keys[starts], size)
    begins = numpy.flatnonzero(numpy.concatenate(([True], block[1:] != block[:-1])))
    counts = numpy.diff(begins, append=len(block))
    flat = meat.reshape(-1)
    for count in numpy.unique(counts).tolist():
        rows = begins[counts == count][:, None] + numpy.arange(count)
        places, scores = parameters[rows], values[rows]
        for one in range(count):
            products = scores[:, one : one + 1] * scores
            numpy.add.at(flat, (places[:, one : one + 1] * size + places).ravel(), products.ravel())


def _jackknife_change(blocks: EstimateBlocks, at: int, information: Numbers) -> Numbers:
    """Return how far each estimate lies above the one without block ``at``."""
    parts, own = blocks.entries_and_information(at)
    entries = _join_entries(parts)
    score = numpy.bincount(entries.parameter, entries.value, minlength=len(information))
    rest = information - own
    factor = cholesky(rest)
    if factor is not None:
        return solve_factored(factor, score)
    without: Numbers = numpy.linalg.pinv(rest, rcond=PIVOT_ROUNDING**2, hermitian=True) @ score
    return without  # without the block something is not known at all


def _join_entries(parts: Iterable[ScoreEntries]) -> ScoreEntries:
    """Join all ``parts`` into one."""
    nothing = ScoreEntries(*(numpy.zeros(0, dtype=kind) for kind in (numpy.int64, numpy.int64, numpy.float64)))
    return ScoreEntries(*(numpy.concatenate(column) for column in zip(nothing, *parts, strict=True)))
