"""Student's distribution: with which probability a value drawn from it lies below another."""

from __future__ import annotations

from math import atan, cos, erfc, floor, pi, sin, sqrt

SERIES = 200
"""Up to so many degrees of freedom the finite series is added up; beyond that the normal approximation is within
0.00001."""


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
