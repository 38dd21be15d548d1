"""Student's distribution: with which probability a value drawn from it lies below another."""

from __future__ import annotations

from functools import cache
from math import atan, cos, erfc, floor, pi, sin, sqrt
from statistics import NormalDist

import numpy

from arena.ratings.columns import Numbers
from arena.tournament.intervals import t_quantile_975

SERIES = 200
"""Up to so many degrees of freedom the finite series is added up; beyond that the normal approximation is within
0.00001."""
SURE = 0.975
"""What lies above zero with at least this has a 95 % interval that does not hold 0."""
ABOUT = 0.002
"""Quantiles of Student's distribution are known at least so well."""


def student_below(t: float, df: float) -> float:
    """The probability that Student's t with ``df`` degrees of freedom (1 or more) is below ``t``.

    M. Abramowitz & I. Stegun, Handbook of Mathematical Functions, 1964: 26.7.3 and 26.7.4, beyond ``SERIES`` degrees
    of freedom 26.7.8; between two whole numbers it is linear in 1/df. Raises ValueError for df < 1.
    """
    if df < 1:
        raise ValueError(f"expected 1 degree of freedom or more, got {df}")
    below = floor(df)
    if df <= SERIES and df != below:
        part = (1 / below - 1 / df) * below * (below + 1)
        return (1 - part) * student_below(t, below) + part * student_below(t, below + 1)
    if df > SERIES:
        z = t * (1 - 1 / (4 * df)) / sqrt(1 + t * t / (2 * df))
        return erfc(-z / sqrt(2)) / 2
    return min(1.0, max(0.0, (1 + _central(t, below)) / 2))


def students_below(t: Numbers, df: Numbers) -> list[float]:
    """:func:`student_below` for each of these, the same numbers in less time."""
    found = [erfc(each) / 2 for each in (-_normal(t, df) / sqrt(2)).tolist()]
    for at in numpy.flatnonzero(df <= SERIES).tolist():
        found[at] = student_below(float(t[at]), float(df[at]))
    return found


def surely_apart(t: Numbers, df: Numbers) -> Numbers:
    """For each of these whether :func:`student_below` is at least :data:`SURE`, or at most what is left to 1. It is
    computed only where ``t`` is near the quantile."""
    normal = NormalDist().inv_cdf(SURE)
    whole = numpy.minimum(df, SERIES).astype(int)
    many, quantiles = df > SERIES, _quantiles()
    far = numpy.where(many, numpy.abs(_normal(t, df)), numpy.abs(t))
    found = far > numpy.where(many, normal, quantiles[whole]) + ABOUT
    near = ~found & (far > numpy.where(many, normal, quantiles[whole + 1]) - ABOUT)
    for at in numpy.flatnonzero(near).tolist():
        found[at] = not 1 - SURE < student_below(float(t[at]), float(df[at])) < SURE
    return found


def _normal(t: Numbers, df: Numbers) -> Numbers:
    """What is about as likely to be exceeded by a normal number as ``t`` is, with many degrees of freedom."""
    found: Numbers = t * (1 - 1 / (4 * df)) / numpy.sqrt(1 + t * t / (2 * df))
    return found


@cache
def _quantiles() -> Numbers:
    """The quantile of :data:`SURE` by whole degrees of freedom; for 0 that for 1."""
    return numpy.array([t_quantile_975(max(1, df)) for df in range(SERIES + 2)])


def _central(t: float, df: int) -> float:
    """The probability of lying between -t and t, with the sign of t."""
    angle = atan(t / sqrt(df))
    square = cos(angle) ** 2
    odd = df % 2
    term = 1.0
    total = 1.0 if df > 1 else 0.0
    for step in range(2 + odd, df - 1, 2):
        term *= square * (step - 1) / step
        total += term
    if odd:
        return 2 / pi * (angle + sin(angle) * cos(angle) * total)
    return sin(angle) * total
