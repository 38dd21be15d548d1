"""The upper tail of Student's t, for probabilities far smaller than tables have."""

from __future__ import annotations

from math import atan2, cos, log1p, pi, sin, sqrt
from statistics import NormalDist

MANY = 200
"""Degrees of freedom above which the normal distribution is near enough: with Wallace's transformation, Bounds on
normal approximations to Student's and the chi-square distributions, 1959, within some 1e-6 of the tail itself."""


def t_tail(t: float, freedom: int) -> float:
    """The probability of more than ``t`` with so many degrees of freedom, 1 or more; Abramowitz & Stegun, Handbook of
    Mathematical Functions, 1964, 26.7.3 and 26.7.4. Raises ValueError for freedom < 1."""
    if freedom < 1:
        raise ValueError(f"expected 1 degree of freedom or more, got {freedom}")
    if t < 0:
        return 1 - t_tail(-t, freedom)
    if freedom > MANY:
        z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom))
        return NormalDist().cdf(-z)
    angle = atan2(t, sqrt(freedom))
    inside = _odd(angle, freedom) if freedom % 2 else _even(angle, freedom)
    return max((1 - inside) / 2, 0.0)


def _odd(angle: float, freedom: int) -> float:
    """The probability between -t and t, for an odd number of degrees of freedom."""
    total, term = 0.0, cos(angle)
    for step in range(1, freedom - 1, 2):
        total += term
        term *= cos(angle) ** 2 * (step + 1) / (step + 2)
    return 2 / pi * (angle + sin(angle) * total)


def _even(angle: float, freedom: int) -> float:
    """The same for an even number."""
    total, term = 0.0, 1.0
    for step in range(0, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * (step + 1) / (step + 2)
    return sin(angle) * total
