"""Student's distribution for many values at once: the numbers of :mod:`arena.tournament.inference.student_t` in less
time."""

from __future__ import annotations

from functools import cache
from math import erfc
from statistics import NormalDist

import numpy

from arena.ratings.order_columns import Numbers
from arena.tournament.inference.student_t import SERIES_DEGREES, t_below, t_quantile_975

SURE_CHANCE = 0.975
"""A difference above 0 with at least this probability has a 95 % interval that excludes 0."""
QUANTILE_ERROR = 0.002
"""The largest error of the quantiles of Student's distribution used here."""


def students_below(t: Numbers, df: Numbers) -> list[float]:
    """:func:`arena.tournament.inference.student_t.t_below` for each ``t`` with its ``df``."""
    found = [erfc(each) / 2 for each in (-_normal_score(t, df) / numpy.sqrt(2)).tolist()]
    for at in numpy.flatnonzero(df <= SERIES_DEGREES).tolist():
        found[at] = t_below(float(t[at]), float(df[at]))
    return found


def surely_apart(t: Numbers, df: Numbers) -> Numbers:
    """For each ``t``, whether :func:`arena.tournament.inference.student_t.t_below` is at least :data:`SURE_CHANCE`, or
    at most 1 - SURE_CHANCE. It is computed only where ``t`` is near the quantile."""
    normal = NormalDist().inv_cdf(SURE_CHANCE)
    whole = numpy.minimum(df, SERIES_DEGREES).astype(int)
    many, quantiles = df > SERIES_DEGREES, _sure_quantiles()
    far = numpy.where(many, numpy.abs(_normal_score(t, df)), numpy.abs(t))
    found = far > numpy.where(many, normal, quantiles[whole]) + QUANTILE_ERROR
    near = ~found & (far > numpy.where(many, normal, quantiles[whole + 1]) - QUANTILE_ERROR)
    for at in numpy.flatnonzero(near).tolist():
        found[at] = not 1 - SURE_CHANCE < t_below(float(t[at]), float(df[at])) < SURE_CHANCE
    return found


def _normal_score(t: Numbers, df: Numbers) -> Numbers:
    """The number that a normal variable exceeds about as often as Student's does ``t``, with many degrees of
    freedom."""
    found: Numbers = numpy.copysign((8 * df + 1) / (8 * df + 3) * numpy.sqrt(df * numpy.log1p(t * t / df)), t)
    return found


@cache
def _sure_quantiles() -> Numbers:
    """The quantiles of :data:`SURE_CHANCE` for 0, 1, 2, … degrees of freedom; that for 0 is that for 1."""
    return numpy.array([t_quantile_975(max(1, df)) for df in range(SERIES_DEGREES + 2)])
