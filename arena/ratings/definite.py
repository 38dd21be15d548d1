"""Symmetric, positive definite matrices, such as the information on parameters, and equations with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from arena.ratings.order_columns import Numbers

PIVOT_ROUNDING = 1e-5
"""A diagonal element of a Cholesky factor is nothing but rounding if it is this small relative to the largest one."""
CHUNK_UNKNOWNS = 128
"""The number of unknowns solved at a time."""


def cholesky(matrix: Numbers) -> Numbers | None:
    """The lower triangular factor of a symmetric matrix, whose product with its transpose is the matrix; None if the
    matrix is not positive definite, allowing for rounding."""
    try:
        factor: Numbers = numpy.linalg.cholesky(matrix)
    except numpy.linalg.LinAlgError:
        return None
    diagonal = numpy.diagonal(factor)
    return factor if diagonal.min() > PIVOT_ROUNDING * diagonal.max() else None


def solve_factored(factor: Numbers, right: Numbers) -> Numbers:
    """The vector whose product with a matrix is ``right``, from the matrix's :func:`cholesky` factor. Takes a
    thousandth of the time that the factor took."""
    found = right.copy()
    blocks = [slice(at, min(at + CHUNK_UNKNOWNS, len(right))) for at in range(0, len(right), CHUNK_UNKNOWNS)]
    for here in blocks:
        known = factor[here, : here.start] @ found[: here.start]
        found[here] = numpy.linalg.solve(factor[here, here], found[here] - known)
    for here in reversed(blocks):
        known = factor[here.stop :, here].T @ found[here.stop :]
        found[here] = numpy.linalg.solve(factor[here, here].T, found[here] - known)
    return found


def add_square(matrix: Numbers, members: Sequence[int], amount: float) -> None:
    """Add ``amount`` wherever both row and column are among the ``members``, which are in ascending order."""
    if members[-1] - members[0] + 1 == len(members):
        matrix[members[0] : members[-1] + 1, members[0] : members[-1] + 1] += amount
    else:
        rows = numpy.array(members)
        matrix[rows[:, None], rows] += amount
