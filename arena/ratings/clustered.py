"""How sure estimates are whose observations come in blocks: the covariance of all of them together.

What is left to explain in a block adds up to one vector, its *score*; blocks are independent, so the scores tell how
much estimates vary, whatever happens within a block (K.-Y. Liang & S. L. Zeger, Longitudinal data analysis using
generalized linear models, Biometrika 73, 1986). Few blocks make that too small, because the estimates follow the blocks
they are made of; so up to ``ONE_BY_ONE`` blocks are left out one after the other, which is the jackknife (R. M. Bell &
D. F. McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples, Survey Methodology
28, 2002; of a likelihood one step of Newton's method is taken). With more blocks the factor G/(G-1) does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy

from arena.ratings.columns import Numbers

ONE_BY_ONE = 150
"""Up to so many blocks are left out one by one."""
NOTHING = 1e-5
"""What is this small beside the largest, of the diagonal of a Cholesky factor, is nothing but rounding."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Of some blocks: the ``scores``, a row each, and the ``information`` of all of them, where it was wanted."""

    scores: Numbers
    information: Numbers | None


class Blocks(Protocol):
    """What estimates were made from, by block."""

    def of(self, first: int, end: int, information: bool) -> Sums:
        """The sums of the blocks from ``first`` up to ``end``, which is left out."""


def covariance(blocks: Blocks, number: int, information: Numbers) -> Numbers:
    """The covariance matrix of estimates from so many blocks (0 where there is only one). ``information`` is positive
    definite: that of all blocks, with what is known of the estimates' sums."""
    if number < 2:
        return numpy.zeros_like(information)
    if number <= ONE_BY_ONE:
        changes = numpy.array([_change(blocks.of(at, at + 1, True), information) for at in range(number)])
        found: Numbers = (number - 1) / number * changes.T @ changes
        return found
    meat = numpy.zeros_like(information)
    for first, end in _in_parts(number, len(information)):
        scores = blocks.of(first, end, False).scores
        meat += scores.T @ scores
    inverse = numpy.linalg.inv(information)
    sandwich: Numbers = number / (number - 1) * inverse @ meat @ inverse
    return sandwich


def definite(matrix: Numbers) -> bool:
    """Whether a symmetric matrix is positive definite, beyond what rounding may have made of it."""
    try:
        diagonal = numpy.diagonal(numpy.linalg.cholesky(matrix))
    except numpy.linalg.LinAlgError:
        return False
    return bool(diagonal.min() > NOTHING * diagonal.max())


def _change(sums: Sums, information: Numbers) -> Numbers:
    """How far the estimates change if this block is left out."""
    assert sums.information is not None, "it was wanted"
    rest, score = information - sums.information, sums.scores[0]
    if definite(rest):
        return numpy.linalg.solve(rest, score)
    without: Numbers = numpy.linalg.pinv(rest, rcond=NOTHING**2, hermitian=True) @ score
    return without  # without the block something is not known at all


def _in_parts(blocks: int, size: int) -> Iterator[tuple[int, int]]:
    """Blocks, some at a time, so that their scores of ``size`` numbers take little memory."""
    step = max(1, (1 << 21) // size)
    for first in range(0, blocks, step):
        yield first, min(blocks, first + step)
