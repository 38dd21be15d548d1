"""When a sequential test will stop, and how far off its estimate is when it has.

Both come from simulated tests of normal differences. Their likelihood ratios are those of a normal distribution of
unknown deviation, with :data:`UNSEEN_SPREAD` blocks at each end of the range. They take microseconds where the test
itself takes milliseconds. Simulated tests stop after about as many blocks as real ones, or fewer where the effect is
far larger than the one looked for or the bound far from what happens.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy

from arena.sequential.likelihood_ratio import Floats
from arena.sequential.sequential_test import SequentialState
from arena.sequential.test_settings import SequentialVerdict, Settings

UNSEEN_SPREAD = 0.3
"""The weight of each end of the range, in blocks."""
FORECAST_PATHS = 400
"""The number of tests that are simulated for a forecast."""
BIAS_PATHS = 300
"""The number of tests that are simulated for each true effect when an estimate is corrected."""
TRIED_EFFECTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
"""The true effects that are tried, in units of the difference looked for."""
LONGEST_TEST = 2000
"""Blocks after which a simulated test is given up."""
CHUNK_BLOCKS = 25
"""Blocks that are drawn at a time."""
LIKELY = 0.9
"""The share of simulated tests that stop within the *most* blocks of a forecast."""


class StoppingForecast(NamedTuple):
    """How many more blocks a test takes from here: in half of all cases at most ``usual``, in nine of ten at most
    ``most``. ``undecided`` is the probability that it has no verdict at the limit."""

    usual: int
    most: int
    undecided: float


class SimulatedStops(NamedTuple):
    """The ends of simulated tests, as arrays with a value for each test: how many more ``blocks`` it took, the
    estimated effect (``effects``) at its end, 1 where its verdict was ``better`` or ``worse``, else 0, and whether it
    ``ended`` with a verdict: 0 where the limit came first; ``effects`` has no meaning there."""

    blocks: Floats
    effects: Floats
    better: Floats
    worse: Floats
    ended: Floats


def forecast_stop(state: SequentialState, settings: Settings, limit: int) -> StoppingForecast | None:
    """When the test will stop, if it may take ``limit`` more blocks; None with a verdict, without a limit above 0, and
    where the blocks do not differ. The true effect is unknown, so it is drawn anew for each simulated test: from its
    normal posterior, with a prior about 0 whose deviation is the difference looked for."""
    if state.deviation <= 0 or limit < 1 or state.has_verdict:
        return None
    generator = numpy.random.Generator(numpy.random.PCG64(state.blocks))
    known = state.blocks + 1 / settings.difference**2
    effect = (state.mean.mean or 0.0) / state.deviation
    true = effect * state.blocks / known + generator.normal(0, 1, FORECAST_PATHS) / known**0.5
    stops = simulate_stops(state, settings, true, min(limit, LONGEST_TEST), generator)
    usual, most = numpy.quantile(stops.blocks, [0.5, LIKELY], method="higher").tolist()
    return StoppingForecast(int(usual), int(most), float(1 - stops.ended.mean()))


def corrected_effect(state: SequentialState, settings: Settings) -> float | None:
    """The true effect at which tests with this verdict, better or worse, show on average what this one shows: less than
    the estimate, because a test stops when luck has helped it (J. Whitehead, On the bias of maximum likelihood
    estimation following a sequential test, Biometrika 73, 1986; here given the verdict). 0 where no true effect shows
    so little. None for other verdicts."""
    sign = {SequentialVerdict.BETTER: 1, SequentialVerdict.WORSE: -1}.get(state.verdict)
    if sign is None or state.deviation <= 0:
        return None
    shown = abs(state.mean.mean or 0.0) / state.deviation
    tried = numpy.array(TRIED_EFFECTS) * settings.difference
    generator = numpy.random.Generator(numpy.random.PCG64(1))
    true = numpy.repeat(tried, BIAS_PATHS)
    stops = simulate_stops(None, settings, true, LONGEST_TEST, generator, settings.bound / state.deviation)
    said = stops.better.reshape(len(tried), -1)
    effects = (stops.effects.reshape(said.shape) * said).sum(1) / numpy.maximum(said.sum(1), 1)
    effects = numpy.maximum.accumulate(numpy.where(said.any(1), effects, 0.0))
    if shown >= effects[-1]:
        return sign * shown
    return sign * float(min(shown, numpy.interp(shown, effects, tried, left=0.0)))


def simulate_stops(
    state: SequentialState | None,
    settings: Settings,
    true: Floats,
    limit: int,
    generator: numpy.random.Generator,
    bound: float = 0.0,
) -> SimulatedStops:
    """Simulate a test for each of these ``true`` effects, for at most ``limit`` blocks: it goes on from ``state``, or
    starts at the first block if that is None. Then ``bound`` is the bound of differences in deviations, which otherwise
    follows from the state."""
    before, mean, shift, excluded = 0, 0.0, (0.0, 0.0), (False, False)
    if state is not None:
        before, mean = state.blocks, (state.mean.mean or 0.0) / state.deviation
        bound = settings.bound / state.deviation
        excluded = state.better_excluded, state.worse_excluded
    unseen = 2 * UNSEEN_SPREAD * bound * bound
    sums = numpy.full(len(true), before * mean)
    squares = numpy.full(len(true), before * (1 + mean * mean) + unseen)
    if state is not None:
        near = _normal_ratios(numpy.array([before * mean]), squares[:1], numpy.array([float(before)]), settings)
        shift = state.better - float(near[0][0]), state.worse - float(near[1][0])
    found = SimulatedStops(*(numpy.zeros(len(true)) for _ in SimulatedStops._fields))
    found.blocks[:] = limit
    ruled_out = numpy.repeat(numpy.array([excluded]).T, len(true), axis=1)
    rows = numpy.arange(len(true))
    for done in range(0, limit, CHUNK_BLOCKS):
        steps = min(CHUNK_BLOCKS, limit - done)
        drawn = true[rows, None] + generator.normal(0, 1, (len(rows), steps))
        total, square = sums[:, None] + drawn.cumsum(1), squares[:, None] + (drawn * drawn).cumsum(1)
        blocks = before + done + numpy.arange(1.0, steps + 1)
        ratios = numpy.array(_normal_ratios(total, square, blocks, settings)) + numpy.reshape(shift, (2, 1, 1))
        out = numpy.logical_or.accumulate(ratios <= settings.lower_bound, axis=2) | ruled_out[:, :, None]
        shown = (ratios >= settings.upper_bound) & ~out
        ends = shown.any(0) | out.all(0)
        over = ends.any(1)
        at = ends.argmax(1)
        here = numpy.flatnonzero(over)
        last, which = at[here], rows[here]
        found.blocks[which] = done + 1 + last
        found.effects[which] = _effects(total[here, last], square[here, last] - unseen, blocks[last])
        found.better[which], found.worse[which] = shown[:, here, last]
        found.ended[which] = 1
        left = numpy.flatnonzero(~over)
        rows, sums, squares, ruled_out = rows[left], total[left, -1], square[left, -1], out[:, left, -1]
        if not len(rows):
            break
    return found


def _effects(total: Floats, square: Floats, blocks: Floats) -> Floats:
    """The mean in units of the deviation."""
    mean = total / blocks
    found: Floats = mean / numpy.sqrt(numpy.maximum(square / blocks - mean * mean, 1e-12))
    return found


def _normal_ratios(total: Floats, square: Floats, blocks: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """The log-likelihood ratios for better and for worse of normal differences with these sums and sums of squares."""
    weight = blocks + 2 * UNSEEN_SPREAD
    first, second = total / weight, square / weight

    def likely(effect: float) -> Floats:
        tilted = effect * first
        precision = (tilted + numpy.sqrt(tilted * tilted + 4 * second)) / (2 * second)
        most: Floats = weight * (
            numpy.log(precision) - second * precision * precision / 2 + tilted * precision - effect * effect / 2
        )
        return most

    big, none = settings.difference, settings.null
    return likely(big) - likely(none), likely(-big) - likely(-none)
