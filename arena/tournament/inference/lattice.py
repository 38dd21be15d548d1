"""How far an interval has to reach where results come in steps, such as matches that are won or lost.

Student's t is large for few blocks because a few blocks may by chance differ much less than blocks usually do. Where
results come in steps, blocks cannot differ by just a little: either all are alike, which has an interval of its own
(see :mod:`arena.tournament.inference.intervals`), or some differ by a step. So some of the cases for which t is so
large do not occur.
"""

from __future__ import annotations

from bisect import bisect
from math import floor

STEP_VARIANCE = 1 / 12
"""The variance of an error that lies anywhere within a step, in squared steps (W. F. Sheppard, Proceedings of the
London Mathematical Society 29, 1898). A smaller variance shows as none at all."""

_LEAST_DF = 2
_TABLE_VARIANCES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
_REACH_PARTS = (
    (1.000, 0.924, 0.871, 0.768, 0.667, 0.601, 0.552),
    (1.000, 0.991, 0.977, 0.932, 0.863, 0.805, 0.755),
    (1.000, 0.999, 0.996, 0.980, 0.942, 0.901, 0.861),
    (1.000, 1.000, 0.999, 0.994, 0.975, 0.948, 0.918),
    (1.000, 1.000, 1.000, 0.998, 0.989, 0.973, 0.951),
    (1.000, 1.000, 1.000, 0.999, 0.995, 0.985, 0.970),
    (1.000, 1.000, 1.000, 1.000, 0.998, 0.992, 0.982),
    (1.000, 1.000, 1.000, 1.000, 0.999, 0.996, 0.989),
    (1.000, 1.000, 1.000, 1.000, 1.000, 1.000, 1.000),
)
"""Values of :func:`part_of_t`: a row for each number of degrees of freedom from :data:`_LEAST_DF` on, a column for each
of the :data:`_TABLE_VARIANCES`."""


def part_of_t(df: float, variance: float) -> float:
    """The factor for Student's t that makes a 95 % interval if a sample with ``df`` degrees of freedom cannot show a
    variance below ``variance``, which is in units of the true variance.

    With t' = factor * t, |Z| > t' * s and s² ≥ variance hold together with probability 0.05, where Z is normal and df *
    s² has the chi-square distribution. The factor comes from a table by linear interpolation, which makes it a little
    too large; variances above 0.2 count as 0.2. It is 1 from 10 degrees of freedom on; fewer than 2 count as 2.
    """
    df = max(df, _LEAST_DF)
    below = floor(df) - _LEAST_DF
    if below >= len(_REACH_PARTS) - 1:
        return 1.0
    near = _interpolate_parts(_REACH_PARTS[below], variance)
    return near + (df - floor(df)) * (_interpolate_parts(_REACH_PARTS[below + 1], variance) - near)


def _interpolate_parts(parts: tuple[float, ...], variance: float) -> float:
    """The value for this variance in a row of the table."""
    if variance >= _TABLE_VARIANCES[-1]:
        return parts[-1]
    place = bisect(_TABLE_VARIANCES, variance) - 1
    reached = (variance - _TABLE_VARIANCES[place]) / (_TABLE_VARIANCES[place + 1] - _TABLE_VARIANCES[place])
    return parts[place] + reached * (parts[place + 1] - parts[place])
