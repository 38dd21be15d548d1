"""How sure estimates are whose observations come in blocks: the covariance of all of them together.

What is left to explain in a block adds up to one vector, its *score*; blocks are independent, so the scores tell how
much estimates vary, whatever happens within a block (K.-Y. Liang & S. L. Zeger, Longitudinal data analysis using
generalized linear models, Biometrika 73, 1986). Few blocks make that too small, because the estimates follow the blocks
they are made of; so up to ``ONE_BY_ONE`` blocks are left out one after the other, which is the jackknife (R. M. Bell &
D. F. McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples, Survey Methodology
28, 2002; of a likelihood one step of Newton's method is taken). With more blocks the factor G/(G-1) does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy

from arena.ratings.definite import PIVOT_ROUNDING, cholesky, solve_factored
from arena.ratings.order_columns import Numbers

ONE_BY_ONE = 150
"""Up to so many blocks are left out one by one."""
CHUNK_OBSERVATIONS = 1 << 15
"""So many observations are added up together, or as many as one block has."""
DENSE_FACTOR = 8
"""Scores are kept as a table where there are at most so many times as many places in it as parts of scores."""


class ScoreEntries(NamedTuple):
    """Parts of scores, a row each: of which ``block``, by which ``parameter``, and how much (``value``). Several of the
    same block and parameter add up; what has none is 0."""

    block: Numbers
    parameter: Numbers
    value: Numbers


class EstimateBlocks(Protocol):
    """What estimates were made from, by block. Blocks are those from ``first`` up to ``end``, which is left out."""

    def rows_of(self, first: int, end: int) -> int:
        """How many observations they have."""

    def entries(self, first: int, end: int) -> Iterable[ScoreEntries]:
        """Their scores; blocks are numbered from ``first`` on."""

    def information_of(self, first: int, end: int) -> Numbers:
        """The information of all of them together."""


def clustered_covariance(blocks: EstimateBlocks, number: int, information: Numbers) -> Numbers:
    """The covariance matrix of estimates from so many blocks (0 where there is only one). ``information`` is positive
    definite: that of all blocks, with what is known of the estimates' sums."""
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
    """Add to ``meat`` the product of each block's score with itself. Where most of the scores are 0, as with many
    entrants of whom few meet in a block, only the others are multiplied."""
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
    """How far the estimates change if this block is left out."""
    entries = _join_entries(blocks.entries(at, at + 1))
    score = numpy.bincount(entries.parameter, entries.value, minlength=len(information))
    rest = information - blocks.information_of(at, at + 1)
    factor = cholesky(rest)
    if factor is not None:
        return solve_factored(factor, score)
    without: Numbers = numpy.linalg.pinv(rest, rcond=PIVOT_ROUNDING**2, hermitian=True) @ score
    return without  # without the block something is not known at all


def _join_entries(parts: Iterable[ScoreEntries]) -> ScoreEntries:
    """All of these together."""
    nothing = ScoreEntries(*(numpy.zeros(0, dtype=kind) for kind in (numpy.int64, numpy.int64, numpy.float64)))
    return ScoreEntries(*(numpy.concatenate(column) for column in zip(nothing, *parts, strict=True)))
