"""What a random sample of matches says of all of them, exactly.

Matches are drawn without replacement from a known number, so the number of those that differ among them is
hypergeometric, and the bound is that of Clopper and Pearson for it: the most of all that could differ without the
sample showing so few in more than one of twenty cases (C. J. Clopper and E. S. Pearson, The use of confidence or
fiducial limits illustrated in the case of the binomial, Biometrika 26, 1934; for a finite number J. P. Buonaccorsi, A
note on confidence intervals for proportions in finite populations, The American Statistician 41, 1987).
"""

from __future__ import annotations

from math import exp, fsum, lgamma

CONFIDENCE = 0.95
BOUND_ROUNDING = 1e-7
"""The share by which rounding may make a probability too small: better a bound too large than too small."""


def most_differing(matches: int, drawn: int, differ: int, confidence: float = CONFIDENCE) -> int:
    """The upper bound, with this ``confidence``, for how many of all ``matches`` differ, where ``differ`` of those
    ``drawn`` at random do: the largest number at which a sample shows ``differ`` or fewer with a probability of at
    least 1 - confidence.

    One-sided: in at least the share ``confidence`` of all samples it is no smaller than the truth. Raises ValueError
    where 0 ≤ differ ≤ drawn ≤ matches does not hold."""
    if not 0 <= differ <= drawn <= matches:
        raise ValueError(f"expected 0 ≤ differ ≤ drawn ≤ matches, got {differ}, {drawn}, {matches}")
    low, high = differ, matches - (drawn - differ)
    least = (1 - confidence) * (1 - BOUND_ROUNDING)
    while low < high:
        middle = (low + high + 1) // 2
        if _chance_of_so_few(matches, drawn, differ, middle) >= least:
            low = middle
        else:
            high = middle - 1
    return low


def _chance_of_so_few(matches: int, drawn: int, differ: int, all_that_differ: int) -> float:
    """The probability that ``differ`` or fewer of the drawn matches differ, if ``all_that_differ`` of all matches
    do."""
    same = matches - all_that_differ
    every = _log_ways(matches, drawn)
    fewest = max(0, drawn - same)
    most = min(differ, all_that_differ)
    return fsum(
        exp(_log_ways(all_that_differ, each) + _log_ways(same, drawn - each) - every)
        for each in range(fewest, most + 1)
    )


def _log_ways(of: int, chosen: int) -> float:
    """The logarithm of the number of ways to choose ``chosen`` elements out of ``of``."""
    return lgamma(of + 1) - lgamma(chosen + 1) - lgamma(of - chosen + 1)
