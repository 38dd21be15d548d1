"""How far apart two variances of the same normal numbers may be by chance: quantiles of their ratio, Fisher's F; and
how a quantile is found from the part of a distribution that lies below a number."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, lgamma, log

MOST_TERMS = 2000
"""The most terms of the continued fraction."""
STILL = 1e-14
"""It ends when a term changes it by less than this part."""
TINY = 1e-300


def variance_ratio(part: float, first: float, second: float) -> float:
    """The number below which this ``part`` of the ratios lies of a variance with ``first`` degrees of freedom to one
    with ``second``."""
    return bisect_quantile(part, lambda ratio: ratio_below(ratio, first, second))


def bisect_quantile(part: float, below: Callable[[float], float]) -> float:
    """The number below which this ``part`` of a distribution of positive numbers lies; ``below`` gives the part that
    lies below a number."""
    low, high = 0.0, 1.0
    while below(high) < part:
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if below(middle) < part else (low, middle)
    return middle


def ratio_below(x: float, first: float, second: float) -> float:
    """The part of these ratios that is below ``x``: the incomplete beta function (Abramowitz & Stegun, Handbook of
    Mathematical Functions, 1964, 26.6.2)."""
    if x <= 0:
        return 0.0
    scaled = first * x
    one, other = scaled / (scaled + second), second / (scaled + second)
    return _incomplete_beta(one, other, first / 2, second / 2)


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """The regularised incomplete beta function at ``x``, with ``rest`` = 1 - x: its continued fraction (26.5.8 there),
    evaluated forwards (W. J. Lentz, Applied Optics 15, 1976)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(rest, x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest)) / a
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > TINY else TINY)
    found = d
    for term in range(1, MOST_TERMS):
        for step in (
            term * (b - term) * x / ((a + 2 * term - 1) * (a + 2 * term)),
            -(a + term) * (a + b + term) * x / ((a + 2 * term) * (a + 2 * term + 1)),
        ):
            d, c = 1 + step * d, 1 + step / c
            d = 1 / (d if abs(d) > TINY else TINY)
            c = c if abs(c) > TINY else TINY
            found *= d * c
        if abs(d * c - 1) < STILL:
            break
    return min(1.0, front * found)
