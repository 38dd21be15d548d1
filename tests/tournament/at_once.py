"""The intervals of arena.tournament.inference.intervals for many runs at once, in numpy, for simulations; a test holds
the two against each other."""

from __future__ import annotations

from typing import Any

import numpy

from arena.tournament.inference.intervals import ALIKE_CORRELATION, EQUAL_MEANS, LEAST_TELLING, t_quantile_975
from arena.tournament.inference.lattice import STEP_VARIANCE, part_of_t

Array = numpy.ndarray[Any, Any]

_DF = numpy.concatenate([numpy.arange(1, 31), numpy.geomspace(31, 1e6, 400)])
_T = numpy.array([t_quantile_975(float(df)) for df in _DF])
_PART_DF, _PART_AT = numpy.arange(2, 11), numpy.array([0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2])
_PARTS = numpy.array([[part_of_t(float(df), float(at)) for at in _PART_AT] for df in _PART_DF])


def intervals(sums: Array, matches: Array, bounds: tuple[float, float] | None, step: float) -> tuple[Array, Array]:
    """The lower and the upper end of each run, NaN where none is told; ``sums`` and ``matches`` are runs x blocks."""
    with numpy.errstate(all="ignore"):
        return _intervals(sums, matches, bounds, step)


def _intervals(sums: Array, matches: Array, bounds: tuple[float, float] | None, step: float) -> tuple[Array, Array]:
    total, blocks = matches.sum(1), (matches > 0).sum(1)
    mean = sums.sum(1) / total
    rest = sums - mean[:, None] * matches
    near = EQUAL_MEANS * numpy.maximum(1, abs(mean))[:, None] * matches
    alike = (abs(rest) <= near).all(1)
    part = matches / total[:, None]
    squares = numpy.where(matches > 0, rest**2 / (1 - part), 0)
    variance = squares.sum(1) / total**2
    df = numpy.minimum(_degrees(part), _shown(squares, blocks))
    t = _t(df)
    if bounds is None:
        reach = t * numpy.sqrt(variance)
        telling = ~alike & ((sums != 0).sum(1) >= numpy.minimum(LEAST_TELLING, blocks - 1))
        reach = numpy.where(telling & (blocks >= 3), reach, numpy.nan)
        return mean - reach, mean + reach
    room = bounds[1] - bounds[0]
    share, size = (mean - bounds[0]) / room, (matches**2).sum(1) / total
    single = share * (1 - share)
    if step:
        of_block = size * numpy.maximum(single, variance / room**2 * total)
        least = numpy.where(matches > 0, matches, numpy.inf).min(1)
        unseen = numpy.where(least == matches.max(1), STEP_VARIANCE, STEP_VARIANCE / 2)
        t = t * _part(df, unseen * (step / room) ** 2 / of_block)
    odds = numpy.exp(t * numpy.sqrt(variance) / room / single)
    low, high = share / (share + (1 - share) * odds), share / (share + (1 - share) / odds)
    square = _t(blocks - 1.0) ** 2 * (1 + (size - 1) * ALIKE_CORRELATION) / total
    middle = (share + square / 2) / (1 + square)
    reach = numpy.sqrt(square * single + square**2 / 4) / (1 + square)
    low = numpy.where(alike, numpy.maximum(middle - reach, 0), low)
    high = numpy.where(alike, numpy.minimum(middle + reach, 1), high)
    few = numpy.where(blocks >= 3, 0.0, numpy.nan)
    return bounds[0] + room * low + few, bounds[0] + room * high + few


def _t(df: Array) -> Array:
    return numpy.interp(1 / df, 1 / _DF[::-1], _T[::-1])


def _degrees(part: Array) -> Array:
    """Bell and McCaffrey's, of blocks with these parts of all matches."""
    own = part**2 / (1 - part)
    return numpy.maximum(1 / ((part**2).sum(1) + own.sum(1) ** 2 - (own**2).sum(1)), 1)


def _shown(squares: Array, blocks: Array) -> Array:
    kurtosis = blocks * (squares**2).sum(1) / squares.sum(1) ** 2
    return numpy.where(kurtosis > 1 + EQUAL_MEANS, numpy.maximum(2 * blocks / (kurtosis - 1), 1), numpy.inf)


def _part(df: Array, variance: Array) -> Array:
    df, at = numpy.clip(df, 2, 10), numpy.clip(variance, 0, 0.2)
    row = numpy.minimum(df.astype(int) - 2, len(_PARTS) - 2)
    column = numpy.clip(numpy.searchsorted(_PART_AT, at, "right") - 1, 0, len(_PART_AT) - 2)
    along = (at - _PART_AT[column]) / (_PART_AT[column + 1] - _PART_AT[column])
    near, far = (
        _PARTS[each, column] + along * (_PARTS[each, column + 1] - _PARTS[each, column]) for each in (row, row + 1)
    )
    found: Array = near + (df - 2 - row) * (far - near)
    return found
